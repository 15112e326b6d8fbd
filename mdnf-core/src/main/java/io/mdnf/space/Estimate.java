package io.mdnf.space;

import java.util.Locale;

/**
 * A number that may be known only up to an error: a Monte-Carlo estimate, or an exact figure with error 0.
 *
 * @param value the estimate
 * @param standardError its standard deviation, itself estimated, 0 if exact; +infinity where it cannot be: from one
 *        value, or with an infinite value among them
 */
public record Estimate(double value, double standardError) {

    /** Returns mean and standard error of independent values, at least one; -infinity makes the mean -infinity. */
    public static Estimate of(double... values) {
        Check.that(values.length != 0, "values is empty: there is no mean of nothing");
        int n = values.length;
        double mean = CompensatedSum.over(n, i -> values[i]) / n;
        Check.that(!Double.isNaN(mean), "values: their mean is NaN");
        if (n == 1 || Double.isInfinite(mean)) {
            return new Estimate(mean, Double.POSITIVE_INFINITY);
        }
        double squares = CompensatedSum.over(n, i -> (values[i] - mean) * (values[i] - mean));
        return new Estimate(mean, Math.sqrt(squares / (n - 1.0) / n));
    }

    /** Returns an exact figure. */
    public static Estimate exact(double value) {
        return new Estimate(value, 0);
    }

    /** Returns whether the value is exact. */
    public boolean isExact() {
        return standardError == 0;
    }

    /** Returns six digits of an exact figure, and of another as many as its error leaves any meaning. */
    @Override
    public String toString() {
        if (Double.isInfinite(value)) {
            return value < 0 ? "-infinity" : "infinity";
        }
        boolean known = standardError > 0 && standardError < Double.POSITIVE_INFINITY;
        int digits = known ? (int) Math.max(0, Math.min(9, 1 - Math.floor(Math.log10(standardError)))) : 6;
        String text = String.format(Locale.ROOT, "%." + digits + "f", value);
        String number = text.matches("-[0.]+") ? text.substring(1) : text;
        return known ? number + String.format(Locale.ROOT, " ± %." + digits + "f", standardError) : number;
    }
}
