package io.mdnf.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunManifestTest {

    @TempDir
    private Path folder;

    private RunManifest manifest() throws IOException {
        Path input = Files.writeString(folder.resolve("abc.txt"), "abc");
        return RunManifest.started("fit",
                Map.of("B", "40", "rate", "1.0E-4", "half", "0.50", "zip", "007", "name", "asia"), 1,
                List.of(RunManifest.Input.of(input), RunManifest.Input.of("built-in", new byte[0])),
                Map.of("mdnf", "0.1.0", "java", "17", "nd4j", "1.0.0-M2.1"), "cpu");
    }

    @Test
    void aManifestComesBackAsItWas() throws IOException {
        RunManifest running = manifest();
        running.write(folder);
        assertThat(RunManifest.read(folder)).isEqualTo(running);
        RunManifest failed = running.ended(RunManifest.Status.FAILED, "loss is NaN at step 3");
        failed.write(folder);
        assertThat(RunManifest.read(folder)).isEqualTo(failed);
        assertThat(failed.resumed()).isEqualTo(running);
        String json = Files.readString(folder.resolve(RunManifest.NAME));
        assertThat(json).contains("\"status\" : \"FAILED\"", "\"nd4j\" : \"1.0.0-M2.1\"", "\"seed\" : 1")
                .contains("\"B\" : 40", "\"rate\" : 1.0E-4", "\"half\" : \"0.50\"", "\"zip\" : \"007\"");
    }

    /** The published SHA-256 test vectors of "abc" and of nothing. */
    @Test
    void inputsCarryTheirHash() throws IOException {
        List<RunManifest.Input> inputs = manifest().inputs();
        assertThat(inputs.get(0).sha256())
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(inputs.get(0).bytes()).isEqualTo(3);
        assertThat(inputs.get(1).sha256())
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    @Test
    void whatIsNotAManifestIsRefusedInOneLine() throws IOException {
        Path file = folder.resolve(RunManifest.NAME);
        assertThatThrownBy(() -> RunManifest.read(folder)).isInstanceOf(IOException.class)
                .hasMessageContaining("does not exist");
        manifest().write(folder);
        String json = Files.readString(file);
        for (String bad : List.of("", "null", "{}", "[1]", json.replace("mdnf-run-1", "mdnf-run-9"),
                json.replace("RUNNING", "WALKING"), json.replace("RUNNING", "FINISHED"),
                json.replaceFirst("\"started\" : \"", "\"started\" : \"x"))) {
            Files.write(file, bad.getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> RunManifest.read(folder)).isInstanceOf(IOException.class)
                    .message().contains(file.toString()).doesNotContain("\n");
        }
    }

    @Test
    void onlyARunningRunHasNoEnd() throws IOException {
        RunManifest m = manifest();
        assertThat(m.ended()).isEqualTo(Optional.empty());
        assertThatThrownBy(() -> m.ended(RunManifest.Status.RUNNING, "")).hasMessageContaining("status = RUNNING");
    }
}
