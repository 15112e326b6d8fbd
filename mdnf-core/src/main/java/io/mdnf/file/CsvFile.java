package io.mdnf.file;

import de.siegmar.fastcsv.reader.CommentStrategy;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A file of comma-separated values (RFC 4180, UTF-8, plain or gzip), read whole; blanks around cells and empty lines at
 * the end do not count. Messages name the file and count rows and columns from 1.
 *
 * <pre>{@code
 * CsvFile.Numbers table = CsvFile.read(Path.of("data.csv")).numbers(Set.of("id"));
 * }</pre>
 *
 * @param name the file, for messages
 * @param rows the cells of every row, a header's too
 */
public record CsvFile(String name, List<List<String>> rows) {
    /** Decimal notation only: Java's own parser would also take "1f", "0x1p3" and "NaN". */
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    /** Words that stand for a number someone failed to measure; they make a row data, not a header. */
    private static final Set<String> NOT_A_VALUE = Set.of("nan", "inf", "-inf", "+inf", "infinity", "-infinity", "na",
            "n/a", "null", "?");
    private static final int SHOWN = 40;

    /**
     * Numbers under names, one for each column, "column 1" and so on where the file has none; the values are all
     * finite, row after row, shared and not to be changed.
     */
    public record Numbers(List<String> columns, double[] values) { }

    /** Copies the rows. */
    public CsvFile {
        rows = rows.stream().map(List::copyOf).toList();
    }

    /** Reads a file, plain or gzip, of at least one row; InvalidFileException if there is none, or
     * it is damaged, not CSV, or empty. */
    public static CsvFile read(Path file) throws IOException {
        if (Files.notExists(file) || Files.isDirectory(file)) {
            throw new InvalidFileException(file.toString(), Files.isDirectory(file) ? "this is a directory, a file is "
                    + "needed" : "no such file");
        }
        return parse(file.toString(), Files.readAllBytes(file));
    }

    /** Reads what is in memory, plain or gzip, as {@link #read} does; messages call it by the name. */
    public static CsvFile parse(String name, byte[] content) throws InvalidFileException {
        List<List<String>> rows = new ArrayList<>();
        String text = text(name, content);
        try (CsvReader<CsvRecord> reader = CsvReader.builder().commentStrategy(CommentStrategy.NONE)
                .skipEmptyLines(false).allowMissingFields(true).allowExtraFields(true).allowUnclosedQuote(false)
                .trimWhitespacesAroundQuotes(true).ofCsvRecord(text)) {
            for (CsvRecord row : reader) {
                rows.add(row.getFields().stream().map(String::strip).toList());
            }
        } catch (CsvParseException e) {
            throw new InvalidFileException(name, "row " + (rows.size() + 1) + " is not valid CSV: "
                    + String.valueOf(e.getMessage()).replaceAll("\\s+", " "), e);
        } catch (IOException e) {
            throw new InvalidFileException(name, e.getMessage(), e);
        }
        while (!rows.isEmpty() && blank(rows.get(rows.size() - 1))) {
            rows.remove(rows.size() - 1);
        }
        if (rows.isEmpty()) {
            throw new InvalidFileException(name, "the file has no rows");
        }
        return new CsvFile(name, rows);
    }

