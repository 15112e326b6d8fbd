package io.mdnf.search;

import io.mdnf.distribution.GridAllocation;
import io.mdnf.distribution.Product;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorisedExpectation;
import java.util.Arrays;

/**
 * Coordinate ascent on the ELBO of q(x) = prod_d q_d(x_d), on the simplex and on the grid of multiples of 1 / B.
 *
 * <p>Given the other variables the best q_d is softmax_k E[log p(D, x) | x_d = k], and the best one on the grid a
 * {@link GridAllocation}: no step size, and no step ever loses. A category that the others make impossible gets no
 * mass, so a q that avoids impossible codes keeps avoiding them; {@link #makePossible} is how one gets there.
 */
final class ProductAscent {

    /** A gain this small is rounding, not progress: without it equal alternatives would take turns for ever. */
    private static final double LEAST_GAIN = 1e-12;

    private final FactorisedExpectation expectation;

    ProductAscent(FactorisedExpectation expectation) {
        this.expectation = expectation;
    }

    double elbo(double[][] q) {
        return expectation.expectedLogJoint(q) + Product.entropy(q);
    }

    /**
     * Collapses variables on a possible code, in the given order, until q has no mass on impossible codes. Ascent then
     * opens up again those that need not have been collapsed.
     */
    void makePossible(double[][] q, int[] guide, int[] order) {
        for (int i = 0; i < order.length && expectation.expectedLogJoint(q) == Double.NEGATIVE_INFINITY; i++) {
            q[order[i]] = new double[q[order[i]].length];
            q[order[i]][guide[order[i]]] = 1;
        }
    }

    /** Sweeps over the variables until no probability moves by more than the tolerance. */
    void ascend(double[][] q, int[] order, double tolerance, int sweeps) {
        double moved = Double.POSITIVE_INFINITY;
        for (int s = 0; s < sweeps && moved > tolerance; s++) {
            moved = 0;
            for (int d : order) {
                double[] logs = expectation.conditionalLogJoint(q, d);
                if (isPossible(logs)) {
                    double[] row = LogSpace.normalise(logs);
                    for (int k = 0; k < row.length; k++) {
                        moved = Math.max(moved, Math.abs(row[k] - q[d][k]));
                    }
                    q[d] = row;
                }
            }
        }
    }

    /** Moves q on the grid of multiples of 1 / units and sweeps until no variable can do better given the others. */
    void toGrid(double[][] q, int[] order, int units, int sweeps) {
        int[][] counts = new int[q.length][];
        boolean changed = true;
        for (int s = 0; s < sweeps && changed; s++) {
            changed = false;
            for (int d : order) {
                double[] values = expectation.conditionalLogJoint(q, d);
                if (!isPossible(values)) {
                    // sampling noise left nothing possible: stay near what there is
                    values = Arrays.stream(q[d]).map(Math::log).toArray();
                }
                int[] best = GridAllocation.counts(values, units);
                if (counts[d] == null || value(values, best, units) > value(values, counts[d], units) + LEAST_GAIN) {
                    counts[d] = best;
                    q[d] = Arrays.stream(best).mapToDouble(n -> n / (double) units).toArray();
                    changed = true;
                }
            }
        }
    }

    private static double value(double[] values, int[] counts, int units) {
        double sum = 0;
        for (int k = 0; k < counts.length; k++) {
            double p = counts[k] / (double) units;
            sum += p > 0 ? p * (values[k] - Math.log(p)) : 0;
        }
        return sum;
    }

    private static boolean isPossible(double[] logs) {
        return Arrays.stream(logs).anyMatch(log -> log > Double.NEGATIVE_INFINITY);
    }
}
