package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.parity.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code examples/mnist-vae.sh} in a tree of its own, with a stand-in for {@code mdnf} that notes its calls: what is
 * tested is which steps are made, and which are not made again.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "a script of sh")
class MnistVaeScriptTest {

    private static final List<String> LATER = List.of("evaluate", "sample", "reconstruct");

    @TempDir
    private Path directory;
    private Path script;
    private Path run;

    /** What a call came to: its exit code, and the calls of mdnf, each as its arguments. */
    private record Outcome(int exitCode, String out, String err, List<String> calls) {

        List<String> commands() {
            return calls.stream().map(call -> call.split(" ")[1]).toList();
        }
    }

    @BeforeEach
    void growATree() throws IOException {
        Path tree = directory.resolve("a tree"); // a blank, as in many people's paths
        script = tree.resolve("examples/mnist-vae.sh");
        run = directory.resolve("my out/run");
        Files.createDirectories(script.getParent());
        Files.copy(SourceTree.root().resolve("examples/mnist-vae.sh"), script);
        // a training that does what the first word of the file "behaviour" says
        Path mdnf = tree.resolve("mdnf");
        Files.writeString(mdnf, """
                #!/bin/sh
                set -eu
                echo "$*, backend ${MDNF_BACKEND:-default}" >>"$CALLS"
                command=$2
                out=
                epochs=
                while [ $# -gt 1 ]; do
                  case $1 in --out) out=$2 ;; --epochs) epochs=$2 ;; esac
                  shift
                done
                case $command in
                  train)
                    mkdir -p "$out"
                    : >"$out/manifest.json"
                    read -r behaviour <"$BEHAVIOUR"
                    case $behaviour in
                      fails) exit 1 ;;
                      refuses) exit 2 ;;
                      hangs) trap 'echo saved >>"$CALLS"; exit 143' TERM; : >"$BEHAVIOUR.hangs"
                        while :; do sleep 0.1; done ;;
                    esac
                    echo "{ \\"epochs\\" : $epochs, \\"steps\\" : 7 }" >"$out/result.json" ;;
                  evaluate) echo "ELBO  -1" ;;
                  *) echo picture >"$out" ;;
                esac
                """);
        for (Path program : List.of(script, mdnf)) {
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        behaviour("works");
    }

    private void behaviour(String word) throws IOException {
        Files.writeString(directory.resolve("behaviour"), word + "\n");
    }

    private Process start(String... args) throws IOException {
        Files.deleteIfExists(directory.resolve("calls"));
        List<String> command = new ArrayList<>(List.of(script.toString(), "--out", "my out"));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile())
                .redirectOutput(directory.resolve("stdout").toFile())
                .redirectError(directory.resolve("stderr").toFile());
        builder.environment().remove("MDNF_BACKEND");
        builder.environment().put("CALLS", directory.resolve("calls").toString());
        builder.environment().put("BEHAVIOUR", directory.resolve("behaviour").toString());
        return builder.start();
    }

    private Outcome end(Process process) throws IOException, InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        Path calls = directory.resolve("calls");
        return new Outcome(process.exitValue(), Files.readString(directory.resolve("stdout")),
                Files.readString(directory.resolve("stderr")),
                Files.exists(calls) ? Files.readAllLines(calls) : List.of());
    }

    private Outcome call(String... args) throws IOException, InterruptedException {
        return end(start(args));
    }

    /** An hour ago, so that what comes later is surely newer, however coarse the file system's clock. */
    private void trainingIsOld() throws IOException {
        Files.setLastModifiedTime(run.resolve("result.json"), FileTime.from(Instant.now().minusSeconds(3600)));
    }

    @Test
    void allStepsAreMadeOnce() throws IOException, InterruptedException {
        Outcome first = call("--epochs", "2", "--limit", "30", "--", "--latents", "3");
        assertThat(first.exitCode()).isZero();
        assertThat(first.commands()).containsExactly("train", "evaluate", "sample", "reconstruct");
        assertThat(first.calls().get(0)).isEqualTo("vae train --epochs 2 --seed 1 --out my out/run --limit 30"
                + " --latents 3, backend default");
        assertThat(first.calls().get(1)).contains("--importance 100", "--limit 30");
        assertThat(first.out()).contains("ELBO  -1", "my out/run/report.html");
        trainingIsOld();
        Outcome second = call("--epochs", "2", "--limit", "30", "--", "--latents", "3");
        assertThat(second.exitCode()).isZero();
        assertThat(second.calls()).isEmpty();
        assertThat(second.out()).isEqualTo(first.out());
    }

    @Test
    void aFailedTrainingIsResumed() throws IOException, InterruptedException {
        behaviour("fails");
        Outcome failed = call();
        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.commands()).containsExactly("train");
        assertThat(failed.err()).contains("failed with exit code 1", "call again");
        behaviour("works");
        Outcome again = call();
        assertThat(again.exitCode()).isZero();
        assertThat(again.calls().get(0)).contains("--resume");
        assertThat(again.commands()).endsWith(LATER.toArray(String[]::new));
    }

    @Test
    void moreEpochsTrainOnAndMakeTheRestAgain() throws IOException, InterruptedException {
        call("--epochs", "2");
        for (String made : List.of("evaluation.txt", "samples.png", "reconstructions.png")) {
            Files.setLastModifiedTime(run.resolveSibling(made), FileTime.from(Instant.now().minusSeconds(3600)));
        }
        Outcome more = call("--epochs", "3");
        assertThat(more.calls().get(0)).contains("--resume", "--epochs 3");
        assertThat(more.commands()).endsWith(LATER.toArray(String[]::new));
    }

    @Test
    void oneFlagChoosesTheGpu() throws IOException, InterruptedException {
        assertThat(call("--gpu").calls()).hasSize(4).allMatch(call -> call.endsWith("backend cuda"));
    }

    @Test
    void aSignalReachesTheTraining() throws IOException, InterruptedException {
        behaviour("hangs");
        Process process = start();
        Path hangs = directory.resolve("behaviour.hangs");
        for (int i = 0; i < 600 && Files.notExists(hangs); i++) {
            Thread.sleep(100);
        }
        process.destroy();
        Outcome stopped = end(process);
        assertThat(stopped.exitCode()).isEqualTo(143);
        assertThat(stopped.calls()).contains("saved");
        assertThat(stopped.err()).contains("call again to go on");
    }

    @Test
    void wrongUsageIsOneSentence() throws IOException, InterruptedException {
        for (String[] wrong : List.of(new String[] {"--epochs", "none"}, new String[] {"--limit"},
                new String[] {"--gpus"})) {
            Outcome refused = call(wrong);
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err()).contains(wrong[0]).hasLineCount(1);
            assertThat(refused.calls()).isEmpty();
        }
        behaviour("refuses");
        assertThat(call().exitCode()).isEqualTo(2);
        assertThat(call("--help").out()).contains("Exit codes");
    }
}
