package io.mdnf.graph;

import java.nio.DoubleBuffer;
import java.util.Arrays;

/**
 * Affine maps batched over components: y = x W + c, with x [B, n, in], W [B, in, out], c [B, out].
 *
 * <p>Example: {@code Tensor hidden = Affine.apply(x, weights, bias).relu()}.
 */
public final class Affine {

    private Affine() {}

    /** Returns the affine map of x [B, n, in] by weights [B, in, out] and bias [B, out]: [B, n, out]. */
    public static Tensor apply(Tensor x, Tensor weights, Tensor bias) {
        return x.matmul(weights).plus(bias.repeatAt(1, x.extent(1)));
    }

    /**
     * Returns the affine map [B, n, out] with some weights held at 0, for networks in which not every output may see
     * every input; the mask is flat [in, out] of 0 and 1, the same for every component.
     */
    public static Tensor masked(Tensor x, Tensor weights, Tensor bias, double[] mask) {
        return apply(x, maskedWeights(weights, mask), bias);
    }

    /** Returns weights [B, in, out] with some of them held at 0 by a mask, flat [in, out] of 0 and 1; the same tensor
     * for all who ask, as samples and scores of one network do. */
    public static Tensor maskedWeights(Tensor weights, double[] mask) {
        return weights.once(DoubleBuffer.wrap(mask), () -> {
            double[] repeated = new double[(int) weights.extent(0) * mask.length];
            Arrays.setAll(repeated, i -> mask[i % mask.length]);
            return weights.times(weights.graph().constant(repeated, weights.shape()));
        });
    }

    /**
     * Returns the masked sum that picks one component per sample and variable, x[n, d, k] = sum_b mask[b, n, d] f[b,
     * n, d, k], of values f [B, n, D, K] and a mask [B, n, D] with exactly one 1 along the first axis.
     */
    public static Tensor maskedSum(Tensor values, Tensor mask) {
        return values.times(mask.repeatAt(3, values.extent(3))).sum(0);
    }
}
