package io.mdnf.cli;

import io.mdnf.graph.Backend;
import io.mdnf.mnist.Mnist;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** Everything {@code mdnf doctor} looks at. ND4J is asked last, since it may not start. */
final class Checkup {
    private static final long GIB = 1L << 30;

    private Checkup() { }

    /**
     * One finding.
     *
     * @param advice what to do about it; null when nothing needs doing
     */
    record Check(String name, String value, String advice) {

        static Check fine(String name, String value) {
            return new Check(name, value, null);
        }

        /** Fine when {@code good}, otherwise with the advice. */
        static Check when(boolean good, String name, String value, String advice) {
            return new Check(name, value, good ? null : advice);
        }

        boolean ok() {
            return advice == null;
        }
    }

    static List<Check> run() {
        List<Check> checks = new ArrayList<>();
        checks.add(Check.fine("mdnf", Version.current()));
        checks.add(java(Runtime.version().feature()));
        checks.add(memory(Runtime.getRuntime().maxMemory(), physicalMemory()));
        checks.add(Check.fine("processors", Integer.toString(Runtime.getRuntime().availableProcessors())));
        checks.add(cache("cache", Mnist.cache(), "set XDG_CACHE_HOME to a directory you can write to"));
        try {
            checks.addAll(nd4j());
        } catch (RuntimeException | LinkageError e) {
            // The reason is the finding: a doctor reports it instead of falling ill.
            checks.add(new Check("backend", "does not start", Failure.of(e).sentence()));
        }
        return checks;
    }

    static Check java(int feature) {
        return Check.when(feature >= 17, "java",
                System.getProperty("java.version") + ", " + System.getProperty("java.vendor"),
                "install a JDK 17 and point JAVA_HOME to it");
    }

    /** ND4J keeps its arrays outside the heap, by default as many bytes again as the heap may have. */
    private static Check memory(long heap, long physical) {
        return Check.when(heap >= GIB, "memory",
                "heap up to " + gib(heap) + " of " + gib(physical) + " in this machine",
                "less than 1 GiB of heap is little for training: set MDNF_JAVA_OPTS=-Xmx4g");
    }

    private static Check cache(String name, Path directory, String advice) {
        return Check.when(usable(directory), name, directory.toString(), advice);
    }

    /** Whether files can be written there, now or once it has been made; changes nothing. */
    static boolean usable(Path directory) {
        Path existing = directory.toAbsolutePath();
        while (existing != null && Files.notExists(existing)) {
            existing = existing.getParent();
        }
        return existing != null && Files.isDirectory(existing) && Files.isWritable(existing);
    }

    private static List<Check> nd4j() {
        Nd4jStart.now();
        Backend.Description backend = Backend.describe();
        List<Check> checks = new ArrayList<>();
        checks.add(Check.fine("nd4j", Backend.version()));
        Check cuda = cuda(backend.devices());
        if (cuda.ok()) {
            checks.add(arithmetic(backend.name()));
        }
        if (backend.devices().isEmpty()) {
            checks.add(Check.fine("blas", backend.blas() + ", large products on " + backend.threads()
                    + (backend.threads() == 1 ? " thread" : " threads")));
            checks.add(Check.fine("native memory", "arrays up to " + gib(Pointer.maxBytes())));
        }
        checks.add(cuda);
        checks.add(cache("native cache", nativeCache(),
                "set MDNF_JAVA_OPTS=-Dorg.bytedeco.javacpp.cachedir=DIRECTORY to one you can write to"));
        return checks;
    }

    /** The GPUs; the first is used, and refused if ND4J has no code for it. */
    static Check cuda(List<Backend.Device> devices) {
        if (devices.isEmpty()) {
            return Check.fine("cuda", "no devices used; MDNF_BACKEND=cuda runs on a GPU");
        }
        Backend.Device first = devices.get(0);
        return Check.when(first.isSupported(), "cuda",
                devices.stream().map(device -> device.name() + " (" + gib(device.bytes()) + ", compute capability "
                        + device.major() + "." + device.minor() + ")").collect(Collectors.joining(", ")),
                first.refusal());
    }

    /** Two times three is six on every backend that works; by matrices, as plans multiply. */
    private static Check arithmetic(String backend) {
        try (INDArray two = Nd4j.eye(2).muli(2);
                INDArray three = Nd4j.eye(2).muli(3);
                INDArray product = two.mmul(three)) {
            return Check.when(product.getDouble(0) == 6.0, "backend", backend,
                    "2 x 3 gave " + product.getDouble(0) + ": these natives do not fit this machine");
        }
    }

    private static Path nativeCache() {
        try {
            return Loader.getCacheDir().toPath();
        } catch (IOException e) {
            throw new UncheckedIOException("javacpp has no cache directory", e);
        }
    }

    static long physicalMemory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize() : 0;
    }

    private static String gib(long bytes) {
        return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) GIB);
    }
}
