package io.mdnf.space;

import java.util.Arrays;
import java.util.Locale;

/**
 * A number that may be known only up to an error: a Monte-Carlo estimate, or an exact figure with error 0.
 *
 * @param value the estimate
 * @param standardError its standard deviation, itself estimated, 0 if exact; +infinity where it cannot be: from one value, or with
 *        an infinite value among them
 */
public record Estimate(double value, double standardError) {

    /**
     * The mean of independent values.
     *
     * @param values at least one; -infinity makes the mean -infinity
     * @return mean and standard error
     */
    public static Estimate of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("values is empty: there is no mean of nothing");
        }
        int n = values.length;
        double mean = CompensatedSum.over(n, i -> values[i]) / n;
        if (Double.isNaN(mean)) {
            throw new IllegalArgumentException("values: their mean is NaN");
        }
        if (n == 1 || Double.isInfinite(mean)) {
            return new Estimate(mean, Double.POSITIVE_INFINITY);
        }
        double squares = CompensatedSum.over(n, i -> (values[i] - mean) * (values[i] - mean));
        return new Estimate(mean, Math.sqrt(squares / (n - 1.0) / n));
    }

    /**
     * The ELBO E_q[log p(D, x) - log q(x)], a lower bound of log p(D): the mean of the log weights.
     *
     * @param logWeights log p(D, x_s) - log q(x_s) of independent x_s from q
     * @return the ELBO in nats
     */
    public static Estimate elbo(double... logWeights) {
        LogSpace.check("logWeights", logWeights);
        return of(logWeights);
    }

    /**
     * The importance-weighted bound E[log (1/k) sum_{j=1..k} w_j]: a lower bound of log p(D) for every k, the ELBO for
     * k = 1, and never falling with k.
     *
     * @param logWeights log p(D, x_s) - log q(x_s) of independent x_s from q; their number must be a multiple of k
     * @param k how many weights are averaged inside the logarithm, at least 1
     * @return the bound in nats, from n / k independent groups
     */
    public static Estimate importanceWeighted(double[] logWeights, int k) {
        if (k < 1 || logWeights.length == 0 || logWeights.length % k != 0) {
            throw new IllegalArgumentException("k = " + k + " with " + logWeights.length
                    + " log weights: their number must be a positive multiple of k");
        }
        LogSpace.check("logWeights", logWeights);
        double[] bounds = new double[logWeights.length / k];
        for (int g = 0; g < bounds.length; g++) {
            bounds[g] = LogSpace.meanExp(Arrays.copyOfRange(logWeights, g * k, (g + 1) * k));
        }
        return of(bounds);
    }

    /**
     * An exact figure.
     *
     * @param value the figure
     * @return the value without an error
     */
    public static Estimate exact(double value) {
        return new Estimate(value, 0);
    }

    /** Returns whether the value is exact. */
    public boolean isExact() {
        return standardError == 0;
    }

    /**
     * How far another value is from the estimate.
     *
     * @param other the value
     * @return (value - other) / standardError
     */
    public double standardErrorsAbove(double other) {
        return value == other ? 0 : (value - other) / standardError;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.4f +- %.2g", value, standardError);
    }
}
