package io.mdnf.spark;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;

/** A Spark cluster on this machine's loopback, from the class path alone: a Master and two Workers of one core each. */
final class LoopbackCluster implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final int PATIENCE_SECONDS = 60;

    private final Path folder;
    private final int port;
    private final List<Process> processes = new ArrayList<>();

    private LoopbackCluster(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    static LoopbackCluster start(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("jars"));
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            port = free.getLocalPort();
        }
        LoopbackCluster cluster = new LoopbackCluster(folder, port);
        cluster.launch("master", "org.apache.spark.deploy.master.Master", "--port", Integer.toString(port));
        cluster.awaitMaster();
        for (int w = 0; w < 2; w++) {
            cluster.launch("worker" + w, "org.apache.spark.deploy.worker.Worker", "--cores", "1", "--memory", "2g",
                    "--work-dir", folder.resolve("work" + w).toString(), cluster.master());
        }
        return cluster;
    }

    private void launch(String name, String type, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx256m",
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
                "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"), type, "--host", HOST,
                "--webui-port", "0"));
        command.addAll(List.of(args));
        File log = folder.resolve(name + ".log").toFile();
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
        builder.environment().put("SPARK_HOME", folder.toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_IP", HOST);
        processes.add(builder.start());
    }

    private void awaitMaster() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (System.nanoTime() < end) {
            try (Socket there = new Socket(HOST, port)) {
                return;
            } catch (IOException e) {
                Thread.sleep(100); // not there yet
            }
        }
        throw new IllegalStateException("no master on port " + port + "; see " + folder.resolve("master.log"));
    }

    String master() {
        return "spark://" + HOST + ":" + port;
    }

    /** For an application with an executor on each worker that is there. */
    SparkConf conf() {
        return Local.conf(master()).set("spark.executor.cores", "1").set("spark.executor.memory", "1500m")
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .set("spark.executor.extraJavaOptions", "-XX:ActiveProcessorCount=1 -XX:+UseSerialGC "
                        + "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"))
                .set("spark.executorEnv.OMP_NUM_THREADS", "1")
                .set("spark.executorEnv.SPARK_LOCAL_IP", HOST)
                // work begins when both executors are there
                .set("spark.cores.max", "2").set("spark.scheduler.minRegisteredResourcesRatio", "1");
    }

    /** Ends a worker and what it runs by SIGKILL, as if its machine were gone. */
    void kill(int worker) {
        Process gone = processes.get(1 + worker);
        gone.descendants().forEach(ProcessHandle::destroyForcibly);
        gone.destroyForcibly();
    }

    @Override
    public void close() throws InterruptedException {
        for (Process process : processes) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }
}
