package io.mdnf.plot;

import java.util.Arrays;

/**
 * Lower quartile, median and upper quartile, by linear interpolation between order statistics (type 7 of Hyndman and
 * Fan, the usual default). One NaN among the values makes all three NaN: a failed run is not quietly left out.
 *
 * @param lower a quarter of the values lies below
 * @param median half of them
 * @param upper three quarters of them
 */
public record Quartiles(double lower, double median, double upper) {

    /**
     * Of some values.
     *
     * @param values at least one, in any order
     * @return their quartiles
     */
    public static Quartiles of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no values: quartiles need at least one");
        }
        if (Arrays.stream(values).anyMatch(Double::isNaN)) {
            return new Quartiles(Double.NaN, Double.NaN, Double.NaN);
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Quartiles(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
    }

    private static double at(double[] sorted, double part) {
        double place = part * (sorted.length - 1);
        int below = (int) Math.floor(place);
        double low = sorted[below];
        double high = sorted[Math.min(below + 1, sorted.length - 1)];
        // Equal neighbours may be infinite, and infinity times zero is not a number.
        return low == high || place == below ? low : low + (place - below) * (high - low);
    }
}
