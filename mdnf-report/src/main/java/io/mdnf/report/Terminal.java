package io.mdnf.report;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a person watches. Java's own answer, {@code System.console()}, is about stdin and stdout, not stderr. */
public final class Terminal {
    private static final Path STDERR = Path.of("/proc/self/fd/2");
    private static final int USUAL_WIDTH = 80;

    private static volatile boolean left;

    private Terminal() {
    }

    /** Says that a program's last line comes now: bars that still run draw no more, nor over it. */
    public static void leave() {
        left = true;
    }

    static boolean isLeft() {
        return left;
    }

    /** Whether stderr is a terminal, so that progress is a bar. */
    public static boolean isStderr() {
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
        return device.toString().matches("/dev/(pts/.*|tty.*|console)");
    }

    /** Returns the columns of the terminal, by {@code stty}; 80 where that does not answer. */
    public static int width() {
        try {
            Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String[] size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip()
                    .split(" ");
            int columns = size.length == 2 ? Integer.parseInt(size[1]) : 0;
            return columns > 0 ? columns : USUAL_WIDTH;
        } catch (IOException | NumberFormatException e) {
            return USUAL_WIDTH;
        }
    }
}
