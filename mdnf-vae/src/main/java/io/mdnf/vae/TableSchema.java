package io.mdnf.vae;

import io.mdnf.file.CsvFile;
import io.mdnf.file.InvalidFileException;
import io.mdnf.space.Check;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The columns of a table that an autoencoder learns: names, kinds, levels and scalings.
 *
 * <pre>{@code
 * CsvFile file = CsvFile.read(Path.of("people.csv"));
 * TableSchema schema = TableSchema.guess(file, Map.of("zip", ColumnKind.CATEGORICAL), Set.of("id"));
 * TableRows rows = TableRows.of(schema, file);
 * }</pre>
 */
public record TableSchema(List<Column> columns) implements Serializable {

    /** Copies the columns; at least one, with names that differ. */
    public TableSchema {
        columns = List.copyOf(columns);
        Check.that(!columns.isEmpty(), "a table without columns: at least one is needed");
        Set<String> names = new HashSet<>();
        for (Column column : columns) {
            Check.that(names.add(column.name()), "two columns are called ", column.name());
        }
    }

    /**
     * The columns of a file whose first row names them: what kind they seem to be by their cells, or are said to be.
     *
     * @param kinds of columns by name, where the cells mislead
     * @param ignored names of columns to leave out, such as an identifier
     */
    public static TableSchema guess(CsvFile file, Map<String, ColumnKind> kinds, Set<String> ignored)
            throws InvalidFileException {
        List<String> header = file.rows().get(0);
        for (String name : union(kinds.keySet(), ignored)) {
            refuse(!header.contains(name), file, "there is no column " + name + "; there are "
                    + String.join(", ", header));
        }
        refuse(file.rows().size() < 2, file, "there is a header but no row");
        List<Column> columns = new ArrayList<>();
        for (int c = 0; c < header.size(); c++) {
            if (!ignored.contains(header.get(c))) {
                int at = c;
                requireWidth(file, header.size());
                List<String> cells = file.rows().stream().skip(1).map(row -> row.get(at)).toList();
                ColumnKind kind = kinds.get(header.get(c));
                columns.add(located(file, () -> ColumnGuess.of(header.get(at), cells, kind)));
            }
        }
        return located(file, () -> new TableSchema(columns));
    }

    private interface Made<T> {
        T make();
    }

    private static <T> T located(CsvFile file, Made<T> made) throws InvalidFileException {
        try {
            return made.make();
        } catch (IllegalArgumentException e) {
            throw new InvalidFileException(file.name(), e.getMessage(), e);
        }
    }

    private static void refuse(boolean wrong, CsvFile file, String what) throws InvalidFileException {
        if (wrong) {
            throw new InvalidFileException(file.name(), what);
        }
    }

    private static void requireWidth(CsvFile file, int width) throws InvalidFileException {
        for (int r = 1; r < file.rows().size(); r++) {
            int cells = file.rows().get(r).size();
            refuse(cells != width, file, "row " + (r + 1) + " has " + cells + " cells; the header has " + width);
        }
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        Set<String> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }

    /**
     * The cells [rows][columns] of a file whose first row names its columns, in any order and with others among them;
     * NaN where a cell is missing. A cell that does not fit its column is refused with its row and column, from 1.
     */
    public double[][] cells(CsvFile file) throws InvalidFileException {
        List<String> header = file.rows().get(0);
        requireWidth(file, header.size());
        double[][] cells = new double[file.rows().size() - 1][columns.size()];
        for (int c = 0; c < columns.size(); c++) {
            Column column = columns.get(c);
            int at = header.indexOf(column.name());
            refuse(at < 0, file, "there is no column " + column.name()
                    + "; add it, with empty cells if they are missing");
            for (int r = 0; r < cells.length; r++) {
                try {
                    cells[r][c] = column.value(file.rows().get(r + 1).get(at));
                } catch (IllegalArgumentException e) {
                    throw new InvalidFileException(file.name(), "row " + (r + 2) + ", column " + (at + 1) + " ("
                            + column.name() + "): " + e.getMessage(), e);
                }
            }
        }
        return cells;
    }

    /** Returns everything by name, for a manifest. */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("columns", Integer.toString(columns.size()));
        for (int c = 0; c < columns.size(); c++) {
            Column column = columns.get(c);
            String key = CsvFile.unnamed(c + 1);
            map.put(key, column.name());
            map.put(key + " kind", column.kind().toString());
            map.put(key + " levels", column.levels().stream().map(level -> '"' + level.replace("\"", "\"\"") + '"')
                    .collect(Collectors.joining(",")));
            map.put(key + " centre", Double.toString(column.centre()));
            map.put(key + " scale", Double.toString(column.scale()));
            map.put(key + " decimals", Integer.toString(column.decimals()));
        }
        return map;
    }

    /** The schema of a map made by {@link #toMap}, which may hold more besides. */
    public static TableSchema of(Map<String, String> map) {
        List<Column> columns = new ArrayList<>();
        for (int c = 1; c <= Integer.parseInt(map.getOrDefault("columns", "0")); c++) {
            String key = CsvFile.unnamed(c);
            String kind = map.get(key + " kind");
            columns.add(new Column(map.get(key), ColumnKind.valueOf(kind.toUpperCase(Locale.ROOT)),
                    levels(map.get(key + " levels")), Double.parseDouble(map.get(key + " centre")),
                    Double.parseDouble(map.get(key + " scale")), Integer.parseInt(map.get(key + " decimals"))));
        }
        return new TableSchema(columns);
    }

    private static List<String> levels(String line) {
        try {
            return line.isEmpty() ? List.of()
                    : CsvFile.parse("levels", line.getBytes(StandardCharsets.UTF_8)).rows().get(0);
        } catch (InvalidFileException e) {
            throw new IllegalArgumentException("the levels " + line + " cannot be read", e);
        }
    }
}
