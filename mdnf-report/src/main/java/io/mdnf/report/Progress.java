package io.mdnf.report;

import java.io.PrintStream;

/**
 * Shows on stderr how far a command is. Close it when the work ends, also when it fails.
 *
 * <pre>{@code
 * try (Progress progress = Progress.start("fit sachs", steps, quiet, System.err)) {
 *     for (long step = 1; step <= steps; step++) {
 *         progress.at(step, elbo);
 *     }
 * }
 * }</pre>
 */
public interface Progress extends AutoCloseable {

    /** Shows nothing. */
    Progress SILENT = (done, elbo) -> { };

    /** Says how much is done, and the current bound in nats, often an estimate, or NaN; cheap enough for every step. */
    void at(long done, double elbo);

    @Override
    default void close() { }

    /** A bar where stderr is a terminal, otherwise a plain line every ten seconds, and nothing when quiet. */
    static Progress start(String task, long total, boolean quiet, PrintStream err) {
        return start(task, total, "", quiet, err);
    }

    /** As {@link #start(String, long, boolean, PrintStream)}, also showing how many of what, in the plural, are done a
     * second; an empty unit shows no speed. */
    static Progress start(String task, long total, String unit, boolean quiet, PrintStream err) {
        if (quiet) {
            return SILENT;
        }
        return Terminal.isStderr()
                ? new BarProgress(task, total, unit, err, Terminal.width(), System::nanoTime)
                : new LineProgress(task, total, unit, err, System::nanoTime);
    }
}
