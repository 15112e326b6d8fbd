package io.mdnf.parity;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM that a test starts, tuned as the test's own: both live briefly. */
public final class ChildJvm {

    private ChildJvm() {}

    /**
     * The start of a command line.
     *
     * @param classPath where its classes are
     * @param more the main class and its arguments
     */
    public static List<String> command(String classPath, String... more) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("-XX:") || flag.startsWith("-Dorg.bytedeco.")).forEach(command::add);
        command.addAll(List.of("-cp", classPath));
        command.addAll(List.of(more));
        return command;
    }
}
