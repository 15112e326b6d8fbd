package io.mdnf.evaluation;

import io.mdnf.space.Check;
import io.mdnf.space.Estimate;
import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.Locale;

/**
 * log p(D) between bounds.
 *
 * <p>Importance weights w_i = p(D, x_i) / q(x_i) of n independent samples of q have the mean p(D). Their mean is the
 * estimate. For a bound from below they are put into G groups; with the mean w_g of each, E[prod_g w_g] = p(D)^G, so by
 * Markov's inequality
 *
 * <pre>{@code (1 / G) sum_g log w_g - log(1 / delta) / G > log p(D)   with a probability of at most delta, }</pre>
 *
 * <p>whatever the weights are. With G = n this is the ELBO less next to nothing. Several G are tried, each with its
 * share of delta = 1e-6, and the best is kept. The bound from above is given: by Hoelder's inequality it holds
 * for certain.
 *
 * @param lower below log p(D), but for a chance of one in a million
 * @param upper not below log p(D); +infinity if none is known
 * @param estimate of log p(D) by the mean weight; its error, to first order, says little where a few weights carry all
 */
public record LogEvidence(double lower, double upper, Estimate estimate) {

    /** The chance that the lower bound is none. */
    private static final double RISK = 1e-6;
    /** Fewer groups than this lose more to the chance than their larger means win. */
    private static final int FEWEST_GROUPS = 8;

    /** An exact figure. */
    public static LogEvidence exact(double value) {
        return new LogEvidence(value, value, Estimate.exact(value));
    }

    /** What log weights [n], at least one, of independent samples say, with an upper bound from elsewhere. */
    public static LogEvidence of(double[] logWeights, double upper) {
        Check.that(logWeights.length != 0, "logWeights is empty: nothing was sampled");
        double mean = LogSpace.meanExp(logWeights);
        double lower = lower(logWeights);
        return new LogEvidence(Math.min(lower, upper), upper,
                new Estimate(Math.min(upper, Math.max(lower, mean)), error(logWeights, mean)));
    }

    /** The best over groups of 1, 2, 4, .. samples: each level adds the sums of the one before in pairs. */
    private static double lower(double[] logWeights) {
        int levels = 1;
        while (logWeights.length >> levels >= FEWEST_GROUPS) {
            levels++;
        }
        double chance = Math.log(levels / RISK);
        double[] sums = logWeights;
        double best = Double.NEGATIVE_INFINITY;
        for (int level = 0; level < levels; level++) {
            double mean = Arrays.stream(sums).sum() / sums.length - level * Math.log(2);
            best = Math.max(best, mean - chance / sums.length);
            double[] pairs = new double[sums.length / 2];
            for (int i = 0; i < pairs.length; i++) {
                pairs[i] = add(sums[2 * i], sums[2 * i + 1]);
            }
            sums = pairs;
        }
        return best;
    }

    private static double add(double a, double b) {
        double larger = Math.max(a, b);
        return larger == Double.NEGATIVE_INFINITY ? larger : larger + Math.log1p(Math.exp(Math.min(a, b) - larger));
    }

    /** Of the logarithm of the mean weight, to first order: the weights' standard error over their mean. */
    private static double error(double[] logWeights, double logMean) {
        if (logMean == Double.NEGATIVE_INFINITY) {
            return Double.POSITIVE_INFINITY;
        }
        double[] relative = new double[logWeights.length];
        for (int i = 0; i < relative.length; i++) {
            relative[i] = Math.exp(logWeights[i] - logMean);
        }
        return Estimate.of(relative).standardError();
    }

    @Override
    public String toString() {
        return lower == upper ? estimate.toString()
                : String.format(Locale.ROOT, "between %.4f and %.4f, about %s", lower, upper, estimate);
    }
}
