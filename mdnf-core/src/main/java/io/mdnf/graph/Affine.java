package io.mdnf.graph;

/**
 * Affine maps batched over components: y = x W + c, with x [B, n, in], W [B, in, out], c [B, out].
 *
 * <p>Example: {@code Tensor hidden = Affine.apply(x, weights, bias).relu()}.
 */
public final class Affine {

    private Affine() {}

    /**
     * The affine map.
     *
     * @param x [B, n, in]
     * @param weights [B, in, out]
     * @param bias [B, out]
     * @return [B, n, out]
     */
    public static Tensor apply(Tensor x, Tensor weights, Tensor bias) {
        return x.matmul(weights).plus(bias.repeatAt(1, x.extent(1)));
    }

    /**
     * The affine map with some weights held at 0, for networks in which not every output may see every input.
     *
     * @param x [B, n, in]
     * @param weights [B, in, out]
     * @param bias [B, out]
     * @param mask flat [in, out] of 0 and 1, the same for every component
     * @return [B, n, out]
     */
    public static Tensor masked(Tensor x, Tensor weights, Tensor bias, double[] mask) {
        return apply(x, maskedWeights(weights, mask), bias);
    }

    /**
     * Weights with some of them held at 0.
     *
     * @param weights [B, in, out]
     * @param mask flat [in, out] of 0 and 1
     * @return [B, in, out]
     */
    public static Tensor maskedWeights(Tensor weights, double[] mask) {
        int components = (int) weights.extent(0);
        double[] repeated = new double[components * mask.length];
        for (int b = 0; b < components; b++) {
            System.arraycopy(mask, 0, repeated, b * mask.length, mask.length);
        }
        return weights.times(weights.graph().constant(repeated, weights.shape()));
    }

    /**
     * The masked sum that picks one component per sample and variable: x[n, d, k] = sum_b mask[b, n, d] f[b, n, d, k].
     *
     * @param values f, [B, n, D, K]
     * @param mask [B, n, D], exactly one 1 along the first axis
     * @return [n, D, K]
     */
    public static Tensor maskedSum(Tensor values, Tensor mask) {
        return values.times(mask.repeatAt(3, values.extent(3))).sum(0);
    }
}
