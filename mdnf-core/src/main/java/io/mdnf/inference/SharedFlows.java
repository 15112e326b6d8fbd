package io.mdnf.inference;

import io.mdnf.base.Deltas;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.Made;
import io.mdnf.space.Codes;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Turns one network s(x_&lt;d) whose softmax is a conditional distribution into B flows of deltas whose mixture has nearly
 * the same: all flows share the network, and flow b adds a constant g_b to its logits,
 *
 * <pre>{@code q_d(k | x_<d) = sum_b rho_bd [argmax(s_d + g_bd) = k]. }</pre>
 *
 * <p>With g_b drawn from the Gumbel distribution and equal weights this is softmax(s) in the limit of many flows. Here g
 * and rho are a quadrature of that law: for every category some flows in which it alone is ahead, by steps up to
 * {@code reach}, weighted by the probability of that lead, 1 / (1 + (K - 1) e^a) for a lead above a; and some flows for
 * the rest of the law, in which no category is far ahead. A category whose logit is more than {@code reach} below the
 * best has probability exactly 0, which an impossible code needs.
 *
 * @param codes the space
 * @param components B
 * @param network makes the same network for any number of components
 */
record SharedFlows(Codes codes, int components, IntFunction<Made> network) {

    /** Leads below this belong to the bulk of the law. */
    private static final double NEAR = 0.7;
    /** A third of the flows serve the bulk. */
    private static final int BULK = 3;

    /** The mixture that is filled. */
    Mixture mixture() {
        return new Mixture(Structure.PER_VARIABLE, new ShiftFlow(network.apply(components)),
                Deltas.zero(codes, components), Weighting.FREE);
    }

    /**
     * The mixture's parameters.
     *
     * @param layout of the network with one component
     * @param trained its values
     * @param reach for each variable how far a logit may fall behind, [D]; 0 leaves only the best category
     * @return in the order of the mixture's layout
     */
    double[] parameters(ParameterLayout layout, double[] trained, double[] reach) {
        Mixture mixture = mixture();
        ParameterLayout whole = mixture.layout();
        double[] flat = new double[whole.size()];
        double[] weights = new double[codes.variables() * components];
        for (Parameter part : layout.parameters()) {
            double[] one = layout.read(part.name(), trained);
            double[] all = new double[one.length * components];
            for (int b = 0; b < components; b++) {
                System.arraycopy(one, 0, all, b * one.length, one.length);
            }
            if (part.name().equals("bias")) {
                for (int d = 0; d < codes.variables(); d++) {
                    spread(d, reach[d], all, weights);
                }
            }
            flat = whole.with("flow/shift/" + part.name(), all, flat);
        }
        return mixture.weighted(weights, flat);
    }

    /** Adds g to the biases [B, D, K] of one variable and sets its weights [D, B]. */
    private void spread(int d, double reach, double[] bias, double[] weights) {
        int k = codes.cardinality(d);
        if (reach <= 0 || k == 1 || components == 1) {
            weights[d * components] = 1;
            return;
        }
        // with two categories the lead is all there is
        double near = k == 2 ? 0 : Math.min(NEAR, reach / 2);
        int bulk = k == 2 ? 0 : components / BULK;
        int levels = (components - bulk) / k;
        if (levels == 0) {
            near = Double.POSITIVE_INFINITY;
            bulk = components;
        }
        double left = 1;
        int b = bulk;
        for (int c = 0; c < k; c++) {
            for (int level = 0; level < levels; level++, b++) {
                double from = ahead(k, near + level * (reach - near) / levels);
                double to = level == levels - 1 ? 0 : ahead(k, near + (level + 1) * (reach - near) / levels);
                double lead = Math.min(reach, Math.log((2 / (from + to) - 1) / (k - 1)));
                bias[(b * codes.variables() + d) * codes.width() + c] += lead;
                weights[d * components + b] = from - to;
                left -= from - to;
            }
        }
        double[][] rest = near(k, bulk, near);
        for (int i = 0; i < bulk; i++) {
            for (int c = 0; c < k; c++) {
                bias[(i * codes.variables() + d) * codes.width() + c] += rest[i][c];
            }
            weights[d * components + i] = left / bulk;
        }
    }

    /** The probability that a given one of k Gumbel variables is more than so much ahead of all others. */
    private static double ahead(int k, double lead) {
        return 1 / (1 + (k - 1) * Math.exp(lead));
    }

    /** Gumbel vectors whose best is less than so much ahead, from an additive sequence of low discrepancy. */
    private static double[][] near(int k, int count, double lead) {
        double root = 2;
        for (int i = 0; i < 60; i++) {
            root = Math.pow(1 + root, 1.0 / (k + 1));
        }
        double[][] found = new double[count][];
        for (int i = 1, n = 0; n < count; i++) {
            double[] g = new double[k];
            for (int c = 0; c < k; c++) {
                g[c] = -Math.log(-Math.log((0.5 + i * Math.pow(root, -c - 1)) % 1));
            }
            double[] sorted = g.clone();
            Arrays.sort(sorted);
            if (sorted[k - 1] - sorted[k - 2] < lead) {
                found[n++] = g;
            }
        }
        return found;
    }
}
