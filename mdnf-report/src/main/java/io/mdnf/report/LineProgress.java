package io.mdnf.report;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/** A plain line every ten seconds and one at the end, for log files; nothing for work that ends sooner. */
final class LineProgress implements Progress {
    private static final long EVERY = 10_000_000_000L;

    private final String task;
    private final long total;
    private final Gauge gauge;
    private final PrintStream err;
    private final LongSupplier nanoTime;
    private final long start;
    private long printed;
    private long shown;

    LineProgress(String task, long total, String unit, PrintStream err, LongSupplier nanoTime) {
        this.task = task;
        this.total = total;
        this.gauge = new Gauge(total, unit, nanoTime);
        this.err = err;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.printed = start;
    }

    @Override
    public synchronized void at(long done, double elbo) {
        gauge.at(done, elbo);
        long now = nanoTime.getAsLong();
        if (now - printed >= EVERY) {
            printed = now;
            print();
        }
    }

    @Override
    public synchronized void close() {
        if (printed > start && gauge.done() != shown) {
            print();
        }
    }

    private void print() {
        shown = gauge.done();
        err.println(String.format(Locale.ROOT, "%s: %d of %d (%.0f %%), %s", task, shown, total, 100 * gauge.share(),
                gauge.words()));
        err.flush();
    }
}
