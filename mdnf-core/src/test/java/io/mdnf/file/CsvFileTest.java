package io.mdnf.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** The strictness towards numbers is tested where they are read, in GaussianMixtureDataTest. */
class CsvFileTest {

    @Test
    void cellsMayHoldCommasQuotesAndLines() throws IOException {
        assertThat(parse("\uFEFFa, \"b,\nc\" ,\"say \"\"d\"\"\"\r\n#1,,\n\n").rows())
                .containsExactly(List.of("a", "b,\nc", "say \"d\""), List.of("#1", "", ""));
        assertThatThrownBy(() -> parse("a,b\n1,\"2\n3,4\n")).isInstanceOf(InvalidFileException.class)
                .hasMessageContaining("t.csv: row 2 is not valid CSV");
        assertThatThrownBy(() -> parse("a,b\n1,\"2\"3\n")).hasMessageContaining("t.csv: row 2 is not valid CSV");
    }

    @Test
    void numbersHaveTheNamesOfTheHeader() throws IOException {
        CsvFile.Numbers table = parse("id,a,\nx,1e3,\ny,-.5,\n").numbers(Set.of("id"));
        assertThat(table.columns()).containsExactly("a");
        assertThat(table.values()).containsExactly(1000, -0.5);
    }

    @Test
    void packedFilesAreReadAndStoppedAtTheLimit() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(new byte[100_000]);
        }
        byte[] packed = bytes.toByteArray();
        assertThat(Gzip.unpacked(packed, 200_000)).hasSize(100_000);
        assertThat(Gzip.unpacked(packed, 1001)).hasSize(1001);
        byte[] plain = {1, 2, 3};
        assertThat(Gzip.unpacked(plain, 1)).isSameAs(plain);
        assertThatThrownBy(() -> Gzip.unpacked(Arrays.copyOf(packed, packed.length - 9), 200_000))
                .hasMessageContaining("damaged or cut short");
    }

    private static CsvFile parse(String text) throws IOException {
        return CsvFile.parse("t.csv", text.getBytes(StandardCharsets.UTF_8));
    }
}
