package io.mdnf.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a person watches. Java's own answer, {@code System.console()}, is about stdin and stdout, not stderr. */
final class Terminal {
    private static final Path STDERR = Path.of("/proc/self/fd/2");

    private Terminal() {
    }

    static boolean isStderr() {
        if (!Files.isSymbolicLink(STDERR)) {
            // No such file on macOS and Windows: Java's answer is the best there is.
            return System.console() != null;
        }
        try {
            return isTerminal(Files.readSymbolicLink(STDERR));
        } catch (IOException e) {
            // Whoever forbids looking does not watch.
            return false;
        }
    }

    static boolean isTerminal(Path device) {
        String name = device.toString();
        return name.startsWith("/dev/pts/") || name.startsWith("/dev/tty") || name.equals("/dev/console");
    }
}
