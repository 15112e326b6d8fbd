package io.mdnf.cli;

import io.mdnf.report.Terminal;
import io.mdnf.training.RunListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What happens on Ctrl-C, or on a scheduler's SIGTERM, while a command that can be resumed works: runs it listens to
 * stop with a checkpoint, and one line on stderr says how to go on; or the command answers with what it knows.
 *
 * <p>It is a shutdown hook: the virtual machine waits for it, and ends with 130 or 143 as the signal demands.
 */
final class Stopping implements RunListener, AutoCloseable {
    /** What a shell reports of a program that Ctrl-C ended. */
    static final int EXIT_CODE = 130;

    /** How long a step under way, and the checkpoint after it, may take. */
    private static final int PATIENCE_SECONDS = 10;

    /** The last that began. */
    private static volatile Stopping last;

    private final PrintWriter err;
    private final Supplier<String> sentence;
    private final int patience;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "mdnf-stop");
    private volatile boolean asked;
    private volatile boolean complete;
    private volatile boolean told;

    private Stopping(PrintWriter err, Supplier<String> sentence, int patience) {
        this.err = err;
        this.sentence = sentence;
        this.patience = patience;
    }

    /** For a command with a run that listens to the result, and so saves its state before the program ends. */
    static Stopping saving(CommandSpec spec, Path folder) {
        String again = again(spec);
        return begin(new Stopping(spec.commandLine().getErr(), () -> "mdnf: stopped"
                + (isSaved(folder) ? ", saved in " + folder : " before anything was saved") + "; go on with: " + again,
                PATIENCE_SECONDS));
    }

    /** For a command that keeps its finished parts anyway. */
    static Stopping keeping(CommandSpec spec, Path folder) {
        String line = "mdnf: stopped, finished parts are kept in " + folder + "; go on with: " + again(spec);
        return begin(new Stopping(spec.commandLine().getErr(), () -> line, 0));
    }

    /** For a command that answers with what it knows by then; what it knew last, in words, if even that takes long. */
    static Stopping answering(PrintWriter err, Supplier<String> known) {
        return begin(new Stopping(err, () -> "mdnf: stopped; " + known.get(), PATIENCE_SECONDS));
    }

    /** Whether a run's folder holds a checkpoint. */
    static boolean isSaved(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(file -> file.toString().endsWith(".mdnf"));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private static Stopping begin(Stopping stopping) {
        last = stopping;
        Runtime.getRuntime().addShutdownHook(stopping.hook);
        return stopping;
    }

    /** The command line that goes on, as one would type it. */
    private static String again(CommandSpec spec) {
        List<String> words = new ArrayList<>(spec.root().commandLine().getParseResult().originalArgs());
        if (!words.contains("--resume")) {
            words.add("--resume");
        }
        return line(words);
    }

    /** The command line as one would type it. */
    static String typed(CommandSpec spec) {
        return line(spec.root().commandLine().getParseResult().originalArgs());
    }

    private static String line(List<String> words) {
        return words.stream().map(Stopping::quoted).collect(Collectors.joining(" ", "mdnf ", ""));
    }

    static String quoted(String word) {
        return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Waits, while the program ends, until the command has saved what it will. */
    static void await() {
        if (last != null) {
            last.awaitEnd();
        }
    }

    /** Whether a signal ended the program and that was told: what fails thereafter is no news. */
    static boolean isTold() {
        return last != null && last.told;
    }

    @Override
    public boolean wantsStop() {
        return asked;
    }

    /** The work is done: nothing is left to save. */
    void complete() {
        complete = true;
    }

    private void stop() {
        asked = true;
        boolean quiet = awaitEnd();
        if (!complete) {
            told = true;
            Terminal.leave();
            // work that goes on may have left a bar at the end of the line
            err.println((quiet || !Terminal.isStderr() ? "" : System.lineSeparator()) + sentence.get());
            err.flush();
        }
    }

    /** What takes longer has saved what it could before. */
    private boolean awaitEnd() {
        try {
            return ended.await(patience, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        if (!asked) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the signal came just now: the hook runs and waits for what follows
                asked = true;
            }
        }
        ended.countDown();
    }
}
