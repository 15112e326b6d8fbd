package io.mdnf.gmm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.file.InvalidFileException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GaussianMixtureDataTest {
    @TempDir
    private Path folder;

    @Test
    void headerIsDetected() throws IOException {
        GaussianMixtureData with = read("height,weight\n1,2.5\n-3e2,.4\n");
        assertThat(with.columns()).containsExactly("height", "weight");
        assertThat(with.toArray()).isDeepEqualTo(new double[][] {{1, 2.5}, {-300, 0.4}});
        GaussianMixtureData without = read("1,2.5\r\n-3e2,.4");
        assertThat(without.columns()).containsExactly("column 1", "column 2");
        assertThat(without.toArray()).isDeepEqualTo(with.toArray());
    }

    @Test
    void gzipIsToldByContent() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write("a,b\n1,2\n".getBytes(StandardCharsets.UTF_8));
        }
        Path file = Files.write(folder.resolve("no-suffix"), bytes.toByteArray());
        assertThat(GaussianMixtureData.readCsv(file).toArray()).isDeepEqualTo(new double[][] {{1, 2}});
        Path cut = Files.write(folder.resolve("cut.gz"), Arrays.copyOf(bytes.toByteArray(), bytes.size() - 9));
        assertThatThrownBy(() -> GaussianMixtureData.readCsv(cut)).isInstanceOf(InvalidFileException.class)
                .hasMessageContaining("cut.gz: the gzip data are damaged or cut short");
    }

    @Test
    void quotesSpacesByteOrderMarkAndTrailingLinesAreTolerated() throws IOException {
        GaussianMixtureData data = read("\uFEFF\"a, left\", b\n\"1\", 2 \n3,4\n\n\n");
        assertThat(data.columns()).containsExactly("a, left", "b");
        assertThat(data.toArray()).isDeepEqualTo(new double[][] {{1, 2}, {3, 4}});
        assertThat(read("\uFEFF1,2\n3,4\n").size()).isEqualTo(2);
    }

    @Test
    void aCommaAtTheEndOfEveryLineIsNoColumn() throws IOException {
        assertThat(read("a,b,\n1,2,\n3,4,\n").columns()).containsExactly("a", "b");
        assertThatThrownBy(() -> read("a,b,\n1,2,\n3,4,5\n"))
                .hasMessageContaining("row 2, column 3: the cell is missing");
    }

    @Test
    void columnsCanBeIgnoredByNameOrNumber() throws IOException {
        String text = "User,a,b\nUser 1,1,2\nUser 2,3,4\n";
        assertThat(read(text, "User").toArray()).isDeepEqualTo(new double[][] {{1, 2}, {3, 4}});
        assertThat(read(text, "1", "b").columns()).containsExactly("a");
        assertThat(read("User 1,1,2\nUser 2,3,4\n", "1").columns()).containsExactly("column 2", "column 3");
        assertThatThrownBy(() -> read(text, "Usr")).hasMessageContaining("there is no column Usr to ignore");
        assertThatThrownBy(() -> read(text, "1", "2", "3")).hasMessageContaining("no column is left");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "a,b;1,2;3,x         | row 3, column 2 (b): 'x' is not a finite number",
        "a,b;1,2;,4          | row 3, column 1 (a): the cell is missing",
        "1,2;3,              | row 2, column 2: the cell is missing",
        "1,2;3,NaN           | row 2, column 2: 'NaN' is not a finite number",
        "1,2;3,1e999         | row 2, column 2: '1e999' is not a finite number",
        "1,2;3,0x1p3         | row 2, column 2: '0x1p3' is not a finite number",
        "1,2;3,4f            | row 2, column 2: '4f' is not a finite number",
        "NaN,NaN;3,4         | row 1, column 1: 'NaN' is not a finite number",
        "id,7;3,4            | row 1, column 1: 'id' is not a finite number",
        "1,2;3;4,5           | row 2 has 1 cells; row 1 has 2",
        "1,2;;4,5            | row 2 has 1 cells; row 1 has 2; remove the empty line",
        "1,2;3,4,5           | row 2 has 3 cells; row 1 has 2",
        "a,b                 | there is a header but no row of numbers",
        "1,2;3,\"4           | row 2 is not valid CSV",
    })
    void badCellsAreRefusedWithRowAndColumn(String lines, String message) {
        assertThatThrownBy(() -> read(lines.replace(';', '\n'))).isInstanceOf(InvalidFileException.class)
                .hasMessageContaining("data.csv: " + message)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    @Test
    void anEmptyOrAbsentFileIsRefused() {
        assertThatThrownBy(() -> read("")).isInstanceOf(InvalidFileException.class).hasMessageContaining("no rows");
        assertThatThrownBy(() -> read("\n\n")).isInstanceOf(InvalidFileException.class).hasMessageContaining("no rows");
        assertThatThrownBy(() -> GaussianMixtureData.readCsv(folder.resolve("absent.csv")))
                .isInstanceOf(InvalidFileException.class).hasMessageContaining("absent.csv: no such file");
    }

    @Test
    void artificialDataHaveThePapersShape() {
        GaussianMixtureData data = GaussianMixtureData.artificial(3);
        assertThat(data.size()).isEqualTo(300);
        assertThat(data.dimension()).isEqualTo(2);
        double[][] centres = {{0, 2}, {Math.sqrt(3), -1}, {-Math.sqrt(3), -1}};
        for (int k = 0; k < 3; k++) {
            for (int d = 0; d < 2; d++) {
                double sum = 0;
                double squares = 0;
                for (int n = k * 100; n < k * 100 + 100; n++) {
                    double offset = data.get(n, d) - centres[k][d];
                    sum += offset;
                    squares += offset * offset;
                }
                // Standard deviations 0.1 and 0.14: 4.5 of them, false alarm below 1e-4 over the twelve checks.
                assertThat(sum / 100).isCloseTo(0, within(0.45));
                assertThat(squares / 100).isCloseTo(1, within(0.64));
            }
        }
        assertThat(GaussianMixtureData.artificial(3).toArray()).isDeepEqualTo(data.toArray());
        assertThat(GaussianMixtureData.artificial(4).get(0, 0)).isNotEqualTo(data.get(0, 0));
    }

    @Test
    void dataCannotBeChangedFromOutside() {
        double[][] rows = {{1, 2}};
        GaussianMixtureData data = GaussianMixtureData.of(rows);
        rows[0][0] = 9;
        data.row(0)[0] = 9;
        data.toArray()[0][0] = 9;
        assertThat(data.get(0, 0)).isEqualTo(1);
        assertThatThrownBy(() -> GaussianMixtureData.of(new double[][] {{1}, {1, 2}})).hasMessageContaining("row 1");
        assertThatThrownBy(() -> GaussianMixtureData.of(new double[][] {{1, Double.NaN}}))
                .hasMessageContaining("entry [0, 1]");
    }

    private GaussianMixtureData read(String text, String... ignored) throws IOException {
        Path file = Files.writeString(folder.resolve("data.csv"), text);
        return GaussianMixtureData.readCsv(file, Set.of(ignored));
    }
}
