package io.mdnf.spark;

import io.mdnf.cli.Main;
import io.mdnf.space.Check;
import io.mdnf.work.Workers;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.ShutdownHookManager;
import scala.runtime.BoxedUnit;

/**
 * The program {@code mdnf} as a Spark application, for {@code spark-submit} and for the launcher's {@code mdnf --master
 * URL}: the same commands, the same answers. It begins when its first work is to be done; {@code spark.*} properties
 * say how, as {@code spark-submit} or {@code -Dspark.executor.memory=4g} sets them.
 */
public final class Application implements Main.Cluster {

    /** The class path that executors need, which the launcher names. */
    static final String SENT = "mdnf.sent";

    private static final String STANDALONE = "spark://";
    /** Milliseconds that a master has to answer in. */
    private static final int PATIENCE = 10_000;

    private Workers workers;

    /** Runs a command and ends the virtual machine with its exit code. */
    public static void main(String[] args) {
        Main.main(new Application(), args);
    }

    @Override
    public synchronized Workers open(Optional<String> master) {
        if (workers == null) {
            workers = new SparkWorkers(context(conf(master)));
            // before Spark's own: what is under way when the program is stopped needs Spark till it is saved
            ShutdownHookManager.addShutdownHook(() -> {
                Main.awaitStop();
                return BoxedUnit.UNIT;
            });
        }
        return workers;
    }

    static SparkConf conf(Optional<String> master) {
        SparkConf conf = new SparkConf().setIfMissing("spark.app.name", "mdnf");
        master.ifPresent(conf::setMaster);
        conf.setIfMissing("spark.ui.enabled", "false");
        // the same kernels on one thread give the same bits
        conf.setIfMissing("spark.executorEnv.OMP_NUM_THREADS", "1");
        Optional.ofNullable(System.getenv("OPENBLAS_CORETYPE"))
                .ifPresent(kernels -> conf.setIfMissing("spark.executorEnv.OPENBLAS_CORETYPE", kernels));
        if (!conf.get("spark.master", "").startsWith("local") && System.getProperty(SENT) != null) {
            conf.setIfMissing("spark.jars", String.join(",", jars(System.getProperty(SENT))));
        }
        // results are taken as they come: a table of answers, or many large shards, may have any size
        return conf.setIfMissing("spark.driver.maxResultSize", "0");
    }

    private static JavaSparkContext context(SparkConf conf) {
        String url = conf.get("spark.master", "");
        Check.that(!url.isEmpty(), "--master: name a cluster, such as spark://host:7077 or local[2]");
        // Spark itself tries for a minute, in silence
        Check.that(!url.startsWith(STANDALONE) || Arrays.stream(url.substring(STANDALONE.length()).split(","))
                .anyMatch(Application::answers), "--master ", url, ": no Spark master answers there");
        try {
            return new JavaSparkContext(conf);
        } catch (Exception e) { // Spark's are checked, but not declared
            if (String.valueOf(e.getMessage()).startsWith("Could not parse Master URL")) {
                throw new IllegalArgumentException("--master " + url + ": spark://host:7077 or local[2], for example; "
                        + "others, as yarn and k8s://, need spark-submit", e);
            }
            throw e;
        }
    }

    private static boolean answers(String address) {
        int colon = address.lastIndexOf(':');
        try (Socket there = new Socket()) {
            there.connect(new InetSocketAddress(address.substring(0, Math.max(colon, 0)),
                    Integer.parseInt(address.substring(colon + 1))), PATIENCE);
            return true;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    /** The jars of a class path, but for the logger, which a cluster has; folders become jars. */
    static List<String> jars(String classpath) {
        List<String> jars = new ArrayList<>();
        for (String entry : classpath.split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                jars.add(jar(path).toString());
            } else if (!path.getFileName().toString().startsWith("logback-")) {
                jars.add(entry);
            }
        }
        return jars;
    }

    private static Path jar(Path folder) {
        try (Stream<Path> found = Files.walk(folder)) {
            Path jar = Files.createTempFile("mdnf-", ".jar");
            jar.toFile().deleteOnExit();
            try (OutputStream file = Files.newOutputStream(jar); ZipOutputStream zip = new ZipOutputStream(file)) {
                for (Path each : found.filter(Files::isRegularFile).sorted().toList()) {
                    zip.putNextEntry(new ZipEntry(folder.relativize(each).toString().replace(File.separatorChar, '/')));
                    Files.copy(each, zip);
                }
            }
            return jar;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
