package io.mdnf.gmm;

import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import java.util.Arrays;

/**
 * How much of each point each cluster answers for: r[N, K], every entry in [0, 1], every row summing to 1. Immutable.
 * It is q(Z), the factorised posterior over allocations, whatever made it: a closed-form E-step, a flow, a start.
 */
public final class Responsibilities {
    /** Rows may miss 1 by the rounding of single precision; they are then normalised. */
    private static final double SUM_TOLERANCE = 1e-5;

    private final int clusters;
    private final double[] values;

    private Responsibilities(int clusters, double[] values) {
        this.clusters = clusters;
        this.values = values;
    }

    /** Responsibilities from r[N, K], finite and not negative; rows sum to 1 within 1e-5 and are then normalised. */
    public static Responsibilities of(double[][] table) {
        Check.that(table.length != 0 && table[0].length != 0, "the table of responsibilities is empty");
        return of(table[0].length, GaussianMixtureData.flat(table));
    }

    /** The same from a flat table, row after row, which is copied. */
    public static Responsibilities of(int clusters, double[] table) {
        Check.that(clusters >= 1 && table.length != 0 && table.length % clusters == 0, "the table has " + table.length
                + " entries; it needs a positive " + "multiple of clusters, " + clusters);
        for (int at = 0; at < table.length; at++) {
            if (!(table[at] >= 0) || Double.isInfinite(table[at])) {
                throw new IllegalArgumentException("r[" + at / clusters + ", " + at % clusters + "] is " + table[at]
                        + "; responsibilities lie in [0, 1]");
            }
        }
        double[] values = table.clone();
        double[] sums = normalise(clusters, values);
        for (int n = 0; n < sums.length; n++) {
            if (Math.abs(sums[n] - 1) > SUM_TOLERANCE) {
                throw new IllegalArgumentException("row " + n + " sums to " + sums[n] + "; it must sum to 1");
            }
        }
        return new Responsibilities(clusters, values);
    }

    /** Divides every row of a flat [N, K] by its sum, in place; returns what they summed to, [N]. */
    static double[] normalise(int clusters, double[] table) {
        double[] sums = new double[table.length / clusters];
        for (int at = 0; at < table.length; at++) {
            sums[at / clusters] += table[at];
        }
        for (int at = 0; at < table.length; at++) {
            table[at] /= sums[at / clusters];
        }
        return sums;
    }

    /** Values that were normalised before and are to be the same bit by bit, as a checkpoint needs them; copied. */
    static Responsibilities restored(int clusters, double[] table) {
        return new Responsibilities(clusters, table.clone());
    }

    /** {@return a copy of r[N, K], row after row} */
    double[] flat() {
        return values.clone();
    }

    /** Normalises exp(logits[N, K]) row by row, in place: the array now belongs to the result. */
    static Responsibilities softmax(int clusters, double[] logits) {
        for (int start = 0; start < logits.length; start += clusters) {
            LogSpace.normalise(logits, start, start + clusters);
        }
        return new Responsibilities(clusters, logits);
    }

    /** {@return N} */
    public int size() {
        return values.length / clusters;
    }

    /** {@return K} */
    public int clusters() {
        return clusters;
    }

    /** Returns r[n, k], the share of point n that cluster k answers for. */
    public double get(int n, int k) {
        return values[n * clusters + k];
    }

    /** {@return a copy of r[N, K]} */
    public double[][] toArray() {
        return GaussianMixtureData.rows(values, clusters);
    }

    /** {@return the cluster with the largest share of each point [N]; the lowest index among equals} */
    public int[] assignment() {
        return largest(clusters, values);
    }

    /** The category with the largest entry of each row of a flat [N, K]; the lowest index among equals. */
    static int[] largest(int clusters, double[] table) {
        return CodeSpace.uniform(table.length / clusters, clusters).indices(table)[0];
    }

    /** {@return the number of points in each cluster, N_k = sum_n r[n, k]} */
    public double[] counts() {
        double[] counts = new double[clusters];
        for (int at = 0; at < values.length; at++) {
            counts[at % clusters] += values[at];
        }
        return counts;
    }

    /** {@return the entropy of q(Z) in nats, -sum r log r, 0 log 0 being 0} */
    public double entropy() {
        return -Arrays.stream(values).map(LogSpace::xLogX).sum();
    }

    @Override
    public String toString() {
        return "Responsibilities[N=" + size() + ", K=" + clusters + ", counts=" + Arrays.toString(counts()) + "]";
    }
}
