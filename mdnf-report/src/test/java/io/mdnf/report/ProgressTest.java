package io.mdnf.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private final AtomicLong seconds = new AtomicLong(1000);

    @Test
    void aLogFileGetsALineEveryTenSecondsAndOneAtTheEnd() {
        try (Progress progress = lines(100)) {
            for (int step = 1; step <= 25; step++) {
                seconds.incrementAndGet();
                progress.at(step, -3 - 1.0 / step);
            }
        }
        // 100 steps at one a second: after 10 s 90 are left.
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines()).containsExactly(
                "fit sachs: 10 of 100 (10 %), ELBO about -3.1000, 0:10 elapsed, 1:30 left",
                "fit sachs: 20 of 100 (20 %), ELBO about -3.0500, 0:20 elapsed, 1:20 left",
                "fit sachs: 25 of 100 (25 %), ELBO about -3.0400, 0:25 elapsed, 1:15 left");
    }

    /** The last line once came twice. */
    @Test
    void whatWasSaidIsNotSaidAgainAtTheEnd() {
        try (Progress progress = lines(10)) {
            seconds.addAndGet(20);
            progress.at(10, Double.NaN);
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines()).containsExactly(
                "fit sachs: 10 of 10 (100 %), 0:20 elapsed");
    }

    @Test
    void shortWorkLeavesNoLine() {
        try (Progress progress = lines(10)) {
            progress.at(10, -3);
        }
        assertThat(bytes.size()).isZero();
    }

    @Test
    void hoursAreShownAndAMissingBoundIsNot() {
        try (Progress progress = lines(3)) {
            seconds.addAndGet(3723);
            progress.at(1, Double.NaN);
            assertThat(bytes.toString(StandardCharsets.UTF_8).strip())
                    .isEqualTo("fit sachs: 1 of 3 (33 %), 1:02:03 elapsed, 2:04:06 left");
        }
    }

    @Test
    void aResumedRunIsNotFasterForWhatWasDoneBefore() {
        try (Progress progress = new LineProgress("train", 1000, "images", err,
                () -> seconds.get() * 1_000_000_000L)) {
            progress.at(500, Double.NaN);
            seconds.addAndGet(10);
            progress.at(600, Double.NaN);
            assertThat(bytes.toString(StandardCharsets.UTF_8).strip())
                    .isEqualTo("train: 600 of 1000 (60 %), 10 images/s, 0:10 elapsed, 0:40 left");
        }
    }

    @Test
    void quietShowsNothing() {
        try (Progress progress = Progress.start("fit sachs", 10, true, err)) {
            progress.at(10, -3);
        }
        assertThat(bytes.size()).isZero();
    }

    private BarProgress bar(String task, long total, String unit) {
        return new BarProgress(task, total, unit, err, 80, () -> seconds.get() * 1_000_000_000L);
    }

    @Test
    void theBarShowsTaskShareAndBound() {
        try (BarProgress progress = bar("fit sachs", 10, "")) {
            progress.at(0, Double.NaN);
            seconds.addAndGet(3);
            progress.at(5, -3.25);
            progress.at(5, Double.NaN);
            assertThat(progress.line(79)).isEqualTo(
                    "fit sachs  50 % [========         ] ELBO about -3.2500, 0:03 elapsed, 0:03 left");
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("fit sachs  50 % [===");
    }

    /** The bound, which matters most, was once cut off at the usual 80 columns, and everything but the bar at 60. */
    @Test
    void aNarrowTerminalLosesTheBarFirst() {
        try (BarProgress progress = bar("train mdnf", 180_000, "images")) {
            progress.at(256, Double.NaN);
            seconds.addAndGet(10);
            progress.at(100_256, -156.0130);
            String words = "train mdnf  55 % ELBO about -156.0130, 10000 images/s, 0:10 elapsed, 0:08 left";
            assertThat(progress.line(79)).isEqualTo(words + " ");
            assertThat(progress.line(60)).isEqualTo(words.substring(0, 60));
            assertThat(progress.line(90)).startsWith("train mdnf  55 % [=====    ] ELBO").hasSize(90);
        }
    }

    /** A resumed run was once ten times as fast as it is, and nearly done. */
    @Test
    void theBarOfAResumedRunIsNotFasterForWhatWasDoneBefore() {
        try (BarProgress progress = bar("train", 1000, "images")) {
            seconds.addAndGet(2); // reading data
            progress.at(500, Double.NaN);
            seconds.addAndGet(10);
            progress.at(600, Double.NaN);
            assertThat(progress.line(79)).startsWith("train  60 % [").endsWith("10 images/s, 0:12 elapsed, 0:40 left");
        }
    }

    /** The clock of a search that reports nothing once stood still. */
    @Test
    @Tag("slow")
    void theBarsClockMovesWhileNothingIsReported() throws InterruptedException {
        try (Progress progress = new BarProgress("fit sachs", 100, "", err, 80, System::nanoTime)) {
            progress.at(1, Double.NaN);
            Thread.sleep(2500);
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("0:01 elapsed", "0:02 elapsed")
                .doesNotContain(" left");
    }

    /** One part in 100 took 8 seconds of starting up: that says nothing about the other 99. */
    @Test
    void theTimeLeftIsToldOnceThereIsSomethingToTellItBy() {
        try (Progress progress = lines(100)) {
            seconds.addAndGet(10);
            progress.at(1, Double.NaN);
            seconds.addAndGet(10);
            progress.at(10, Double.NaN);
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines()).containsExactly(
                "fit sachs: 1 of 100 (1 %), 0:10 elapsed", "fit sachs: 10 of 100 (10 %), 0:20 elapsed, 3:00 left");
    }

    @Test
    void onlyTerminalsAreTerminals() {
        assertThat(Terminal.isTerminal(Path.of("/dev/pts/3"))).isTrue();
        assertThat(Terminal.isTerminal(Path.of("/dev/tty1"))).isTrue();
        assertThat(Terminal.isTerminal(Path.of("/dev/null"))).isFalse();
        assertThat(Terminal.isTerminal(Path.of("pipe:[1234]"))).isFalse();
        assertThat(Terminal.isTerminal(Path.of("/var/log/run.log"))).isFalse();
    }

    private Progress lines(long total) {
        return new LineProgress("fit sachs", total, "", err, () -> seconds.get() * 1_000_000_000L);
    }
}
