package io.mdnf.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFilesTest {

    @TempDir
    private Path folder;

    @Test
    void aFileIsReplacedWhole() throws IOException {
        Path file = folder.resolve("a");
        AtomicFiles.write(file, "old and longer".getBytes(StandardCharsets.UTF_8));
        AtomicFiles.write(file, "new".getBytes(StandardCharsets.UTF_8));
        assertThat(file).hasContent("new");
        assertThat(folder).isDirectoryNotContaining(f -> !f.equals(file));
    }

    @Test
    void aFailureLeavesTheOldFileAndNoTemporary() throws IOException {
        Path file = folder.resolve("a");
        AtomicFiles.write(file, "old".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> AtomicFiles.write(file, channel -> {
            AtomicFiles.writeFully(channel, ByteBuffer.wrap(new byte[100]));
            throw new IOException("No space left on device");
        })).isInstanceOf(IOException.class).hasMessage(file + " cannot be written: No space left on device");
        assertThat(file).hasContent("old");
        assertThat(folder).isDirectoryNotContaining(f -> !f.equals(file));
    }

    @Test
    void missingFoldersAreMadeOrNamed() throws IOException {
        Path file = folder.resolve("none/of/these/a");
        AtomicFiles.write(file, new byte[1]);
        assertThat(file).hasSize(1);
        Path below = file.resolve("b");
        assertThatThrownBy(() -> AtomicFiles.write(below, new byte[1])).isInstanceOf(IOException.class)
                .hasMessageStartingWith(below + " cannot be written: ");
    }
}
