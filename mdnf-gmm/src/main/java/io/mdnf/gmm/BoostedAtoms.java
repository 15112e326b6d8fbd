package io.mdnf.gmm;

import io.mdnf.space.LogSpace;
import java.util.Arrays;

/**
 * Components of a boosted q(Z): each gives every point one cluster, and has one weight for all points. The bound is
 * concave in the weights and, for a point's cluster within one component, a comparison of K numbers; so both can be
 * chosen exactly when everything else stays.
 */
final class BoostedAtoms {
    /** Halvings of the interval in which the best weight lies. */
    private static final int HALVINGS = 12;
    /** How far a chosen cluster's logit is put above the others, one step of the optimiser. */
    private static final double MARGIN = 0.1;
    /** The logit of a share of 1, exactly. */
    static final double MOST = 40;

    private final AllocationBound bound;
    private final int[][] clusters;
    private final double[] weights;
    private int used;

    BoostedAtoms(AllocationBound bound, int capacity) {
        this.bound = bound;
        this.clusters = new int[capacity][bound.points()];
        this.weights = new double[capacity];
    }

    /** The components behind flows' parameters, [B] times (logits [N, K], logit of the share). */
    static BoostedAtoms of(AllocationBound bound, int components, double[] flow) {
        BoostedAtoms atoms = new BoostedAtoms(bound, components);
        int each = flow.length / components;
        for (int b = 0; b < components; b++) {
            double[] own = Arrays.copyOfRange(flow, b * each, (b + 1) * each);
            atoms.add(own, LogSpace.sigmoid(own[each - 1]));
        }
        return atoms;
    }

    /** The cluster of each point [N] with the largest of the logits [N, K] that start somewhere. */
    private int[] largest(double[] logits, int start) {
        return Responsibilities.largest(bound.clusters(),
                Arrays.copyOfRange(logits, start, start + bound.logRho().length));
    }

    /** Parameters whose largest logits and shares are these components; logits that agree already stay. */
    double[] writtenInto(double[] flow) {
        double[] written = flow.clone();
        int each = flow.length / clusters.length;
        double sum = 0;
        for (int b = 0; b < clusters.length; b++) {
            int[] best = largest(written, b * each);
            for (int n = 0; n < best.length; n++) {
                int start = b * each + n * bound.clusters();
                if (b < used && best[n] != clusters[b][n]) {
                    written[start + clusters[b][n]] = written[start + best[n]] + MARGIN;
                }
            }
            sum += weights[b];
            double share = sum > 0 ? weights[b] / sum : 0;
            written[(b + 1) * each - 1] = share > 0 ? Math.min(MOST, Math.log(share) - Math.log1p(-share)) : -MOST;
        }
        return written;
    }

    static double[] joined(double[] before, double[] added, double share) {
        double[] r = new double[before.length];
        Arrays.setAll(r, i -> (1 - share) * before[i] + share * added[i]);
        return r;
    }

    /** Adds a component by its logits, [N, K] and possibly more; the earlier ones give up its share. */
    void add(double[] logits, double share) {
        clusters[used] = largest(logits, 0);
        rescale(used, share);
        used++;
    }

    /** Gives component b a weight; the others share the rest in their proportions. */
    private void rescale(int b, double share) {
        double rest = 0;
        for (int c = 0; c < weights.length; c++) {
            rest += c == b ? 0 : weights[c];
        }
        if (rest == 0) {
            weights[b] = 1;
            return;
        }
        for (int c = 0; c < weights.length; c++) {
            weights[c] = c == b ? share : weights[c] * (1 - share) / rest;
        }
    }

    /** r[N, K] = sum_b w_b onehot. */
    double[] mixture() {
        double[] r = new double[bound.logRho().length];
        for (int b = 0; b < used; b++) {
            for (int n = 0; n < bound.points(); n++) {
                r[n * bound.clusters() + clusters[b][n]] += weights[b];
            }
        }
        return r;
    }

    void refine(int rounds, double worth) {
        double before = Double.NEGATIVE_INFINITY;
        double now = bound.of(mixture());
        for (int round = 0; round < rounds && now > before + worth; round++) {
            // the newest first: it has not been chosen exactly yet
            for (int b = used - 1; b >= 0; b--) {
                refine(mixture(), b);
            }
            before = now;
            now = bound.of(mixture());
        }
    }

    /** The best clusters of component b at its weight, then the best weight. */
    private void refine(double[] r, int b) {
        int width = bound.clusters();
        if (weights[b] > 0) {
            for (int n = 0; n < bound.points(); n++) {
                r[n * width + clusters[b][n]] -= weights[b];
                clusters[b][n] = best(r, n, weights[b]);
                r[n * width + clusters[b][n]] += weights[b];
            }
        }
        double rest = 1 - weights[b];
        if (used == 1 || !(rest > 0)) {
            return;
        }
        double[] own = new double[r.length];
        double[] others = new double[r.length];
        Arrays.setAll(own, i -> clusters[b][i / width] == i % width ? 1 : 0);
        Arrays.setAll(others, i -> Math.max(0, r[i] - weights[b] * own[i]) / rest);
        double share = bestShare(others, own);
        double now = bound.of(joined(others, own, weights[b]));
        if (bound.of(joined(others, own, share)) > now) {
            rescale(b, share);
        }
    }

    /** The cluster that gains most from weight w added to point n of a table. */
    private int best(double[] r, int n, double w) {
        int best = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < bound.clusters(); k++) {
            int at = n * bound.clusters() + k;
            double had = Math.max(0, r[at]);
            double gain = w * bound.logRho()[at] - LogSpace.xLogX(had + w) + LogSpace.xLogX(had);
            if (gain > most) {
                most = gain;
                best = k;
            }
        }
        return best;
    }

    /** Where the derivative of the concave bound by the share changes its sign. */
    private double bestShare(double[] others, double[] own) {
        double low = 0;
        double high = 1;
        for (int i = 0; i < HALVINGS; i++) {
            double share = (low + high) / 2;
            double slope = 0;
            for (int at = 0; at < others.length; at++) {
                double direction = own[at] - others[at];
                if (direction != 0) {
                    slope += direction * (bound.logRho()[at] - Math.log(others[at] + share * direction));
                }
            }
            if (slope > 0) {
                low = share;
            } else {
                high = share;
            }
        }
        return (low + high) / 2;
    }
}
