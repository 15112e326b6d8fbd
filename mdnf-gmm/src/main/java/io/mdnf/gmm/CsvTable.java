package io.mdnf.gmm;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.datavec.api.records.reader.impl.csv.CSVRecordReader;
import org.datavec.api.split.InputStreamInputSplit;
import org.datavec.api.writable.Writable;

/** The cells of a CSV file, as DataVec reads them, and their conversion to numbers. Rows and columns count from 1. */
final class CsvTable {
    /** Decimal notation only: Java's own parser would also take "1f", "0x1p3" and "NaN". */
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    /** Words that stand for a number someone failed to measure; they make a row data, not a header. */
    private static final Set<String> NOT_A_VALUE = Set.of("nan", "inf", "-inf", "+inf", "infinity", "-infinity", "na",
            "n/a", "null", "?");
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final int SHOWN = 40;

    private final Path file;
    private final List<List<String>> rows;

    private CsvTable(Path file, List<List<String>> rows) {
        this.file = file;
        this.rows = rows;
    }

    static CsvTable read(Path file) throws IOException {
        byte[] bytes = unzipped(file);
        List<List<String>> rows = new ArrayList<>();
        try (CSVRecordReader reader = new CSVRecordReader()) {
            reader.initialize(new InputStreamInputSplit(new ByteArrayInputStream(bytes)));
            while (reader.hasNext()) {
                rows.add(reader.next().stream().map(Writable::toString).map(String::strip).toList());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("reading " + file + " was interrupted", e);
        } catch (RuntimeException e) {
            // DataVec reports a quote that is never closed this way.
            throw new InvalidCsvException(file, "row " + (rows.size() + 1) + " is not valid CSV: " + rootMessage(e), e);
        }
        while (!rows.isEmpty() && blank(rows.get(rows.size() - 1))) {
            rows.remove(rows.size() - 1);
        }
        if (rows.isEmpty()) {
            throw new InvalidCsvException(file, "the file has no rows");
        }
        List<String> first = rows.get(0);
        if (first.get(0).startsWith(BYTE_ORDER_MARK)) {
            List<String> cleaned = new ArrayList<>(first);
            cleaned.set(0, first.get(0).substring(1).strip());
            rows.set(0, cleaned);
        }
        return new CsvTable(file, rows);
    }

    private static byte[] unzipped(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length < 2 || (bytes[0] & 0xff) != 0x1f || (bytes[1] & 0xff) != 0x8b) {
            return bytes;
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new InvalidCsvException(file, "the gzip file is damaged or cut short (" + e.getMessage() + ")", e);
        }
    }

    GaussianMixtureData numbers(Set<String> ignored) throws InvalidCsvException {
        int width = rows.get(0).size();
        requireWidth(width);
        boolean namedOrEmpty = !hasNumber(rows.get(0), List.of());
        List<Integer> kept = keptColumns(width, namedOrEmpty, ignored);
        boolean header = isHeader(kept);
        List<String> names = new ArrayList<>();
        for (int c : kept) {
            String name = header ? rows.get(0).get(c) : "";
            names.add(name.isEmpty() ? unnamed(c + 1) : name);
        }
        int first = header ? 1 : 0;
        if (rows.size() == first) {
            throw new InvalidCsvException(file, "there is a header but no row of numbers");
        }
        double[] values = new double[(rows.size() - first) * kept.size()];
        int at = 0;
        for (int r = first; r < rows.size(); r++) {
            for (int i = 0; i < kept.size(); i++) {
                values[at++] = number(r, kept.get(i), names.get(i));
            }
        }
        return new GaussianMixtureData(names, values);
    }

    static String unnamed(int column) {
        return "column " + column;
    }

    private void requireWidth(int width) throws InvalidCsvException {
        for (int r = 1; r < rows.size(); r++) {
            int cells = rows.get(r).size();
            if (cells != width) {
                throw new InvalidCsvException(file, "row " + (r + 1) + " has " + cells + " cells; row 1 has " + width
                        + (blank(rows.get(r)) ? "; remove the empty line" : ""));
            }
        }
    }

    private List<Integer> keptColumns(int width, boolean named, Set<String> ignored) throws InvalidCsvException {
        Set<String> unknown = new LinkedHashSet<>(ignored);
        List<Integer> kept = new ArrayList<>();
        for (int c = 0; c < width; c++) {
            String number = Integer.toString(c + 1);
            String name = rows.get(0).get(c);
            boolean byName = named && !name.isEmpty() && ignored.contains(name);
            boolean byNumber = ignored.contains(number);
            if (byName) {
                unknown.remove(name);
            }
            if (byNumber) {
                unknown.remove(number);
            }
            boolean afterLastComma = c == width - 1 && width > 1 && emptyColumn(c);
            if (!byName && !byNumber && !afterLastComma) {
                kept.add(c);
            }
        }
        if (!unknown.isEmpty()) {
            throw new InvalidCsvException(file, "there is no column " + String.join(", ", unknown)
                    + " to ignore; columns are named as in the header or numbered 1 to " + width);
        }
        if (kept.isEmpty()) {
            throw new InvalidCsvException(file, "no column is left to read");
        }
        return kept;
    }

    private boolean emptyColumn(int c) {
        return rows.stream().allMatch(row -> row.get(c).isEmpty());
    }

    /** Names and no numbers make a header; numbers and no names make data; both at once is refused, not guessed. */
    private boolean isHeader(List<Integer> kept) {
        List<String> first = rows.get(0);
        boolean anyName = kept.stream().map(first::get).anyMatch(cell -> !cell.isEmpty() && !meantAsNumber(cell));
        return anyName && !hasNumber(first, kept);
    }

    private static boolean hasNumber(List<String> row, List<Integer> among) {
        for (int c = 0; c < row.size(); c++) {
            if ((among.isEmpty() || among.contains(c)) && meantAsNumber(row.get(c))) {
                return true;
            }
        }
        return false;
    }

    private static boolean meantAsNumber(String cell) {
        return NUMBER.matcher(cell).matches() || NOT_A_VALUE.contains(cell.toLowerCase(Locale.ROOT));
    }

    private double number(int r, int c, String name) throws InvalidCsvException {
        String cell = rows.get(r).get(c);
        String label = name.equals(unnamed(c + 1)) ? "" : " (" + name + ")";
        String where = "row " + (r + 1) + ", column " + (c + 1) + label;
        if (cell.isEmpty()) {
            throw new InvalidCsvException(file, where + ": the cell is missing; fill it in or leave the row or column "
                    + "out");
        }
        double value = NUMBER.matcher(cell).matches() ? Double.parseDouble(cell) : Double.NaN;
        if (!Double.isFinite(value)) {
            String shown = cell.length() > SHOWN ? cell.substring(0, SHOWN) + "..." : cell;
            throw new InvalidCsvException(file, where + ": '" + shown + "' is not a finite number; correct it or "
                    + "ignore the column");
        }
        return value;
    }

    private static boolean blank(List<String> row) {
        return row.size() == 1 && row.get(0).isEmpty();
    }

    private static String rootMessage(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage()).replaceAll("\\s+", " ");
    }
}
