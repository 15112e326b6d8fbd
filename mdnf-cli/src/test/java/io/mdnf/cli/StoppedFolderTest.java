package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that is stopped early said that it was saved, and left empty folders. */
class StoppedFolderTest {

    @Test
    void onlyACheckpointIsSaidToBeSaved(@TempDir Path folder) throws IOException {
        assertThat(Stopping.isSaved(folder.resolve("absent"))).isFalse();
        Path checkpoints = Files.createDirectories(folder.resolve("checkpoints").resolve("joint"));
        Files.writeString(folder.resolve("manifest.json"), "{}");
        assertThat(Stopping.isSaved(folder)).isFalse();
        Files.writeString(checkpoints.resolve("step-100.mdnf"), "");
        assertThat(Stopping.isSaved(folder)).isTrue();
    }
}
