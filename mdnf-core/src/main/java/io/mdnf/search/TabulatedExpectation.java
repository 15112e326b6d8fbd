package io.mdnf.search;

import io.mdnf.space.CodeSpace;

/** Exact expectations from the log joints of all codes, one variable summed out after the other. */
final class TabulatedExpectation implements MeanFieldExpectation {

    private final int[] cardinalities;
    private final double[] table;

    /** From log joints in the order of {@link CodeSpace#code}. */
    TabulatedExpectation(CodeSpace space, double[] table) {
        this.cardinalities = space.cardinalities();
        this.table = table;
    }

    @Override
    public double expected(double[][] q) {
        double[] first = conditional(q, 0);
        double sum = 0;
        for (int k = 0; k < first.length; k++) {
            sum += q[0][k] > 0 ? q[0][k] * first[k] : 0;
        }
        return sum;
    }

    @Override
    public double[] conditional(double[][] q, int variable) {
        double[] left = table;
        for (int d = cardinalities.length - 1; d > variable; d--) {
            left = sumOutLast(left, q[d]);
        }
        for (int d = 0; d < variable; d++) {
            left = sumOutFirst(left, q[d]);
        }
        return left == table ? table.clone() : left;
    }

    // Zero mass on an impossible code counts as zero, not as 0 * -infinity.

    private static double[] sumOutLast(double[] values, double[] q) {
        double[] sums = new double[values.length / q.length];
        for (int k = 0; k < q.length; k++) {
            if (q[k] > 0) {
                for (int i = 0, at = k; i < sums.length; i++, at += q.length) {
                    sums[i] += q[k] * values[at];
                }
            }
        }
        return sums;
    }

    private static double[] sumOutFirst(double[] values, double[] q) {
        double[] sums = new double[values.length / q.length];
        for (int k = 0; k < q.length; k++) {
            if (q[k] > 0) {
                for (int i = 0, at = k * sums.length; i < sums.length; i++, at++) {
                    sums[i] += q[k] * values[at];
                }
            }
        }
        return sums;
    }
}
