package io.mdnf.evaluation;

import io.mdnf.space.CompensatedSum;
import io.mdnf.space.LogSpace;
import java.util.Arrays;

/**
 * The shape k of the tail of importance weights: how many of their moments exist, 1/k.
 *
 * <p>A generalised Pareto distribution is fitted to the largest weights, by Zhang and Stephens (Technometrics 51, 2009)
 * with the weak prior towards 0.5 of Vehtari, Simpson, Gelman, Yao and Gabry (Pareto smoothed importance sampling, JMLR
 * 25, 2024). Below about 0.7 estimates from the weights can be trusted; from 1 on their mean does not exist.
 *
 * <p>Weights of codes repeat. Where the cut falls among equal weights it is lowered to the next smaller one, so that
 * every weight of the tail exceeds it.
 */
final class ParetoK {

    /** All four as published: a shape needs five weights, the grid has 30 points and more with the tail, the prior
     * counts as ten weights of shape a half. */
    private static final int LEAST_TAIL = 5;
    private static final int GRID = 30;
    private static final double PRIOR_OBSERVATIONS = 10;
    private static final double PRIOR_SHAPE = 0.5;
    /** Relative differences below this are rounding. */
    private static final double EQUAL = 1e-9;

    private ParetoK() {
    }

    /**
     * Returns k of log weights, up to a common constant, -infinity if the largest are all equal,
     * so that there is no tail; +infinity if there are too few to judge: fewer than 25, or fewer than 5 positive ones.
     */
    public static double of(double... logWeights) {
        LogSpace.check("logWeights", logWeights);
        double[] weights = logWeights.clone();
        Arrays.sort(weights);
        int n = weights.length;
        double max = n == 0 ? Double.NEGATIVE_INFINITY : weights[n - 1];
        int tail = (int) Math.ceil(Math.min(0.2 * n, 3 * Math.sqrt(n)));
        if (tail < LEAST_TAIL || max == Double.NEGATIVE_INFINITY) {
            return Double.POSITIVE_INFINITY;
        }
        Arrays.setAll(weights, i -> Math.exp(weights[i] - max));
        int positive = 0;
        while (weights[positive] == 0) {
            positive++;
        }
        int first = Math.max(positive, n - tail);
        while (first > positive && weights[first - 1] >= weights[first] * (1 - EQUAL)) {
            first--;
        }
        if (n - first < LEAST_TAIL) {
            return Double.POSITIVE_INFINITY;
        }
        double cut = first == 0 ? 0 : weights[first - 1];
        if (weights[first] >= 1 - EQUAL) {
            return Double.NEGATIVE_INFINITY;
        }
        return shape(Arrays.stream(weights, first, n).map(w -> w - cut).toArray());
    }

    /**
     * The shape k of a generalised Pareto distribution fitted to sorted positive values, drawn a little towards 0.5.
     */
    static double shape(double[] x) {
        int n = x.length;
        int points = GRID + (int) Math.sqrt(n);
        double quartile = x[(int) Math.floor(n / 4.0 + 0.5) - 1];
        double[] theta = new double[points];
        double[] logLikelihood = new double[points];
        for (int j = 0; j < points; j++) {
            theta[j] = 1 / x[n - 1] + (1 - Math.sqrt(points / (j + 0.5))) / (3 * quartile);
            double k = meanLog(theta[j], x);
            // At theta = 0 the distribution is exponential, and -theta / k is 1 / mean(x).
            double rate = theta[j] == 0 ? 1 / Arrays.stream(x).average().orElseThrow() : -theta[j] / k;
            logLikelihood[j] = n * (Math.log(rate) - k - 1);
        }
        double[] weight = LogSpace.normalise(logLikelihood);
        double mean = 0;
        for (int j = 0; j < points; j++) {
            mean += weight[j] * theta[j];
        }
        return (n * meanLog(mean, x) + PRIOR_OBSERVATIONS * PRIOR_SHAPE) / (n + PRIOR_OBSERVATIONS);
    }

    /** k of a given theta: mean of log(1 - theta x). */
    private static double meanLog(double theta, double[] x) {
        return CompensatedSum.over(x.length, i -> Math.log1p(-theta * x[i])) / x.length;
    }
}
