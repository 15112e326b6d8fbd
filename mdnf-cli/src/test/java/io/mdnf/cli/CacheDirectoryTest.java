package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheDirectoryTest {
    @TempDir
    private Path directory;

    @Test
    void followsTheXdgStandard() {
        Path home = directory.resolve("home");
        assertThat(CacheDirectory.of(directory.toString(), home)).isEqualTo(directory.resolve("mdnf"));
        assertThat(CacheDirectory.of(null, home)).isEqualTo(home.resolve(".cache/mdnf"));
        assertThat(CacheDirectory.of("relative", home)).isEqualTo(home.resolve(".cache/mdnf"));
    }

    @Test
    void isUsableWhenItCanBeMadeAndIsNotMadeByAsking() throws IOException {
        assertThat(CacheDirectory.usable(directory.resolve("a/b"))).isTrue();
        assertThat(directory.resolve("a")).doesNotExist();

        Files.writeString(directory.resolve("file"), "in the way");
        assertThat(CacheDirectory.usable(directory.resolve("file/b"))).isFalse();
    }
}
