package io.mdnf.report;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** A bar that is redrawn in place, with ELBO and the time left; where the terminal is narrow these without a bar. */
final class BarProgress implements Progress {
    private static final int LEAST_BAR = 5;

    private final String task;
    private final Gauge gauge;
    private final ProgressBar bar;
    private double shown = Double.NaN;

    BarProgress(String task, long total, String unit, PrintStream err, int width, LongSupplier nanoTime) {
        this.task = task;
        this.gauge = new Gauge(total, unit, nanoTime);
        this.bar = new ProgressBarBuilder()
                .setUpdateIntervalMillis(200)
                // the clock moves also while nothing is reported
                .continuousUpdate()
                .setRenderer((state, columns) -> line(columns - 1))
                // with a width of its own it never asks JLine, whose terminal would take Ctrl-C away from the program
                .setConsumer(new ConsoleProgressBarConsumer(err, width) {
                    @Override
                    public void accept(String line) {
                        if (!Terminal.isLeft()) {
                            super.accept(line);
                        }
                    }
                })
                .build();
    }

    /** What is shown, as wide as it may be, so that nothing of a longer line stays behind it. */
    String line(int columns) {
        double share = gauge.share();
        String front = String.format(Locale.ROOT, "%s %3d %% ", task, (int) (100 * share));
        String words = gauge.words();
        int length = columns - front.length() - words.length() - "[] ".length();
        int full = (int) (share * length);
        String drawn = length < LEAST_BAR ? "" : "[" + "=".repeat(full) + " ".repeat(length - full) + "] ";
        String line = front + drawn + words;
        return line.length() > columns ? line.substring(0, Math.max(0, columns))
                : line + " ".repeat(columns - line.length());
    }

    @Override
    public void at(long done, double elbo) {
        // a bound once known stays shown
        shown = Double.isNaN(elbo) ? shown : elbo;
        gauge.at(done, shown);
    }

    @Override
    public void close() {
        bar.close();
    }
}
