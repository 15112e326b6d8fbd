package io.mdnf.report;

import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * How much of a task is done, how fast it goes and what is left, in words: one text for bars and lines.
 *
 * <p>Speed is measured from the first report on, if that comes soon: starting up is not work, and what a resumed run
 * reports first was done before.
 */
final class Gauge {
    /** How much must be done before the time left is told: the first steps are slow. */
    private static final double LEAST_SHARE = 0.05;
    /** A first report that takes longer, in nanoseconds, is of work that was done meanwhile. */
    private static final long SOON = 10_000_000_000L;

    private final long total;
    private final String unit;
    private final LongSupplier nanoTime;
    private final long start;
    private long since;
    private long before;
    private boolean reported;
    private long done;
    private double elbo = Double.NaN;

    Gauge(long total, String unit, LongSupplier nanoTime) {
        this.total = total;
        this.unit = unit;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.since = start;
    }

    synchronized void at(long now, double bound) {
        long time = nanoTime.getAsLong();
        if (!reported && time - start < SOON) {
            since = time;
            before = now;
        }
        reported = true;
        done = now;
        elbo = bound;
    }

    synchronized long done() {
        return done;
    }

    /** What is done, from 0 to 1. */
    synchronized double share() {
        return total > 0 ? Math.min(1, (double) done / total) : 1;
    }

    /** {@code ELBO about -3.1000, 20 images/s, 0:10 elapsed, 1:30 left}, as far as it is known. */
    synchronized String words() {
        long now = nanoTime.getAsLong();
        StringBuilder words = new StringBuilder();
        if (!Double.isNaN(elbo)) {
            words.append(String.format(Locale.ROOT, "ELBO about %.4f, ", elbo));
        }
        double speed = now > since ? (done - before) * 1e9 / (now - since) : 0;
        if (!unit.isEmpty()) {
            words.append(String.format(Locale.ROOT, "%.0f %s/s, ", speed, unit));
        }
        words.append(clock((now - start) / 1e9)).append(" elapsed");
        if (speed > 0 && done < total && done - before >= total * LEAST_SHARE) {
            words.append(", ").append(clock((total - done) / speed)).append(" left");
        }
        return words.toString();
    }

    private static String clock(double seconds) {
        long whole = Math.round(seconds);
        return whole < 3600 ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }
}
