package io.mdnf.report;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.mdnf.file.AtomicFiles;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
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
    private final CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(text);

    /**
     * A table without rows.
     *
     * @param header names of the columns
     */
    public CsvTable(String... header) {
        this.header = List.of(header);
        csv.writeRecord(this.header);
    }

    /**
     * Adds a row.
     *
     * @param cells one for each column: numbers, words, null
     * @return this table
     */
    public CsvTable row(Object... cells) {
        if (cells.length != header.size()) {
            throw new IllegalArgumentException("a row of " + cells.length + " cells " + Arrays.toString(cells)
                    + " for the " + header.size() + " columns " + header);
        }
        csv.writeRecord(Arrays.stream(cells).map(cell -> cell == null ? null : cell.toString()).toList());
        return this;
    }

    /**
     * Writes the file, which appears whole or not at all.
     *
     * @param file where to; an existing file is replaced
     * @throws IOException if it cannot be written
     */
    public void write(Path file) throws IOException {
        csv.flush();
        AtomicFiles.write(file, text.toString());
    }

    @Override
    public String toString() {
        try {
            csv.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("a writer into memory cannot fail", e);
        }
        return text.toString();
    }
}
