package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs that read the benches rely on; how fast they are is not a matter of a test. */
class BenchTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String commandLine) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), commandLine.split(" "));
    }

    private JsonNode answer(String commandLine) throws IOException {
        assertThat(run(commandLine)).as(err.toString()).isZero();
        return new ObjectMapper().readTree(out.toString()); // fails on anything before the object
    }

    @Test
    @Tag("slow")
    void planAgreesWithTheSession() throws IOException {
        JsonNode answer = answer("bench plan --json --seconds 0.2");

        // in float, of a loss and gradients below 10
        assertThat(answer.get("maxDifference").doubleValue()).isBetween(0.0, 1e-5);
        assertThat(answer.get("planMsPerStep").doubleValue()).isPositive();
        assertThat(answer.get("ratio").doubleValue()).isCloseTo(
                answer.get("sessionMsPerStep").doubleValue() / answer.get("planMsPerStep").doubleValue(),
                withinPercentage(1e-6));
    }

    @ParameterizedTest
    @CsvSource({"bench sachs, 10, 3, 40", "bench hepar --components 2, 69, 4, 2"})
    @Tag("slow")
    void trainingStepsAreTimedOnTheWorkloadTheyName(String command, int variables, int width, int components)
            throws IOException {
        JsonNode answer = answer(command + " --json --seconds 0.2");

        assertThat(answer.get("stepsPerSecond").doubleValue()).isPositive();
        assertThat(answer.get("cpuMsPerStep").doubleValue()).isPositive();
        assertThat(answer.get("variables").intValue()).isEqualTo(variables);
        assertThat(answer.get("width").intValue()).isEqualTo(width);
        assertThat(answer.get("components").intValue()).isEqualTo(components);
        // a bound lies below log p(D) <= 0, so its negative is above 0
        assertThat(answer.get("loss").doubleValue()).isPositive();
    }

    @Test
    void lineHasTheFormOtherBenchmarkProgramsPrint() {
        assertThat(run("bench sachs --line --seconds 0.2")).as(err.toString()).isZero();
        assertThat(out.toString()).matches("mdnf sachs\\S* steps_per_s=[0-9.]+ best_block=[0-9.]+"
                + " cpu_ms_per_step=[0-9.]+ threads=[0-9]+ blocks=[0-9]+x[0-9]+ loss=[0-9.]+ heap_mb=[0-9]+\\R");
    }

    @Test
    @Tag("slow")
    void noFitIsBetterThanItsFamilyCanBe() throws IOException {
        JsonNode answer = answer(
                "bench families --only equal-atoms --seeds 2 --variables 3 --categories 3 --json --quiet");

        assertThat(answer.get("seeds").intValue()).isEqualTo(2);
        assertThat(answer.get("families")).hasSize(2).allSatisfy(row -> {
            assertThat(row.get("family").textValue()).isEqualTo("equal-atoms");
            // 1e-9 for rounding: the optimum is exact, so no gap is negative
            assertThat(row.get("medianGap").doubleValue()).isGreaterThan(-1e-9);
            assertThat(row.get("p95Gap").doubleValue()).isGreaterThanOrEqualTo(row.get("medianGap").doubleValue());
            assertThat(row.get("maxGap").doubleValue()).isGreaterThanOrEqualTo(row.get("p95Gap").doubleValue());
            assertThat(row.get("seconds").doubleValue()).isPositive();
        });
    }

    @Test
    @Tag("slow")
    void killedRunsResumeToTheSameParameters() throws IOException {
        JsonNode answer = answer("bench kill --times 1 --quiet --json");

        assertThat(answer.get("same").intValue()).as(answer.toString()).isEqualTo(1);
        assertThat(answer.get("problems")).isEmpty();
    }

    @Test
    @Tag("slow")
    void soundnessIsOneLineOfCounts() {
        assertThat(run("bench soundness --networks 1 --seed 3 --threads 1 --quiet")).as(out.toString()).isZero();
        assertThat(out.toString()).matches("1 networks from seed 3, \\d+ fits: 0 bounds above the truth, 0 sums other"
                + " than 1, 0 with impossible samples, 0 exceptions; without a finite bound, as they say: \\{.*},"
                + " \\d+ of them with impossible samples\\R");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plan", "sachs", "hepar", "families", "soundness", "kill"})
    void everyBenchExplainsItself(String name) {
        assertThat(run("bench " + name + " --help")).isZero();
        assertThat(out.toString()).contains("--json", "--seed");
    }

    @ParameterizedTest
    @CsvSource({
        "bench sachs --seconds 0,           --seconds 0.0: a number above 0",
        "bench plan --seconds -1,           --seconds -1.0: a number above 0",
        "bench hepar --components 0,        --components 0: 1 to 1000 are possible",
        "bench families --only atoms,       --only atoms: expected one of equal-atoms",
        "bench families --seeds 0,          --seeds 0",
        "bench soundness --networks 0,      --networks 0: at least 1 is needed",
        "bench kill --times 0,              --times 0: at least 1 is needed"})
    void wrongSettingsAreRefusedInOneLine(String commandLine, String sentence) {
        assertThat(run(commandLine)).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(1).first().asString().contains(sentence);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    @Tag("slow")
    void peersAreMedianTimesOfAllRoundsAndWhatCannotRunSaysSo(@TempDir Path folder) throws IOException {
        // each call of a peer is slower than the one before: the median of three is the second
        Path peer = Files.writeString(folder.resolve("peer.py"), """
                #!/bin/sh
                case $1 in
                  floor-w3) echo 'C B1S100 steps_per_s=1'; echo 'C B20S100 steps_per_s=500 cpu_ms_per_step=2.0'
                    echo 'C B40S100 steps_per_s=1' ;;
                  torch-w3-custom-b20) echo >>"$0.calls"; echo "t steps_per_s=$((400 / $(wc -l <"$0.calls")))" ;;
                  *) echo "no $1 here"; exit 1 ;;
                esac
                """);
        assertThat(peer.toFile().setExecutable(true)).isTrue();
        JsonNode answer = answer("bench peers " + folder + " --only hepar --seconds 0.1 --rounds 3 --quiet --json");

        assertThat(answer.get("programs")).extracting(row -> row.get("program").textValue())
                .containsExactly("plain C", "PyTorch, backward by hand", "PyTorch", "MDNF");
        assertThat(answer.at("/programs/0/ms").doubleValue()).isEqualTo(2);
        assertThat(answer.at("/programs/1/ms").doubleValue()).isEqualTo(5);
        assertThat(answer.at("/programs/2/problem").textValue()).isEqualTo("no torch-w3-autograd-b20 here");
        assertThat(answer.at("/programs/3/ms").doubleValue()).isPositive();
        assertThat(answer.at("/programs/3/heapMb").doubleValue()).isPositive();
    }

    @Test
    void foldersWithoutPeersAreRefused(@TempDir Path folder) {
        assertThat(run("bench peers " + folder)).isEqualTo(2);
        assertThat(err.toString()).contains("there is no peer.py");
    }
}
