package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees of a fit in a terminal: shares that rise within a family, and a clock that moves. */
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class ProgressInTerminalTest {

    private static final Pattern FRAME = Pattern.compile("fit sachs +(\\d+) % [^\r]*?(\\d+):(\\d\\d) elapsed");

    @TempDir
    private Path folder;

    @Test
    void sharesRiseWithinAFamilyAndTheClockMoves() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "no script(1) to open a terminal with");
        String command = Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                "io.mdnf.cli.Main", "bn", "fit", "sachs", "--family", "autoregressive", "--steps",
                "500", "--components", "10", "--no-refine")
                .map(Stopping::quoted).collect(Collectors.joining(" "));
        Path seen = folder.resolve("seen");
        Process terminal = new ProcessBuilder("script", "-qfec", command, "/dev/null").redirectErrorStream(true)
                .redirectOutput(seen.toFile()).start();
        assertThat(terminal.waitFor(120, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(seen);
        assertThat(terminal.exitValue()).as(text).isZero();
        List<MatchResult> frames = FRAME.matcher(text).results().toList();
        List<Integer> shares = frames.stream().map(frame -> Integer.parseInt(frame.group(1))).toList();
        assertThat(shares).isSorted().endsWith(100);
        // one family: a count of families shows 0 and 100
        assertThat(shares.stream().distinct().filter(share -> share > 0 && share < 100).count()).isGreaterThan(3);
        List<Integer> clock = frames.stream()
                .map(frame -> 60 * Integer.parseInt(frame.group(2)) + Integer.parseInt(frame.group(3))).toList();
        // redrawn five times a second, so no second is skipped unless the machine stands still
        assertThat(IntStream.range(1, clock.size()).map(i -> clock.get(i) - clock.get(i - 1)).max().orElseThrow())
                .isBetween(1, 3);
    }
}
