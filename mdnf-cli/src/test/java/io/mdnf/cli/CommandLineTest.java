package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mdnf.graph.Backend;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a person or a program at the terminal can rely on: answers on stdout, problems in one line, exit codes. */
class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    @Test
    void versionIsFilledInByTheBuild() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).matches("mdnf \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void helpNamesCommandsExitCodesAndEnvironment() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("doctor", "Exit codes:", "MDNF_BACKEND", "OMP_NUM_THREADS", "README.md");
    }

    @Test
    void withoutACommandTheHelpIsShown() {
        assertThat(run()).isZero();
        assertThat(out.toString()).startsWith("Usage: mdnf");
    }

    @ParameterizedTest
    @CsvSource({
        "bn exact asia, 'works in one process; bn query --cases, reproduce and vae train work on a cluster'",
        "vae train --out x, add --shards 2 --average-every 25",
        "vae train --out x --average-every 5, 'at least 1, of --shards 2 or more'"})
    void whatAClusterHasNoWorkForIsRefusedBeforeItIsOpened(String command, String refusal) {
        Main.Cluster closed = master -> {
            throw new IllegalStateException("opened");
        };
        assertThat(Main.run(closed, new PrintWriter(out, true), new PrintWriter(err, true), command.split(" ")))
                .isEqualTo(2);
        assertThat(err.toString()).contains(refusal).hasLineCount(1);
    }

    @Test
    void aCommandsHelpDoesNotRepeatTheFirstPage() {
        assertThat(run("doctor", "--help")).isZero();
        assertThat(out.toString()).contains("--json").doesNotContain("Environment:");
    }

    @ParameterizedTest
    @CsvSource({
        "bnn,              mdnf: unknown command 'bnn': did you mean 'bn'? (see 'mdnf --help')",
        "bn fitt,          mdnf bn: unknown command 'fitt': did you mean 'fit'? (see 'mdnf bn --help')",
        "bn info asai,     mdnf: no network file and no built-in network 'asai' (did you mean 'asia'?)",
        "reproduce bn-tabel, mdnf: unknown experiment 'bn-tabel': did you mean 'bn-table'?",
        "reproduce qqqqqqq, mdnf: unknown experiment 'qqqqqqq' ('mdnf reproduce --list' shows all)",
        "docter,           mdnf: unknown command 'docter': did you mean 'doctor'? (see 'mdnf --help')",
        "qqqqqq,           mdnf: unknown command 'qqqqqq' (see 'mdnf --help')",
        "--jsno,           mdnf: unknown option '--jsno'",
        "doctor --jsno,    mdnf doctor: unknown option '--jsno': did you mean '--json'? (see 'mdnf doctor --help')",
        "doctor now,       mdnf doctor: unknown argument 'now' (see 'mdnf doctor --help')"})
    void wrongUsageIsOneLineAndExitsTwo(String commandLine, String line) {
        assertThat(run(commandLine.split(" "))).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(1).first().asString().startsWith(line);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void doctorFindsThisMachineReadyAndSaysOneJsonObject() throws IOException {
        int exitCode = run("doctor", "--json");

        JsonNode answer = new ObjectMapper().readTree(out.toString()); // fails on anything before the object
        assertThat(answer.get("ok").booleanValue()).as(answer.toString()).isTrue();
        assertThat(exitCode).isZero();
        assertThat(answer.get("checks").properties().stream().map(Map.Entry::getKey)).contains(
                "mdnf", "java", "nd4j", "backend", "processors", "memory", "cuda", "cache", "nativeCache");
        // the threads and the memory of arrays on the CPU; a GPU says its own
        boolean onCpu = answer.at("/checks/backend/value").asText().equals("CpuBackend");
        assertThat(answer.get("checks").has("blas")).isEqualTo(onCpu);
        assertThat(answer.at("/checks/nd4j/value").asText()).matches("1\\.0\\.0-.+");
    }

    @Test
    void doctorSaysWhatToDo() {
        List<Checkup.Check> checks = List.of(Checkup.Check.fine("java", "17"), Checkup.java(11));

        Doctor.print(new PrintWriter(out, true), checks);

        assertThat(out.toString().lines()).satisfiesExactly(
                line -> assertThat(line).startsWith("java  17").endsWith("ok"),
                line -> assertThat(line).startsWith("java  " + System.getProperty("java.version")).doesNotContain("ok"),
                line -> assertThat(line).startsWith("      -> install a JDK 17"));
        assertThat(Doctor.answer(checks)).containsEntry("ok", false);
    }

    @Test
    void aCacheIsUsableWhenItCanBeMadeAndIsNotMadeByAsking(@TempDir Path directory) throws IOException {
        assertThat(Checkup.usable(directory.resolve("a/b"))).isTrue();
        assertThat(directory.resolve("a")).doesNotExist();

        Files.writeString(directory.resolve("file"), "in the way");
        assertThat(Checkup.usable(directory.resolve("file/b"))).isFalse();
    }

    @Test
    void aCardThatNd4jHasNoCodeForIsRefusedInOneSentence() {
        Checkup.Check old = Checkup.cuda(List.of(new Backend.Device("Tesla T4", 16L << 30, 7, 5)));
        assertThat(old.value()).isEqualTo("Tesla T4 (16.0 GiB, compute capability 7.5)");
        assertThat(old.ok()).isTrue();
        for (int[] capability : new int[][] {{3, 5}, {9, 0}, {12, 0}}) {
            Checkup.Check refused =
                    Checkup.cuda(List.of(new Backend.Device("H100", 80L << 30, capability[0], capability[1])));
            assertThat(refused.advice()).startsWith("H100 cannot be used: ").contains("3.7 to 8.9")
                    .doesNotContain("\n");
        }
    }
}
