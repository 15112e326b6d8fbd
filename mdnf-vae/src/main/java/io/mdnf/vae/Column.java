package io.mdnf.vae;

import io.mdnf.space.Check;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A column of a table.
 *
 * @param name as in the table's header
 * @param kind of its cells
 * @param levels of a categorical column, at least one; else none
 * @param centre what the encoder sees as 0: the mean, of counts that of log(1 + count); 0 of other kinds
 * @param scale what it sees as 1: the deviation from the centre, above 0; 1 of other kinds
 * @param decimals of a Gaussian column's numbers when they are written; 0 of other kinds
 */
public record Column(String name, ColumnKind kind, List<String> levels, double centre, double scale, int decimals)
        implements Serializable {

    /** Words in a cell that say that it has no value, in small letters. */
    private static final Set<String> MISSING = Set.of("", "?", "na", "n/a", "nan", "null");
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    /** Larger counts are no whole numbers any more once they are floats. */
    private static final double MOST = 1 << 24;
    private static final int SHOWN = 10;

    /** Checks that the parts fit each other, and copies the levels. */
    public Column {
        levels = List.copyOf(levels);
        Check.that(!name.isBlank(), "a column has no name");
        Check.that(levels.isEmpty() != (kind == ColumnKind.CATEGORICAL), "column ", name, ": ", levels.size(),
                " levels for a ", kind, " column");
        Check.that(scale > 0 && scale < Double.POSITIVE_INFINITY && Double.isFinite(centre), "column ", name,
                ": centre = ", centre, ", scale = ", scale, ": finite, the scale above 0");
    }

    /** A column whose numbers need no scaling. */
    static Column plain(String name, ColumnKind kind, List<String> levels) {
        return new Column(name, kind, levels, 0, 1, 0);
    }

    /** Returns whether a cell says that its value is not known: it is empty, ?, NA, N/A, NaN or null. */
    public static boolean isMissing(String cell) {
        return MISSING.contains(cell.strip().toLowerCase(Locale.ROOT));
    }

    /** Returns whether a cell is a decimal number. */
    static boolean isNumber(String cell) {
        return NUMBER.matcher(cell).matches() && Double.isFinite(Double.parseDouble(cell));
    }

    /** Returns the number that stands for a cell: NaN if it is missing, the index of its level, or itself. A cell that
     * this column cannot hold is refused. */
    public double value(String cell) {
        if (isMissing(cell)) {
            return Double.NaN;
        }
        if (kind == ColumnKind.CATEGORICAL) {
            int level = levels.indexOf(cell);
            Check.that(level >= 0, "'", cell, "' is a level that was not there in training; known are ",
                    String.join(", ", levels.subList(0, Math.min(SHOWN, levels.size()))),
                    levels.size() > SHOWN ? ", ..." : "");
            return level;
        }
        Check.that(isNumber(cell), "'", cell, "' is no number, as a ", kind, " column needs it");
        double value = Double.parseDouble(cell);
        check(value);
        return value;
    }

    /** Refuses a number that this column cannot hold; NaN is a missing cell. */
    void check(double value) {
        boolean whole = value == Math.rint(value) && value >= 0;
        boolean fits = Double.isNaN(value) || switch (kind) {
            case BERNOULLI -> value == 0 || value == 1;
            case CATEGORICAL -> whole && value < levels.size();
            case GAUSSIAN -> Double.isFinite(value);
            case POISSON -> whole && value <= MOST;
        };
        Check.that(fits, value, " does not fit a ", kind, " column: ", switch (kind) {
            case BERNOULLI -> "0 or 1";
            case CATEGORICAL -> "the index of one of " + levels.size() + " levels";
            case GAUSSIAN -> "a finite number";
            case POISSON -> "a whole number from 0 to " + (int) MOST;
        });
    }

    /** Returns what is written for a number, empty for NaN; a mean count becomes the nearest whole number. */
    public String text(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        return switch (kind) {
            case CATEGORICAL -> levels.get((int) value);
            case GAUSSIAN -> BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_EVEN).toPlainString();
            case BERNOULLI, POISSON -> Long.toString(Math.round(value));
        };
    }
}
