package io.mdnf.relaxation;

import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.stream.IntStream;

/** Keeps positions k &gt;= K_d out of every sum and softmax over [n, D, K], and checks and repeats such tensors. */
record Categories(CodeSpace space) {

    /** Sets the positions k &gt;= K_d to 0. */
    Tensor zeroed(Tensor x) {
        if (space.isUniform()) {
            return x;
        }
        double[] valid = space.validity();
        double[] tiled = IntStream.range(0, x.size()).mapToDouble(i -> valid[i % valid.length]).toArray();
        return x.times(x.graph().constant(tiled, x.shape()));
    }

    /** The logarithm of the softmax over the K_d categories, 0 at k &gt;= K_d. */
    Tensor logProbabilities(Tensor logits) {
        return zeroed(StraightThrough.restrict(logits, space).logSoftmax());
    }

    /** Multiplies [n, D] by K_d. */
    Tensor timesCardinality(Tensor x) {
        if (space.isUniform()) {
            return x.times(space.width());
        }
        double[] cardinality =
                IntStream.range(0, x.size()).mapToDouble(i -> space.cardinality(i % space.variables())).toArray();
        return x.times(x.graph().constant(cardinality, x.shape()));
    }

    /** The sum over [D, K] of [n, D, K]. */
    Tensor total(Tensor x) {
        return x.reshape(x.extent(0), space.oneHotLength()).sum(-1);
    }

    /** Repeats [1, D, K] to [n, D, K] if need be. */
    Tensor spread(String name, Tensor x, long n) {
        check(name, x);
        if (x.extent(0) == n) {
            return x;
        }
        Check.that(x.extent(0) == 1, name, " = ", x, ": the first extent must be 1 or the number of samples, ", n);
        return x.reshape(space.variables(), space.width()).repeatLeading(n);
    }

    void check(String name, Tensor x) {
        long[] shape = x.shape();
        Check.that(shape.length == 3 && shape[1] == space.variables() && shape[2] == space.width(), name, " = ", x,
                ": ", space, " needs the shape [n, ", space.variables(), ", ", space.width(), "]");
    }
}
