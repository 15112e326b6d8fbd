package io.mdnf.vae;

import io.mdnf.space.Check;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a column seems to be, by its cells: 0 and 1 are Bernoulli; words are categorical; whole numbers from 0 on that
 * spread about as counts of rare events do are Poisson; other numbers are Gaussian, unless they are but two whole ones.
 */
final class ColumnGuess {

    /** A Poisson's variance is its mean; more than three times that is no Poisson to speak of. */
    private static final double MOST_DISPERSION = 3;
    /** Less is none either, but a scale of a few steps, or one number. */
    private static final double LEAST_DISPERSION = 0.3;
    private static final int MOST_LEVELS = 256;
    private static final int MOST_DECIMALS = 6;

    private ColumnGuess() {}

    /** The column of a name and its cells, from the second row of a file on; of a given kind, unless that is null. */
    static Column of(String name, List<String> cells, ColumnKind given) {
        List<String> known = cells.stream().filter(cell -> !Column.isMissing(cell)).toList();
        Check.that(!known.isEmpty(), "column ", name, " has no value in any row; leave it out: ", name, ":ignore");
        ColumnKind kind = given == null ? guess(known) : given;
        if (kind == ColumnKind.CATEGORICAL) {
            List<String> levels = known.stream().distinct().sorted(order(known)).toList();
            Check.that(levels.size() <= MOST_LEVELS, "column ", name, " has ", levels.size(),
                    " levels, more than ", MOST_LEVELS, "; leave it out: ", name, ":ignore");
            return Column.plain(name, kind, levels);
        }
        Column plain = Column.plain(name, kind, List.of());
        double[] values = IntStream.range(0, cells.size()).mapToDouble(r -> value(plain, cells.get(r), r + 2))
                .filter(v -> !Double.isNaN(v)).toArray();
        return switch (kind) {
            case GAUSSIAN -> scaled(name, kind, values, known.stream().mapToInt(ColumnGuess::decimals).max().orElse(0));
            case POISSON -> scaled(name, kind, Arrays.stream(values).map(Math::log1p).toArray(), 0);
            default -> plain;
        };
    }

    private static double value(Column column, String cell, int row) {
        try {
            return column.value(cell);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("row " + row + ", column " + column.name() + ": " + e.getMessage(), e);
        }
    }

    private static Column scaled(String name, ColumnKind kind, double[] values, int decimals) {
        double deviation = Math.sqrt(variance(values));
        return new Column(name, kind, List.of(), mean(values), deviation > 0 ? deviation : 1, decimals);
    }

    private static ColumnKind guess(List<String> cells) {
        if (!cells.stream().allMatch(Column::isNumber)) {
            return ColumnKind.CATEGORICAL;
        }
        double[] values = cells.stream().mapToDouble(Double::parseDouble).toArray();
        double[] distinct = Arrays.stream(values).distinct().toArray();
        if (Arrays.stream(distinct).allMatch(v -> v == 0 || v == 1)) {
            return ColumnKind.BERNOULLI;
        }
        boolean whole = Arrays.stream(distinct).allMatch(v -> v == Math.rint(v));
        if (whole && distinct.length == 2) {
            return ColumnKind.CATEGORICAL;
        }
        boolean counts = whole && Arrays.stream(distinct).allMatch(v -> v >= 0)
                && Arrays.stream(distinct).anyMatch(v -> v == 0);
        double dispersion = variance(values) / mean(values);
        return counts && dispersion >= LEAST_DISPERSION && dispersion <= MOST_DISPERSION ? ColumnKind.POISSON
                : ColumnKind.GAUSSIAN;
    }

    private static Comparator<String> order(List<String> cells) {
        Comparator<String> byText = Comparator.naturalOrder();
        return cells.stream().allMatch(Column::isNumber)
                ? Comparator.<String>comparingDouble(Double::parseDouble).thenComparing(byText) : byText;
    }

    private static int decimals(String cell) {
        return Math.max(0, Math.min(MOST_DECIMALS, new BigDecimal(cell).scale()));
    }

    /** Between the least and the greatest, as rounding would not have it: a column of one number deviates by 0. */
    private static double mean(double[] values) {
        DoubleSummaryStatistics all = Arrays.stream(values).summaryStatistics();
        return Math.max(all.getMin(), Math.min(all.getMax(), all.getAverage()));
    }

    private static double variance(double[] values) {
        double mean = mean(values);
        return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElseThrow();
    }
}
