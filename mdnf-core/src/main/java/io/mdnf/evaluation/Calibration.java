package io.mdnf.evaluation;

import io.mdnf.random.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Calibration by simulation, for discrete latents: of all cases in which the posterior says "x_d = k with probability
 * 0.3", x_d = k must hold in 3 of 10.
 *
 * <p>CodeSpace are drawn from the prior and data from p(y | x); of each case one variable and one of its categories are
 * picked at random, which makes the outcomes independent. Predictions are put into bins. If the posterior's marginals
 * are right, each outcome is a coin with the predicted probability, so the statistic
 * sum over bins of (observed - expected)^2 / variance is compared with its own simulation from those coins: the
 * p-value is exact whatever the sizes of the bins, so a right posterior is rejected at level alpha with probability at
 * most alpha.
 *
 * <p>A posterior that always answers with the prior is calibrated too: this check finds posteriors that are too sure or
 * not sure enough, not those that ignore the data.
 */
public final class Calibration {

    private static final int REPLICATES = 9999;

    private Calibration() {
    }

    /**
     * A simulated case.
     *
     * @param <Y> what data look like
     * @param code the true latent values, indices [D], drawn from the prior
     * @param data drawn from p(y | code)
     */
    public record Case<Y>(int[] code, Y data) {
    }

    /**
     * What happened to predictions between two probabilities.
     *
     * @param from lower end
     * @param to upper end
     * @param cases how many predictions fell in
     * @param predicted their mean
     * @param observed how often what they predicted was the case, NaN without cases
     * @param standardError of {@code observed}, if the predictions are right
     */
    public record Bin(double from, double to, int cases, double predicted, double observed, double standardError) {
    }

    /**
     * The outcome.
     *
     * @param cases how many cases were simulated
     * @param pValue how often a right posterior would look at least this wrong
     * @param bins predictions against frequencies
     */
    public record Result(int cases, double pValue, List<Bin> bins) {

        /** Copies the list. */
        public Result {
            bins = List.copyOf(bins);
        }

        /**
         * The verdict.
         *
         * @param falseAlarmRate how often a right posterior may be called wrong, e.g. 0.01
         * @return whether the posterior passes
         */
        public boolean calibrated(double falseAlarmRate) {
            return pValue > falseAlarmRate;
        }

        /** Returns the verdict at a false-alarm rate of 1 % in one sentence for a person. */
        public String sentence() {
            String figures = String.format(Locale.ROOT, "%d simulated cases, p = %.4f", cases, pValue);
            return calibrated(0.01)
                    ? "The predicted probabilities agree with how often things happen (" + figures + ")."
                    : "The predicted probabilities do not agree with how often things happen (" + figures
                            + "; a right posterior fails 1 time in 100): see the bins.";
        }
    }

    /**
     * Checks a posterior.
     *
     * @param <Y> what data look like
     * @param cases how many cases to simulate, at least 1; 1,000 find errors of about 0.05
     * @param bins how many bins of equal width, at least 1
     * @param simulator draws a case with the given numbers; called once per case
     * @param marginals the posterior's marginals given the data, [D][K_d]
     * @param seed of everything random here
     * @return p-value and bins
     */
    public static <Y> Result check(int cases, int bins, Function<UniformRandomProvider, Case<Y>> simulator,
                                   Function<Y, double[][]> marginals, Seed seed) {
        if (cases < 1 || bins < 1) {
            throw new IllegalArgumentException("cases = " + cases + ", bins = " + bins + ": must be at least 1");
        }
        double[] predicted = new double[cases];
        boolean[] outcome = new boolean[cases];
        for (int i = 0; i < cases; i++) {
            Case<Y> drawn = simulator.apply(seed.fold("case").fold(i).generator());
            double[][] q = marginals.apply(drawn.data());
            UniformRandomProvider pick = seed.fold("pick").fold(i).generator();
            int d = pick.nextInt(q.length);
            int k = pick.nextInt(q[d].length);
            predicted[i] = probability(q[d][k], d, k);
            outcome[i] = drawn.code()[d] == k;
        }
        return new Result(cases, pValue(predicted, outcome, bins, seed.fold("coins")),
                table(predicted, outcome, bins));
    }

    /** Rounding may leave [0, 1] a little. */
    private static double probability(double p, int d, int k) {
        if (!(p >= -1e-6 && p <= 1 + 1e-6)) {
            throw new IllegalArgumentException("marginals[" + d + "][" + k + "] = " + p + ": not a probability");
        }
        return Math.min(1, Math.max(0, p));
    }

    private static int bin(double p, int bins) {
        return Math.min(bins - 1, (int) (p * bins));
    }

    private static double pValue(double[] predicted, boolean[] outcome, int bins, Seed seed) {
        double observed = statistic(predicted, outcome, bins);
        UniformRandomProvider rng = seed.generator();
        boolean[] coins = new boolean[outcome.length];
        int asLarge = 1;
        for (int r = 0; r < REPLICATES; r++) {
            for (int i = 0; i < coins.length; i++) {
                coins[i] = rng.nextDouble() < predicted[i];
            }
            // A hair below, so that equal outcomes count as equal whatever the rounding.
            asLarge += statistic(predicted, coins, bins) >= observed * (1 - 1e-12) ? 1 : 0;
        }
        return asLarge / (REPLICATES + 1.0);
    }

    private static double statistic(double[] predicted, boolean[] outcome, int bins) {
        double[] excess = new double[bins];
        double[] variance = new double[bins];
        for (int i = 0; i < predicted.length; i++) {
            double p = predicted[i];
            if (outcome[i] ? p == 0 : p == 1) {
                return Double.POSITIVE_INFINITY;
            }
            int b = bin(p, bins);
            excess[b] += (outcome[i] ? 1 : 0) - p;
            variance[b] += p * (1 - p);
        }
        double sum = 0;
        for (int b = 0; b < bins; b++) {
            sum += variance[b] == 0 ? 0 : excess[b] * excess[b] / variance[b];
        }
        return sum;
    }

    private static List<Bin> table(double[] predicted, boolean[] outcome, int bins) {
        int[] cases = new int[bins];
        int[] hits = new int[bins];
        double[] sum = new double[bins];
        double[] variance = new double[bins];
        for (int i = 0; i < predicted.length; i++) {
            int b = bin(predicted[i], bins);
            cases[b]++;
            hits[b] += outcome[i] ? 1 : 0;
            sum[b] += predicted[i];
            variance[b] += predicted[i] * (1 - predicted[i]);
        }
        List<Bin> table = new ArrayList<>();
        for (int b = 0; b < bins; b++) {
            table.add(new Bin((double) b / bins, (b + 1.0) / bins, cases[b], sum[b] / cases[b],
                    (double) hits[b] / cases[b], Math.sqrt(variance[b]) / cases[b]));
        }
        return table;
    }
}
