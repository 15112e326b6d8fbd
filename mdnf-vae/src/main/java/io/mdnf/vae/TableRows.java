package io.mdnf.vae;

import io.mdnf.file.CsvFile;
import io.mdnf.file.InvalidFileException;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Rows of a table whose columns are of several kinds; cells may be missing. What is missing takes no part in the
 * likelihood, and the encoder is told that it is.
 *
 * <p>While training, a tenth of the known cells, others in every step, is treated as missing too, so that the encoder
 * learns q given any part of a row: the bound of a step is one of the cells it sees.
 */
public final class TableRows implements ImageRows {

    private static final long serialVersionUID = 1;

    /** The share of known cells that a training step does not see. */
    static final double HIDDEN = 0.1;

    private final TableSchema schema;
    private final transient TableLikelihood layout;
    private final double[][] cells;
    private final Seed hiding;

    private TableRows(TableSchema schema, TableLikelihood layout, double[][] cells, Seed hiding) {
        this.schema = schema;
        this.layout = layout;
        this.cells = cells;
        this.hiding = hiding;
    }

    /**
     * Rows from their cells, [rows][columns], not copied: numbers and counts as they are, the index of a level, NaN
     * where the value is missing. A number that does not fit its column is refused by row and column, from 1.
     */
    public static TableRows of(TableSchema schema, double[][] cells) {
        Check.that(cells.length >= 1, "there are no rows: at least one is needed");
        for (int r = 0; r < cells.length; r++) {
            Check.that(cells[r].length == schema.columns().size(), "row ", r + 1, " has ", cells[r].length,
                    " cells; there are ", schema.columns().size(), " columns");
            for (int c = 0; c < cells[r].length; c++) {
                Column column = schema.columns().get(c);
                try {
                    column.check(cells[r][c]);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("row " + (r + 1) + ", column " + (c + 1) + " (" + column.name()
                            + "): " + e.getMessage(), e);
                }
            }
        }
        return new TableRows(schema, new TableLikelihood(schema), cells, null);
    }

    /** The rows of a file, as {@link TableSchema#cells} reads them. */
    public static TableRows of(TableSchema schema, CsvFile file) throws InvalidFileException {
        double[][] cells = schema.cells(file);
        if (cells.length == 0) {
            throw new InvalidFileException(file.name(), "there is a header but no row");
        }
        return of(schema, cells);
    }

    @Override
    public int count() {
        return cells.length;
    }

    @Override
    public int size() {
        return layout.size();
    }

    @Override
    public Optional<TableSchema> schema() {
        return Optional.of(schema);
    }

    /** {@return the number of a cell, as {@link #of} takes it, NaN if it is missing} */
    public double cell(int row, int column) {
        return cells[row][column];
    }

    /** Writes what the encoder sees of a row and what the likelihood needs of it. */
    @Override
    public void read(int row, float[] target, int offset) {
        double[] own = cells[row];
        if (hiding != null) {
            UniformRandomProvider random = hiding.fold(row).generator();
            own = Arrays.stream(own).map(cell -> random.nextDouble() < HIDDEN ? Double.NaN : cell).toArray();
        }
        layout.write(own, target, offset);
    }

    @Override
    public TableRows shown(Seed step) {
        return new TableRows(schema, layout, cells, step.fold("hidden"));
    }

    @Override
    public TableRows first(int limit) {
        return new TableRows(schema, layout, Arrays.copyOf(cells, Math.min(limit, cells.length)), hiding);
    }

    @Override
    public TableRows chosen(int... rows) {
        return new TableRows(schema, layout, Arrays.stream(rows).mapToObj(r -> cells[r]).toArray(double[][]::new),
                hiding);
    }

    /** What is sent in its place: the likelihood follows from the schema. */
    private record Sent(TableSchema schema, double[][] cells, Seed hiding) implements Serializable {

        private Object readResolve() {
            return new TableRows(schema, new TableLikelihood(schema), cells, hiding);
        }
    }

    private Object writeReplace() {
        return new Sent(schema, cells, hiding);
    }

    @Override
    public String toString() {
        return count() + " rows of a table of " + schema.columns().size() + " columns";
    }
}
