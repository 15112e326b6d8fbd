package io.mdnf.relaxation;

import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;

/** Keeps positions k &gt;= K_d out of every sum and softmax over [n, D, K], and checks and repeats such tensors. */
record Support(CodeSpace space) {

    /** Swallows any finite number it is added to, in float too, and its exponential is exactly 0. */
    private static final double EXCLUDED = -1e30;

    /** Sets the positions k &gt;= K_d to 0. */
    Tensor zeroed(Tensor x) {
        return space.isUniform() ? x : x.times(x.graph().constant(tiled(x, 1, 0), x.shape()));
    }

    /** Lowers the positions k &gt;= K_d so far that no softmax sees them. */
    Tensor excluded(Tensor x) {
        return space.isUniform() ? x : x.plus(x.graph().constant(tiled(x, 0, EXCLUDED), x.shape()));
    }

    /** The logarithm of the softmax over the K_d categories, 0 at k &gt;= K_d. */
    Tensor logProbabilities(Tensor logits) {
        return zeroed(excluded(logits).logSoftmax());
    }

    /** Multiplies [n, D] by K_d. */
    Tensor timesCardinality(Tensor x) {
        if (space.isUniform()) {
            return x.times(space.width());
        }
        double[] cardinality = new double[x.size()];
        for (int i = 0; i < cardinality.length; i++) {
            cardinality[i] = space.cardinality(i % space.variables());
        }
        return x.times(x.graph().constant(cardinality, x.shape()));
    }

    /** The sum over [D, K] of [n, D, K]. */
    Tensor total(Tensor x) {
        return x.reshape(x.extent(0), space.oneHotLength()).sum(-1);
    }

    private double[] tiled(Tensor x, double possible, double impossible) {
        double[] valid = space.validity();
        double[] values = new double[x.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = valid[i % valid.length] == 1 ? possible : impossible;
        }
        return values;
    }

    /** Repeats [1, D, K] to [n, D, K] if need be. */
    Tensor spread(String name, Tensor x, long n) {
        check(name, x);
        if (x.extent(0) == n) {
            return x;
        }
        if (x.extent(0) != 1) {
            throw new IllegalArgumentException(
                    name + " = " + x + ": the first extent must be 1 or the number of samples, " + n);
        }
        return x.reshape(space.variables(), space.width()).repeatLeading(n);
    }

    void check(String name, Tensor x) {
        long[] shape = x.shape();
        if (shape.length != 3 || shape[1] != space.variables() || shape[2] != space.width()) {
            throw new IllegalArgumentException(name + " = " + x + ": " + space + " needs the shape "
                    + Arrays.toString(new String[] {"n", "" + space.variables(), "" + space.width()}));
        }
    }
}
