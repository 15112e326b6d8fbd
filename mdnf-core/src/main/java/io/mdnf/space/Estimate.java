package io.mdnf.space;

import java.util.Arrays;
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

    /**
     * Returns the ELBO E_q[log p(D, x) - log q(x)] in nats, a lower bound of log p(D): the mean of the log weights log
     * p(D, x_s) - log q(x_s) of independent x_s from q.
     */
    public static Estimate elbo(double... logWeights) {
        LogSpace.check("logWeights", logWeights);
        return of(logWeights);
    }

    /**
     * Returns the importance-weighted bound E[log (1/k) sum_{j=1..k} w_j] in nats: a lower bound of log p(D) for every
     * k, the ELBO for k = 1, and never falling with k. The log weights are as for {@link #elbo}, n / k independent
     * groups of k, which is at least 1 and divides n.
     */
    public static Estimate importanceWeighted(double[] logWeights, int k) {
        Check.that(k >= 1 && logWeights.length != 0 && logWeights.length % k == 0, "k = " + k + " with "
                + logWeights.length + " log weights: their number must be a positive multiple of k");
        LogSpace.check("logWeights", logWeights);
        double[] bounds = new double[logWeights.length / k];
        for (int g = 0; g < bounds.length; g++) {
            bounds[g] = LogSpace.meanExp(Arrays.copyOfRange(logWeights, g * k, (g + 1) * k));
        }
        return of(bounds);
    }

    /** Returns an exact figure. */
    public static Estimate exact(double value) {
        return new Estimate(value, 0);
    }

    /** Returns whether the value is exact. */
    public boolean isExact() {
        return standardError == 0;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.4f +- %.2g", value, standardError);
    }
}