    private static String text(String name, byte[] content) throws InvalidFileException {
        try {
            String text = new String(Gzip.unpacked(content, Integer.MAX_VALUE), StandardCharsets.UTF_8);
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (IOException e) {
            throw new InvalidFileException(name, e.getMessage(), e);
        }
    }

    /**
     * The file as a table of numbers. A first row of names and no number is a header. A last column without name and
     * without a single entry, as a comma at the end of every line makes it, is dropped.
     *
     * @param ignored columns to leave out, by name or by number from 1, such as an identifier
     * @throws InvalidFileException if a cell is missing or not a finite number, naming row and column, if rows differ
     *     in length, or if nothing is left
     */
    public Numbers numbers(Set<String> ignored) throws InvalidFileException {
        int width = rows.get(0).size();
        requireWidth(width);
        List<Integer> kept = keptColumns(width, ignored);
        boolean header = isHeader(kept);
        List<String> names = new ArrayList<>();
        for (int c : kept) {
            String named = header ? rows.get(0).get(c) : "";
            names.add(named.isEmpty() ? unnamed(c + 1) : named);
        }
        int first = header ? 1 : 0;
        if (rows.size() == first) {
            throw new InvalidFileException(name, "there is a header but no row of numbers");
        }
        double[] values = new double[(rows.size() - first) * kept.size()];
        int at = 0;
        for (int r = first; r < rows.size(); r++) {
            for (int i = 0; i < kept.size(); i++) {
                values[at++] = number(r, kept.get(i), names.get(i));
            }
        }
        return new Numbers(names, values);
    }

    /** Returns what a column without a name is called by its number, from 1. */
    public static String unnamed(int column) {
        return "column " + column;
    }

    private void requireWidth(int width) throws InvalidFileException {
        for (int r = 1; r < rows.size(); r++) {
            int cells = rows.get(r).size();
            if (cells != width) {
                throw new InvalidFileException(name, "row " + (r + 1) + " has " + cells + " cells; row 1 has " + width
                        + (blank(rows.get(r)) ? "; remove the empty line" : ""));
            }
        }
    }

    private List<Integer> keptColumns(int width, Set<String> ignored) throws InvalidFileException {
        List<String> first = rows.get(0);
        boolean named = first.stream().noneMatch(CsvFile::meantAsNumber);
        Set<String> unknown = new LinkedHashSet<>(ignored);
        List<Integer> kept = new ArrayList<>();
        for (int c = 0; c < width; c++) {
            String number = Integer.toString(c + 1);
            boolean byName = named && !first.get(c).isEmpty() && ignored.contains(first.get(c));
            boolean byNumber = ignored.contains(number);
            if (byName) {
                unknown.remove(first.get(c));
            }
            unknown.remove(number);
            boolean afterLastComma = c == width - 1 && width > 1 && emptyColumn(c);
            if (!byName && !byNumber && !afterLastComma) {
                kept.add(c);
            }
        }
        if (!unknown.isEmpty()) {
            throw new InvalidFileException(name, "there is no column " + String.join(", ", unknown)
                    + " to ignore; columns are named as in the header or numbered 1 to " + width);
        }
        if (kept.isEmpty()) {
            throw new InvalidFileException(name, "no column is left to read");
        }
        return kept;
    }

    private boolean emptyColumn(int c) {
        return rows.stream().allMatch(row -> row.get(c).isEmpty());
    }

    /** Names and no numbers make a header; numbers and no names make data; both at once is refused, not guessed. */
    private boolean isHeader(List<Integer> kept) {
        List<String> cells = kept.stream().map(rows.get(0)::get).filter(cell -> !cell.isEmpty()).toList();
        return !cells.isEmpty() && cells.stream().noneMatch(CsvFile::meantAsNumber);
    }

    private static boolean meantAsNumber(String cell) {
        return NUMBER.matcher(cell).matches() || NOT_A_VALUE.contains(cell.toLowerCase(Locale.ROOT));
    }

    private double number(int r, int c, String column) throws InvalidFileException {
        String cell = rows.get(r).get(c);
        String label = column.equals(unnamed(c + 1)) ? "" : " (" + column + ")";
        String where = "row " + (r + 1) + ", column " + (c + 1) + label;
        if (cell.isEmpty()) {
            throw new InvalidFileException(name, where + ": the cell is missing; fill it in or leave the row or column "
                    + "out");
        }
        double value = NUMBER.matcher(cell).matches() ? Double.parseDouble(cell) : Double.NaN;
        if (!Double.isFinite(value)) {
            String shown = cell.length() > SHOWN ? cell.substring(0, SHOWN) + "..." : cell;
            throw new InvalidFileException(name, where + ": '" + shown + "' is not a finite number; correct it or "
                    + "ignore the column");
        }
        return value;
    }

    private static boolean blank(List<String> row) {
        return row.size() == 1 && row.get(0).isEmpty();
    }
}
