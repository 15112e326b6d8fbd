package io.mdnf.distribution;

import io.mdnf.space.Check;
import io.mdnf.space.LogSpace;
import java.util.Arrays;

/**
 * B flows of a delta that share their logits s: flow b adds a constant g_b, and moves the delta to the largest,
 *
 * <pre>{@code q(k) = sum_b rho_b [argmax(s + g_b) = k]. }</pre>
 *
 * <p>With g_b drawn from the Gumbel distribution and equal weights this is softmax(s) in the limit of many flows. Here
 * g is t times a Gumbel vector from an evenly spread sequence, which reaches further into the tails, and rho is
 * proportional to the ratio of the two laws of the differences g_k - g_j that decide,
 *
 * <pre>{@code rho ~ prod_k softmax(-g)_k / prod_k softmax(-g / t)_k,   t = 1 + 1 / (K - 1). }</pre>
 *
 * <p>That is right for any s, and with few flows not very; so rho is then {@linkplain #adjusted adjusted} to the s that
 * a posterior meets. A category of logit -infinity is never chosen, nor one further behind than the flows reach.
 *
 * @param categories K
 * @param shifts g, flat [B, K], the largest of each flow 0
 * @param weights rho, [B]
 */
record CountedFlows(int categories, double[] shifts, double[] weights) {

    /** Steps of EM on the weights, each of which can only gain. */
    private static final int ADJUSTMENTS = 50;
    /** How much the quadrature's own weights count, against 1 for the examples. */
    private static final double PRIOR = 0.003;

    /** Checks the shapes. */
    public CountedFlows {
        Check.that(categories >= 1 && weights.length >= 1 && shifts.length == weights.length * categories,
                "shifts has ", shifts.length, " values, weights ", weights.length, ": not those of ",
                categories, " categories");
    }

    /**
     * Flows for any logits.
     *
     * @param components B
     * @param reach how far a logit may fall behind the largest and still be chosen; 0 leaves only the best category
     */
    public static CountedFlows of(int categories, int components, double reach) {
        Check.that(components >= 1, "components = ", components, ": at least 1");
        double[] shifts = new double[components * categories];
        double[] logRho = new double[components];
        double scale = 1 + 1.0 / Math.max(1, categories - 1);
        for (int b = 0; b < components; b++) {
            double[] gumbel = gumbel(categories, b, components);
            double[] g = Arrays.stream(gumbel).map(each -> scale * each).toArray();
            logRho[b] = logProduct(g) - logProduct(gumbel);
            double best = Arrays.stream(g).max().orElseThrow();
            for (int k = 0; k < categories; k++) {
                shifts[b * categories + k] = Math.max(g[k] - best, -Math.max(0, reach));
            }
        }
        return new CountedFlows(categories, shifts, LogSpace.normalise(logRho));
    }

    /** Writes q into a row that holds s, k &lt; K, the largest finite. */
    void apply(double[] row) {
        double[] q = new double[categories];
        for (int b = 0; b < weights.length; b++) {
            q[choice(row, b)] += weights[b];
        }
        System.arraycopy(q, 0, row, 0, categories);
    }

    private int choice(double[] logits, int b) {
        int at = b * categories;
        int best = 0;
        for (int k = 1; k < categories; k++) {
            best = logits[k] + shifts[at + k] > logits[best] + shifts[at + best] ? k : best;
        }
        return best;
    }

    /**
     * Returns the same with weights for some logits [n][K]: steps of expectation maximisation of mean_n sum_k p_nk log
     * q_nk, which is concave in the weights, held near the quadrature's.
     */
    public CountedFlows adjusted(double[][] logits) {
        if (logits.length == 0 || categories == 1) {
            return this;
        }
        double[][] p = Arrays.stream(logits).map(LogSpace::normalise).toArray(double[][]::new);
        int[][] choices = new int[logits.length][weights.length];
        for (int n = 0; n < logits.length; n++) {
            for (int b = 0; b < weights.length; b++) {
                choices[n][b] = choice(logits[n], b);
            }
        }
        double[] rho = weights;
        for (int step = 0; step < ADJUSTMENTS; step++) {
            double[] share = shares(rho, p, choices);
            double sum = 0;
            for (int b = 0; b < share.length; b++) {
                share[b] += PRIOR * weights[b];
                sum += share[b];
            }
            double all = sum;
            rho = Arrays.stream(share).map(each -> each / all).toArray();
        }
        return new CountedFlows(categories, shifts, rho);
    }

    /** The share of the examples' mass that each flow accounts for, [B]. */
    private static double[] shares(double[] rho, double[][] p, int[][] choices) {
        double[] shares = new double[rho.length];
        double[] q = new double[p[0].length];
        for (int n = 0; n < p.length; n++) {
            int[] chosen = choices[n];
            Arrays.fill(q, 0);
            for (int b = 0; b < rho.length; b++) {
                q[chosen[b]] += rho[b];
            }
            // what a flow gets per weight depends on its category only: no division for every flow
            for (int k = 0; k < q.length; k++) {
                q[k] = q[k] > 0 ? p[n][k] / q[k] : 0;
            }
            for (int b = 0; b < rho.length; b++) {
                shares[b] += q[chosen[b]];
            }
        }
        for (int b = 0; b < rho.length; b++) {
            shares[b] *= rho[b] / p.length;
        }
        return shares;
    }

    /** log prod_k softmax(-g)_k, up to a constant the logarithm of the density of differences of Gumbel variables. */
    private static double logProduct(double[] g) {
        double total = LogSpace.sumExp(Arrays.stream(g).map(each -> -each).toArray());
        return Arrays.stream(g).map(each -> -each - total).sum();
    }

    /** The b-th Gumbel vector of an even spread; of two categories only the difference counts. */
    private static double[] gumbel(int k, int b, int components) {
        if (k == 2) {
            double u = (b + 0.5) / components;
            return new double[] {Math.log(u / (1 - u)), 0};
        }
        // an additive sequence of low discrepancy, each point in all rotations so that no category is preferred
        double root = 2;
        for (int i = 0; i < 60; i++) {
            root = Math.pow(1 + root, 1.0 / (k + 1));
        }
        double[] g = new double[k];
        for (int c = 0; c < k; c++) {
            double u = (0.5 + (b / k + 1) * Math.pow(root, -c - 1)) % 1;
            g[(c + b) % k] = -Math.log(-Math.log(u));
        }
        return g;
    }

    @Override
    public String toString() {
        return weights.length + " flows of " + categories + " categories";
    }
}
