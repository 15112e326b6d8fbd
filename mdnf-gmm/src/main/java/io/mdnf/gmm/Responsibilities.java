package io.mdnf.gmm;

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

    /**
     * Responsibilities from a table; rows are normalised to sum to exactly 1.
     *
     * @param table r[N, K], finite and not negative, each row summing to 1 within 1e-5
     * @return the responsibilities
     */
    public static Responsibilities of(double[][] table) {
        if (table.length == 0 || table[0].length == 0) {
            throw new IllegalArgumentException("the table of responsibilities is empty");
        }
        int clusters = table[0].length;
        double[] values = new double[table.length * clusters];
        for (int n = 0; n < table.length; n++) {
            if (table[n].length != clusters) {
                throw new IllegalArgumentException("row " + n + " has " + table[n].length + " entries; row 0 has "
                        + clusters);
            }
            System.arraycopy(table[n], 0, values, n * clusters, clusters);
        }
        return of(clusters, values);
    }

    /**
     * Responsibilities from a flat table; the array is copied, rows are normalised to sum to exactly 1.
     *
     * @param clusters K
     * @param table r[N, K], row after row, finite and not negative, each row summing to 1 within 1e-5
     * @return the responsibilities
     */
    public static Responsibilities of(int clusters, double[] table) {
        if (clusters < 1 || table.length == 0 || table.length % clusters != 0) {
            throw new IllegalArgumentException("the table has " + table.length + " entries; it needs a positive "
                    + "multiple of clusters, " + clusters);
        }
        double[] values = table.clone();
        for (int start = 0; start < values.length; start += clusters) {
            double sum = 0;
            for (int at = start; at < start + clusters; at++) {
                if (!(values[at] >= 0) || Double.isInfinite(values[at])) {
                    throw new IllegalArgumentException("r[" + start / clusters + ", " + (at - start) + "] is "
                            + values[at] + "; responsibilities lie in [0, 1]");
                }
                sum += values[at];
            }
            if (Math.abs(sum - 1) > SUM_TOLERANCE) {
                throw new IllegalArgumentException("row " + start / clusters + " sums to " + sum
                        + "; it must sum to 1");
            }
            for (int at = start; at < start + clusters; at++) {
                values[at] /= sum;
            }
        }
        return new Responsibilities(clusters, values);
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

    /**
     * {@return the share of point n that cluster k answers for, r[n, k]}
     *
     * @param n which point
     * @param k which cluster
     */
    public double get(int n, int k) {
        return values[n * clusters + k];
    }

    /** {@return a copy of r[N, K]} */
    public double[][] toArray() {
        double[][] table = new double[size()][];
        for (int n = 0; n < table.length; n++) {
            table[n] = Arrays.copyOfRange(values, n * clusters, (n + 1) * clusters);
        }
        return table;
    }

    /** {@return the cluster with the largest share of each point [N]; the lowest index among equals} */
    public int[] assignment() {
        int[] result = new int[size()];
        for (int n = 0; n < result.length; n++) {
            for (int k = 1; k < clusters; k++) {
                if (get(n, k) > get(n, result[n])) {
                    result[n] = k;
                }
            }
        }
        return result;
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
        double sum = 0;
        for (double r : values) {
            if (r > 0) {
                sum -= r * Math.log(r);
            }
        }
        return sum;
    }

    @Override
    public String toString() {
        return "Responsibilities[N=" + size() + ", K=" + clusters + ", counts=" + Arrays.toString(counts()) + "]";
    }
}
