package io.mdnf.cli;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Everything {@code mdnf doctor} looks at. ND4J is asked last, since it may not start. */
final class Checkup {
    private static final long GIB = 1L << 30;

    private Checkup() { }

    static List<Check> run() {
        List<Check> checks = new ArrayList<>();
        checks.add(Check.fine("mdnf", Version.current()));
        checks.add(java(Runtime.version().feature()));
        checks.add(memory(Runtime.getRuntime().maxMemory(), physicalMemory()));
        checks.add(Check.fine("processors", Integer.toString(Runtime.getRuntime().availableProcessors())));
        checks.add(cache("cache", CacheDirectory.ofThisUser(), "set XDG_CACHE_HOME to a directory you can write to"));
        checks.addAll(nd4j());
        return List.copyOf(checks);
    }

    static Check java(int feature) {
        return Check.when(feature >= 17, "java",
                System.getProperty("java.version") + ", " + System.getProperty("java.vendor"),
                "install a JDK 17 and point JAVA_HOME to it");
    }

    /** ND4J keeps its arrays outside the heap, by default as many bytes again as the heap may have. */
    static Check memory(long heap, long physical) {
        return Check.when(heap >= GIB, "memory",
                "heap up to " + gib(heap) + " of " + gib(physical) + " in this machine",
                "less than 1 GiB of heap is little for training: set MDNF_JAVA_OPTS=-Xmx4g");
    }

    static Check cache(String name, Path directory, String advice) {
        return Check.when(CacheDirectory.usable(directory), name, directory.toString(), advice);
    }

    private static List<Check> nd4j() {
        try {
            return Nd4jCheckup.run();
        } catch (RuntimeException | LinkageError e) {
            // The reason is the finding: a doctor reports it instead of falling ill.
            return List.of(new Check("backend", "does not start", Failure.of(e).sentence()));
        }
    }

    private static long physicalMemory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize() : 0;
    }

    static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    static String gib(long bytes) {
        return String.format(java.util.Locale.ROOT, "%.1f GiB", bytes / (double) GIB);
    }
}
