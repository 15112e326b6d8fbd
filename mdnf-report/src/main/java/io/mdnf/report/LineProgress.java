package io.mdnf.report;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/** A plain line every ten seconds and one at the end, for log files; nothing for work that ends sooner. */
final class LineProgress implements Progress {
    private static final long EVERY = 10_000_000_000L;
    private static final long AT_START = 100_000_000L;

    private final String task;
    private final long total;
    private final String unit;
    private final PrintStream err;
    private final LongSupplier nanoTime;
    private final long start;
    private long printed;
    private long done;
    private long shown;
    private long first = -1;
    private double elbo = Double.NaN;

    LineProgress(String task, long total, String unit, PrintStream err, LongSupplier nanoTime) {
        this.task = task;
        this.total = total;
        this.unit = unit;
        this.err = err;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.printed = start;
    }

    @Override
    public synchronized void at(long done, double elbo) {
        this.done = done;
        this.elbo = elbo;
        long now = nanoTime.getAsLong();
        if (first < 0) {
            // what is done at the very start was done by the run that is resumed
            first = now - start < AT_START ? done : 0;
        }
        if (now - printed >= EVERY) {
            printed = now;
            print(now);
        }
    }

    @Override
    public synchronized void close() {
        if (printed > start && done != shown) {
            print(nanoTime.getAsLong());
        }
    }

    private void print(long now) {
        double elapsed = (now - start) / 1e9;
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%s: %d of %d (%.0f %%)", task, done, total,
                total > 0 ? 100.0 * done / total : 100.0));
        if (!Double.isNaN(elbo)) {
            line.append(String.format(Locale.ROOT, ", ELBO about %.4f", elbo));
        }
        double speed = (done - first) / elapsed;
        if (!unit.isEmpty()) {
            line.append(String.format(Locale.ROOT, ", %.0f %s/s", speed, unit));
        }
        line.append(", ").append(clock(elapsed)).append(" elapsed");
        if (speed > 0 && done < total && done - first >= total * LEAST_SHARE) {
            line.append(", ").append(clock((total - done) / speed)).append(" left");
        }
        err.println(line);
        shown = done;
        err.flush();
    }

    private static String clock(double seconds) {
        long whole = Math.round(seconds);
        return whole < 3600 ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }
}
