package io.mdnf.plot;

import io.mdnf.space.Check;
import java.util.Arrays;
import org.apache.commons.statistics.descriptive.Quantile;

/**
 * Lower quartile, median and upper quartile, by linear interpolation between order statistics (type 7 of Hyndman and
 * Fan, the usual default). One NaN among the values makes all three NaN: a failed run is not quietly left out.
 *
 * @param lower a quarter of the values lies below
 * @param median half of them
 * @param upper three quarters of them
 */
public record Quartiles(double lower, double median, double upper) {

    /** Of at least one value, in any order. */
    public static Quartiles of(double... values) {
        Check.that(values.length != 0, "no values: quartiles need at least one");
        if (Arrays.stream(values).anyMatch(Double::isNaN)) {
            return new Quartiles(Double.NaN, Double.NaN, Double.NaN);
        }
        double[] at = Quantile.withDefaults().withCopy(true).with(Quantile.EstimationMethod.HF7)
                .evaluate(values, 0.25, 0.5, 0.75);
        return new Quartiles(at[0], at[1], at[2]);
    }
}
