package io.mdnf.plot;

import java.util.List;

/**
 * A line, with a band around it when it summarises several runs.
 *
 * @param name for the legend
 * @param x increasing
 * @param middle [x] the line; NaN interrupts it
 * @param lower [x] the band's lower edge; empty when there is no band
 * @param upper [x] the band's upper edge; empty when there is no band
 */
public record Series(String name, List<Double> x, List<Double> middle, List<Double> lower, List<Double> upper) {
    /** Checks that the lengths agree. */
    public Series {
        x = List.copyOf(x);
        middle = List.copyOf(middle);
        lower = List.copyOf(lower);
        upper = List.copyOf(upper);
        if (middle.size() != x.size() || lower.size() != upper.size()
                || !lower.isEmpty() && lower.size() != x.size()) {
            throw new IllegalArgumentException("series '" + name + "' has " + x.size() + " x, " + middle.size()
                    + " middle, " + lower.size() + " lower and " + upper.size() + " upper values: lengths must agree");
        }
        for (int i = 1; i < x.size(); i++) {
            if (!(x.get(i) > x.get(i - 1))) {
                throw new IllegalArgumentException("series '" + name + "': x[" + i + "] = " + x.get(i)
                        + " is not above x[" + (i - 1) + "] = " + x.get(i - 1));
            }
        }
    }

    /**
     * A line without a band.
     *
     * @param name for the legend
     * @param x [n] increasing
     * @param y [n]
     * @return the series
     */
    public static Series line(String name, double[] x, double[] y) {
        return new Series(name, Values.list(x), Values.list(y), List.of(), List.of());
    }

    /**
     * The median of several runs, with a band from the lower to the upper quartile.
     *
     * @param name for the legend
     * @param x [n] increasing
     * @param runs [runs, n], one row for each seed
     * @return the series
     */
    public static Series overSeeds(String name, double[] x, double[][] runs) {
        if (runs.length == 0) {
            throw new IllegalArgumentException("series '" + name + "' has no runs");
        }
        Quartiles[] quartiles = new Quartiles[x.length];
        for (int i = 0; i < x.length; i++) {
            double[] values = new double[runs.length];
            for (int run = 0; run < runs.length; run++) {
                if (runs[run].length != x.length) {
                    throw new IllegalArgumentException("series '" + name + "': run " + run + " has " + runs[run].length
                            + " values, x has " + x.length);
                }
                values[run] = runs[run][i];
            }
            quartiles[i] = Quartiles.of(values);
        }
        return new Series(name, Values.list(x), List.of(quartiles).stream().map(Quartiles::median).toList(),
                List.of(quartiles).stream().map(Quartiles::lower).toList(),
                List.of(quartiles).stream().map(Quartiles::upper).toList());
    }

    boolean hasBand() {
        return !lower.isEmpty();
    }
}
