package io.mdnf.report;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import me.tongfei.progressbar.ProgressState;

/** A bar that is redrawn in place, with ELBO and the time left. */
final class BarProgress implements Progress {
    private final ProgressBar bar;
    private double shown = Double.NaN;

    BarProgress(String task, long total, String unit, PrintStream err) {
        ProgressBarBuilder builder = new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(total)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                // the clock moves also while nothing is reported
                .continuousUpdate()
                .setEtaFunction(BarProgress::left)
                // with a width of its own it never asks JLine, whose terminal would take Ctrl-C away from the program
                .setConsumer(new ConsoleProgressBarConsumer(err, Terminal.width()));
        if (!unit.isEmpty()) {
            builder.setUnit(" " + unit, 1).showSpeed();
        }
        this.bar = builder.build();
    }

    /** The time left, once there is something to tell it by. */
    private static Optional<Duration> left(ProgressState state) {
        long done = state.getCurrent() - state.getStart();
        long all = state.getMax() - state.getStart();
        return done < all * LEAST_SHARE ? Optional.empty()
                : Optional.of(state.getElapsedAfterStart().multipliedBy(all - done).dividedBy(done));
    }

    @Override
    public void at(long done, double elbo) {
        bar.stepTo(done);
        if (elbo != shown && !Double.isNaN(elbo)) {
            shown = elbo;
            bar.setExtraMessage(String.format(Locale.ROOT, " ELBO about %.4f", elbo));
        }
    }

    @Override
    public void close() {
        bar.close();
    }
}
