package io.mdnf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvTableTest {
    @TempDir
    private Path folder;

    @Test
    void wordsAreQuotedAndNumbersReadBackAsTheSameNumber() throws IOException {
        Path file = folder.resolve("new/kl.csv");
        new CsvTable("case", "tau", "kl").row("Sachs, \"L\"", 10, 0.1 + 0.2).row("π", 1L, null).write(file);
        // 0.1 + 0.2 is not 0.3 in double.
        assertThat(Files.readString(file)).isEqualTo(
                "case,tau,kl\n\"Sachs, \"\"L\"\"\",10,0.30000000000000004\nπ,1,\n");
    }

    @Test
    void anExistingFileIsReplacedAndNothingElseIsLeft() throws IOException {
        Path file = folder.resolve("kl.csv");
        new CsvTable("a").row(1).write(file);
        new CsvTable("a").row(2).write(file);
        assertThat(Files.readString(file)).isEqualTo("a\n2\n");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void aRowOfTheWrongLengthIsRefused() {
        assertThatThrownBy(() -> new CsvTable("a", "b").row(1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 cells [1] for the 2 columns [a, b]");
    }
}
