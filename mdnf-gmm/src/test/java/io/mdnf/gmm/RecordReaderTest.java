package io.mdnf.gmm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.datavec.api.records.reader.RecordReader;
import org.datavec.api.records.reader.impl.csv.CSVRecordReader;
import org.datavec.api.split.FileSplit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DataVec's CSV reader works with what the build leaves on the class path. */
class RecordReaderTest {
    @TempDir
    private Path directory;

    @Test
    void csvIsReadRowByRow() throws Exception {
        Path file = directory.resolve("faithful.csv");
        Files.writeString(file, "eruptions,waiting\n3.6,79\n1.8,54\n");
        int headerLines = 1;
        try (RecordReader reader = new CSVRecordReader(headerLines)) {
            reader.initialize(new FileSplit(file.toFile()));
            assertThat(reader.next()).extracting(value -> value.toDouble()).containsExactly(3.6, 79.0);
            assertThat(reader.next()).extracting(value -> value.toDouble()).containsExactly(1.8, 54.0);
            assertThat(reader.hasNext()).isFalse();
        }
    }
}
