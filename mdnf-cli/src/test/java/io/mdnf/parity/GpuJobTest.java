package io.mdnf.parity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The job script of {@code examples/}, with a stand-in for the program: when it resumes, when it ends, and with what.
 */
@EnabledOnOs(OS.LINUX)
class GpuJobTest {
    @TempDir
    private Path folder;

    /** Notes its arguments in {@code calls}, makes a manifest and then does as told; the n-th call knows n. */
    private void program(String body) throws IOException {
        Path file = Files.writeString(folder.resolve("mdnf"), """
                #!/bin/sh
                echo "$*" >>"%s/calls"
                n=$(wc -l <"%s/calls")
                out=%s/run
                mkdir -p "$out/checkpoints"
                touch "$out/manifest.json"
                %s
                """.formatted(folder, folder, folder, body));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Process start(String... args) throws IOException {
        return startScript("gpu-job.sh", args);
    }

    private Process startScript(String script, String... args) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("bash", SourceTree.root().resolve("examples").resolve(script).toString()));
        command.addAll(List.of(args));
        ProcessBuilder job = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        job.environment().put("MDNF", folder.resolve("mdnf").toString());
        job.environment().put("MDNF_PAUSE", "0");
        return job.start();
    }

    private int run() throws Exception {
        Process job = start(folder.resolve("run").toString(), "--epochs", "3");
        assertThat(job.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return job.exitValue();
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls"));
    }

    @Test
    void afterACrashItResumes() throws Exception {
        program("[ $n -ge 3 ] || exit 134");
        assertThat(run()).isZero();
        String first = "vae train --epochs 3 --out " + folder.resolve("run");
        assertThat(calls()).containsExactly(first, first + " --resume", first + " --resume");
    }

    @Test
    void wrongUsageIsNotTriedAgain() throws Exception {
        program("exit 2");
        assertThat(run()).isEqualTo(2);
        assertThat(calls()).hasSize(1);
        assertThat(start("--epochs").waitFor()).isEqualTo(2);
        assertThat(folder.resolve("log")).content().contains("usage: gpu-job.sh DIR");
    }

    @Test
    void threeDeathsWithoutACheckpointAreEnoughButProgressBuysMore() throws Exception {
        // the second and the fourth call get further; the third and the fifth to sixth do not
        program("case $n in 2|4) touch \"$out/checkpoints/step-0000000$n.mdnf\" ;; esac; exit 1");
        assertThat(run()).isEqualTo(1);
        assertThat(calls()).hasSize(6);
        assertThat(folder.resolve("log")).content().contains("died 3 times without a new checkpoint");
    }

    @Test
    void severalSeedsAreJobsOfOneScriptWhichAllEndBeforeItDoes() throws Exception {
        program("case \"$*\" in *'--seed 2 --out'*) exit 2 ;; esac");
        Process runs = startScript("gpu-runs.sh", "3", folder.resolve("run").toString(), "--epochs", "3");
        assertThat(runs.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(runs.exitValue()).isEqualTo(2);
        assertThat(calls()).containsExactlyInAnyOrder(IntStream.rangeClosed(1, 3).mapToObj(seed ->
                "vae train --epochs 3 --seed " + seed + " --out " + folder.resolve("run/seed-" + seed))
                .toArray(String[]::new));
        assertThat(startScript("gpu-runs.sh", "none", "runs").waitFor()).isEqualTo(2);
        assertThat(folder.resolve("log")).content().contains("usage: gpu-runs.sh RUNS DIR");
    }

    @Test
    void aSignalIsHandedOnAndMeansComeAgain() throws Exception {
        program("trap 'sleep 0.3; touch \"" + folder.resolve("saved") + "\"; exit 143' TERM\n"
                + "touch \"" + folder.resolve("ready") + "\"; while :; do sleep 0.1; done");
        Process job = start(folder.resolve("run").toString());
        while (!Files.exists(folder.resolve("ready"))) {
            Thread.sleep(10);
        }
        job.destroy();
        assertThat(job.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(job.exitValue()).isEqualTo(75);
        assertThat(folder.resolve("saved")).exists();
        assertThat(calls()).hasSize(1);
        assertThat(Files.readString(folder.resolve("log"), StandardCharsets.UTF_8)).contains("stopped, state saved in");
    }
}
