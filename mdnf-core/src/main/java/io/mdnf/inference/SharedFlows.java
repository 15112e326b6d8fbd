package io.mdnf.inference;

import io.mdnf.base.Deltas;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.Made;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import java.util.Arrays;

/**
 * Turns one network s(x_&lt;d) whose softmax is a conditional distribution into B flows of deltas whose mixture has
 * nearly the same: all flows share the network, and flow b adds a constant g_b to its logits,
 *
 * <pre>{@code q_d(k | x_<d) = sum_b rho_bd [argmax(s_d + g_bd) = k]. }</pre>
 *
 * <p>With g_b drawn from the Gumbel distribution and equal weights this is softmax(s) in the limit of many flows. Here
 * g is s times a Gumbel vector from an evenly spread sequence, which reaches further into the tails, and rho is
 * proportional to the ratio of the two laws of the differences g_k - g_j that decide,
 *
 * <pre>{@code rho ~ prod_k softmax(-g)_k / prod_k softmax(-g / s)_k. }</pre>
 *
 * <p>That is right for any s, and with few flows not very; so rho is then adjusted to the s that the posterior meets.
 *
 * <p>A category whose logit is more than {@code reach} below another's has probability exactly 0, which an impossible
 * code needs: no g_k is further than that above another.
 */
record SharedFlows(Mixture mixture) {

    /** Steps of EM on the weights, each of which can only gain. */
    private static final int ADJUSTMENTS = 50;
    /** How much the quadrature's own weights count, against 1 for the examples. */
    private static final double PRIOR = 0.003;

    /** Flows that share a network, which has an output bias for each of them. */
    static SharedFlows of(Made network) {
        return new SharedFlows(new Mixture(Structure.PER_VARIABLE, new ShiftFlow(network),
                Deltas.zero(network.space(), network.components()), Weighting.FREE));
    }

    /**
     * The mixture's parameters in the order of its layout.
     *
     * @param layout of the network with one component
     * @param reach for each variable how far a logit may fall behind, [D]; 0 leaves only the best category
     * @param examples logits of the network at codes that matter, [n][D * K]; possibly none
     */
    double[] parameters(ParameterLayout layout, double[] trained, double[] reach, double[][] examples) {
        CodeSpace space = mixture.space();
        int components = mixture.components();
        ParameterLayout whole = mixture.layout();
        double[] flat = new double[whole.size()];
        double[] weights = new double[space.variables() * components];
        for (Parameter part : layout.parameters()) {
            double[] values = layout.read(part.name(), trained);
            if (part.name().equals("bias")) {
                double[] own = new double[values.length * components];
                Arrays.setAll(own, i -> values[i % values.length]);
                for (int d = 0; d < space.variables(); d++) {
                    adjust(d, spread(d, reach[d], own, weights), weights, examples);
                }
                flat = whole.with("flow/shift/bias", own, flat);
            } else {
                flat = whole.with("flow/shift/" + part.name(), values, flat);
            }
        }
        return mixture.weighted(weights, flat);
    }

    /** Adds g to the biases [B, D, K] of one variable and sets its weights [D, B]. Returns g, flat [B, K_d]. */
    private double[] spread(int d, double reach, double[] bias, double[] weights) {
        CodeSpace space = mixture.space();
        int components = mixture.components();
        int k = space.cardinality(d);
        double[] all = new double[components * k];
        double scale = 1 + 1.0 / Math.max(1, k - 1);
        double[] logRho = new double[components];
        for (int b = 0; b < components; b++) {
            double[] gumbel = gumbel(k, b);
            double[] g = Arrays.stream(gumbel).map(each -> scale * each).toArray();
            logRho[b] = logProduct(g) - logProduct(gumbel);
            double best = Arrays.stream(g).max().orElseThrow();
            for (int c = 0; c < k; c++) {
                all[b * k + c] = Math.max(g[c] - best, -Math.max(0, reach));
                bias[(b * space.variables() + d) * space.width() + c] += all[b * k + c];
            }
        }
        System.arraycopy(LogSpace.normalise(logRho), 0, weights, d * components, components);
        return all;
    }

    /** Adjusts the weights of one variable to the distributions p it has at the examples: steps of expectation
     * maximisation of mean_n sum_k p_nk log q_nk, which is concave in the weights, held near the quadrature's. */
    private void adjust(int d, double[] g, double[] weights, double[][] examples) {
        if (examples.length == 0) {
            return;
        }
        CodeSpace space = mixture.space();
        int components = mixture.components();
        int start = d * space.width();
        double[][] logits = Arrays.stream(examples)
                .map(row -> Arrays.copyOfRange(row, start, start + space.cardinality(d))).toArray(double[][]::new);
        double[][] p = Arrays.stream(logits).map(LogSpace::normalise).toArray(double[][]::new);
        int[][] choices = Arrays.stream(logits).map(row -> choices(row, g)).toArray(int[][]::new);
        double[] first = Arrays.copyOfRange(weights, d * components, (d + 1) * components);
        double[] rho = first;
        for (int step = 0; step < ADJUSTMENTS; step++) {
            double[] share = shares(rho, p, choices);
            for (int b = 0; b < components; b++) {
                share[b] += PRIOR * first[b];
            }
            double sum = Arrays.stream(share).sum();
            rho = Arrays.stream(share).map(each -> each / sum).toArray();
        }
        System.arraycopy(rho, 0, weights, d * components, components);
    }

    /** The category that each flow chooses, [B]. */
    private int[] choices(double[] logits, double[] g) {
        int[] choices = new int[mixture.components()];
        for (int b = 0; b < choices.length; b++) {
            int offset = b * logits.length;
            for (int c = 1; c < logits.length; c++) {
                if (logits[c] + g[offset + c] > logits[choices[b]] + g[offset + choices[b]]) {
                    choices[b] = c;
                }
            }
        }
        return choices;
    }

    /** The share of the examples' mass that each flow accounts for, [B]. */
    private double[] shares(double[] rho, double[][] p, int[][] choices) {
        int components = mixture.components();
        double[] shares = new double[components];
        double[] q = new double[p[0].length];
        for (int n = 0; n < p.length; n++) {
            int[] chosen = choices[n];
            Arrays.fill(q, 0);
            for (int b = 0; b < components; b++) {
                q[chosen[b]] += rho[b];
            }
            // what a flow gets per weight depends on its category only: no division for every flow
            for (int c = 0; c < q.length; c++) {
                q[c] = q[c] > 0 ? p[n][c] / q[c] : 0;
            }
            for (int b = 0; b < components; b++) {
                shares[b] += q[chosen[b]];
            }
        }
        for (int b = 0; b < components; b++) {
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
    private double[] gumbel(int k, int b) {
        if (k == 2) {
            double u = (b + 0.5) / mixture.components();
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
}
