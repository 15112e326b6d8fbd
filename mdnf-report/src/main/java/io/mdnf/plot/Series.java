package io.mdnf.plot;

import io.mdnf.space.Check;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
        Check.that(middle.size() == x.size() && lower.size() == upper.size()
                && (lower.isEmpty() || lower.size() == x.size()), "series '", name, "' has ", x.size(), " x, ",
                middle.size(), " middle, ", lower.size(), " lower and ", upper.size(),
                " upper values: lengths must agree");
        for (int i = 1; i < x.size(); i++) {
            Check.that(x.get(i) > x.get(i - 1), "series '", name, "': x[", i, "] = ", x.get(i), " is not above x[",
                    i - 1, "] = ", x.get(i - 1));
        }
    }

    /** A line through x [n], increasing, and y [n], without a band. */
    public static Series line(String name, double[] x, double[] y) {
        return new Series(name, Values.list(x), Values.list(y), List.of(), List.of());
    }

    /** The median of runs [runs, n] at x [n], one row for each seed, with a band from the lower to the upper
     * quartile. */
    public static Series overSeeds(String name, double[] x, double[][] runs) {
        Check.that(runs.length != 0, "series '", name, "' has no runs");
        for (int run = 0; run < runs.length; run++) {
            Check.that(runs[run].length == x.length, "series '", name, "': run ", run, " has ", runs[run].length,
                    " values, x has ", x.length);
        }
        List<Quartiles> quartiles = IntStream.range(0, x.length)
                .mapToObj(i -> Quartiles.of(Stream.of(runs).mapToDouble(run -> run[i]).toArray())).toList();
        return new Series(name, Values.list(x), quartiles.stream().map(Quartiles::median).toList(),
                quartiles.stream().map(Quartiles::lower).toList(), quartiles.stream().map(Quartiles::upper).toList());
    }

    boolean hasBand() {
        return !lower.isEmpty();
    }
}
