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
    Progress SILENT = new Progress() {
        @Override
        public void at(long done, double elbo) { }

        @Override
        public void close() { }
    };

    /**
     * Says how far the work is; cheap enough for every step.
     *
     * @param done how much is done
     * @param elbo the current bound in nats; NaN when there is none
     */
    void at(long done, double elbo);

    @Override
    void close();

    /**
     * A bar where stderr is a terminal, otherwise a plain line every ten seconds, and nothing when quiet.
     *
     * @param task a few words
     * @param total how much there is to do
     * @param quiet whether to show nothing
     * @param err the program's stderr
     * @return the progress, begun
     */
    static Progress start(String task, long total, boolean quiet, PrintStream err) {
        return start(task, total, "", quiet, err);
    }

    /**
     * As {@link #start(String, long, boolean, PrintStream)}, also showing how many of what are done a second.
     *
     * @param task a few words
     * @param total how much there is to do
     * @param unit of what, in the plural; empty to show no speed
     * @param quiet whether to show nothing
     * @param err the program's stderr
     * @return the progress, begun
     */
    static Progress start(String task, long total, String unit, boolean quiet, PrintStream err) {
        if (quiet) {
            return SILENT;
        }
        return Terminal.isStderr() ? new BarProgress(task, total, unit, err)
                : new LineProgress(task, total, unit, err, System::nanoTime);
    }
}
