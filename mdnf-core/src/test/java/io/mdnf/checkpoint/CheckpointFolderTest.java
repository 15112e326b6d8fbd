package io.mdnf.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.file.AtomicFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointFolderTest {

    @TempDir
    private Path temporary;
    private Path path;

    @BeforeEach
    void choosePath() {
        path = temporary.resolve("run/checkpoints");
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    private static void damage(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
    }

    @Test
    void theLastThreeAreKept() throws IOException {
        CheckpointFolder folder = CheckpointFolder.open(path);
        assertThat(folder.latest()).isEmpty();
        for (long step : new long[] {0, 5, 1234, 100_000_000, 100_000_001}) {
            folder.save(Checkpoints.atStep(step));
        }
        assertThat(names(path)).containsExactly("step-00001234.mdnf", "step-100000000.mdnf", "step-100000001.mdnf");
        assertThat(folder.latest().orElseThrow().checkpoint().step()).isEqualTo(100_000_001);
        assertThat(folder.latest().orElseThrow().skipped()).isEmpty();
    }

    @Test
    void damagedOnesAreSkippedAndNamed() throws IOException {
        CheckpointFolder folder = CheckpointFolder.open(path);
        for (long step = 1; step <= 3; step++) {
            folder.save(Checkpoints.atStep(step));
        }
        damage(path.resolve("step-00000003.mdnf"));
        Files.write(path.resolve("step-00000002.mdnf"), new byte[10]);
        CheckpointFolder.Latest latest = folder.latest().orElseThrow();
        assertThat(latest.checkpoint().step()).isEqualTo(1);
        assertThat(latest.file()).hasFileName("step-00000001.mdnf");
        assertThat(latest.skipped()).hasSize(2);
        assertThat(latest.skipped().get(0)).hasMessageContaining("step-00000003.mdnf").hasMessageContaining("SHA-256");
        assertThat(latest.skipped().get(1)).hasMessageContaining("has 10 bytes");
    }

    /** Going on from step 10, step 15 must neither be shadowed by the damaged ones nor pruned in their favour. */
    @Test
    void aRunThatResumedBehindDamagedOnesIsSafe() throws IOException {
        CheckpointFolder folder = CheckpointFolder.open(path);
        for (long step : new long[] {10, 20, 30}) {
            folder.save(Checkpoints.atStep(step));
        }
        damage(path.resolve("step-00000020.mdnf"));
        damage(path.resolve("step-00000030.mdnf"));
        folder.save(Checkpoints.atStep(15));
        assertThat(names(path)).containsExactly("step-00000010.mdnf", "step-00000015.mdnf",
                "step-00000020.mdnf.refused", "step-00000030.mdnf.refused");
        assertThat(folder.latest().orElseThrow().checkpoint().step()).isEqualTo(15);
    }

    @Test
    void anotherRunsLaterCheckpointsAreNeverOverrun() throws IOException {
        CheckpointFolder folder = CheckpointFolder.open(path);
        folder.save(Checkpoints.atStep(50));
        assertThatThrownBy(() -> folder.save(Checkpoints.atStep(1))).isInstanceOf(StoredFileException.class)
                .hasMessageContaining("already holds step-00000050.mdnf, later than step 1");
        assertThat(names(path)).containsExactly("step-00000050.mdnf");
        folder.save(Checkpoints.atStep(50));
    }

    @Test
    void aFolderWithoutAnyGoodOneSaysSo() throws IOException {
        CheckpointFolder folder = CheckpointFolder.open(path);
        damage(folder.save(Checkpoints.atStep(1)));
        assertThatThrownBy(folder::latest).isInstanceOf(StoredFileException.class)
                .hasMessageContaining("none of its 1 checkpoints can be read");
    }

    /** The state of the disk right before the move, taken from inside the write. */
    @Test
    void aCrashBetweenWriteAndMoveLeavesTheOldOne() throws IOException {
        CheckpointFolder folder = CheckpointFolder.open(path);
        Path file = folder.save(Checkpoints.atStep(1));
        byte[] second = twin(Checkpoints.atStep(2));
        Path crashed = Files.createDirectory(temporary.resolve("crashed"));
        AtomicFiles.write(path.resolve("step-00000002.mdnf"), channel -> {
            AtomicFiles.writeFully(channel, ByteBuffer.wrap(second));
            for (String name : names(path)) {
                Files.copy(path.resolve(name), crashed.resolve(name));
            }
        });
        assertThat(names(crashed)).hasSize(2).anyMatch(n -> n.endsWith(AtomicFiles.TEMPORARY));
        assertThat(CheckpointFolder.look(crashed).latest().orElseThrow().checkpoint().step()).isEqualTo(1);
        assertThat(CheckpointFolder.open(crashed).latest().orElseThrow().checkpoint().step()).isEqualTo(1);
        assertThat(names(crashed)).containsExactly(file.getFileName().toString());
        assertThat(folder.latest().orElseThrow().checkpoint().step()).isEqualTo(2);
    }

    private byte[] twin(Checkpoint checkpoint) throws IOException {
        Path file = temporary.resolve("twin.mdnf");
        checkpoint.write(file);
        return Files.readAllBytes(file);
    }

    @Test
    void onlyStaleTemporariesOfCheckpointsAreSwept() throws IOException {
        Files.createDirectories(path);
        Files.createFile(path.resolve(".step-00000001.mdnf.abc.part"));
        Files.createFile(path.resolve(".other.part"));
        Files.createFile(path.resolve("notes.txt"));
        CheckpointFolder.open(path);
        assertThat(names(path)).containsExactly(".other.part", "notes.txt");
    }

    /** A file where the folder should be stops also those whom permissions do not. */
    @Test
    void aFolderThatCannotBeWrittenIsAClearError() throws IOException {
        Path blocked = Files.createFile(temporary.resolve("file"));
        assertThatThrownBy(() -> CheckpointFolder.open(blocked)).isExactlyInstanceOf(StoredFileException.class)
                .hasMessageContaining(blocked.toString()).hasMessageContaining("choose another run folder");
        Path inside = blocked.resolve("a.mdnf");
        assertThatThrownBy(() -> Checkpoints.atStep(1).write(inside))
                .isExactlyInstanceOf(StoredFileException.class).message()
                .startsWith(inside + ": cannot be written").contains("check that the folder exists")
                .doesNotContain("\n");
        Path nowhere = temporary.resolve("nowhere");
        assertThatThrownBy(() -> Checkpoints.atStep(1).write(nowhere.resolve("a.mdnf")))
                .hasMessageContaining("does not exist");
        assertThatThrownBy(() -> CheckpointFolder.look(nowhere).latest())
                .isExactlyInstanceOf(StoredFileException.class).hasMessageContaining("cannot be listed");
    }
}
