package io.mdnf.report;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.mdnf.file.AtomicFiles;
import io.mdnf.space.Check;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of numbers and words for a CSV file (RFC 4180 with line feeds, UTF-8, header first). Numbers are written so that
 * reading them gives the same number again; null is an empty field.
 */
public final class CsvTable {
    private final List<String> header;
    private final StringWriter text = new StringWriter();
    private final CsvWriter csv = CsvWriter.builder().bufferSize(0).lineDelimiter(LineDelimiter.LF).build(text);

    /** A table without rows. */
    public CsvTable(String... header) {
        this.header = List.of(header);
        csv.writeRecord(this.header);
    }

    /** Adds a row of numbers, words and nulls, one for each column. */
    public CsvTable row(Object... cells) {
        Check.that(cells.length == header.size(), "a row of ", cells.length, " cells ", Arrays.asList(cells),
                " for the ", header.size(), " columns ", header);
        csv.writeRecord(Arrays.stream(cells).map(cell -> cell == null ? null : cell.toString()).toList());
        return this;
    }

    /** Writes the file, which appears whole or not at all. */
    public void write(Path file) throws IOException {
        AtomicFiles.write(file, toString());
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
