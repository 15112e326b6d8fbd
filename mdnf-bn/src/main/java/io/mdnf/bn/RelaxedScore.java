package io.mdnf.bn;

import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The log density of a relaxed distribution, without its normaliser, once as a value and once as a cheap tensor with
 * the right gradient. With scores z = logits - t log x,
 *
 * <pre>
 *   value = sum_d ( sum_k (z_k - log x_k) - K_d logsumexp(z) )
 *   slope = z (1 - K_d softmax(stop z)) - log x
 * </pre>
 *
 * <p>since the gradient of logsumexp is the softmax: the step of a fit needs no logarithm and one exponential less.
 *
 * @param space the space
 * @param logits [n, D * K]
 * @param logX where the density is taken, [n, D * K]
 * @param temperature t, [n, D * K]
 */
record RelaxedScore(CodeSpace space, Tensor logits, Tensor logX, Tensor temperature) {

    private Tensor scores() {
        return logits.minus(logX.times(temperature));
    }

    /** Returns the log density of each sample, [n, 1]. */
    Tensor value() {
        Tensor z = scores();
        double[] cardinalities = IntStream.of(space.cardinalities()).asDoubleStream().toArray();
        Tensor totals = byVariable(space, z).logSumExp()
                .matmul(z.graph().constant(cardinalities, space.variables(), 1));
        return z.minus(logX).matmul(z.graph().constant(space.validity(), space.oneHotLength(), 1)).minus(totals);
    }

    /** Returns a tensor [n, D * K] whose sum has the gradient of the sum of {@link #value}. */
    Tensor slope() {
        Tensor z = scores();
        Tensor soft = byVariable(space, z.stopGradient()).softmax().reshape(z.shape());
        if (space.isUniform()) {
            return z.times(soft.times(-space.width()).plus(1)).minus(logX);
        }
        Tensor valid = tiled(z, space.validity());
        double[] counts = new double[space.oneHotLength()];
        Arrays.setAll(counts, i -> space.cardinality(i / space.width()));
        return z.times(valid.minus(soft.times(tiled(z, counts)))).minus(logX.times(valid));
    }

    /** [n, D * K] as [n, D, K], with positions k &gt;= K_d so low that no softmax sees them. */
    static Tensor byVariable(CodeSpace space, Tensor x) {
        return StraightThrough.restrict(x.reshape(x.extent(0), space.variables(), space.width()), space);
    }

    private static Tensor tiled(Tensor like, double[] row) {
        double[] values = new double[like.size()];
        Arrays.setAll(values, i -> row[i % row.length]);
        return like.graph().constant(values, like.shape());
    }
}
