package io.mdnf.graph;

import io.mdnf.space.Codes;

/**
 * A one-hot code with a gradient: the value is onehot(argmax logits), exactly; the gradient is that of a smooth surrogate.
 *
 * <p>With s = logits / temperature and p = softmax(s):
 * <ul>
 *   <li>{@link #FIRST_ORDER}: the surrogate is p, as in the paper;
 *   <li>{@link #SECOND_ORDER}: the surrogate is 2 softmax(s + c) - p / 2, where the constant c makes the first softmax
 *       equal to (value + p) / 2: Heun's rule in place of Euler's, in the manner of ReinMax.
 * </ul>
 * The temperature changes the gradient only, never the value.
 *
 * <p>Example: {@code Tensor shift = StraightThrough.FIRST_ORDER.oneHot(logits, codes, inverseTemperature)}.
 */
@FunctionalInterface
public interface StraightThrough {

    /** The gradient of the softmax. */
    StraightThrough FIRST_ORDER = Surrogate.FIRST_ORDER;

    /** A second-order accurate gradient. */
    StraightThrough SECOND_ORDER = Surrogate.SECOND_ORDER;

    /**
     * One-hot codes of the largest logits.
     *
     * @param logits [.., D, K]
     * @param codes which positions are valid; the others are never chosen and get no gradient
     * @param inverseTemperature [1, 1], above 0
     * @return [.., D, K], exactly one-hot
     */
    Tensor oneHot(Tensor logits, Codes codes, Tensor inverseTemperature);

    /**
     * Gives a value the gradient of another tensor.
     *
     * @param value the value, kept exactly
     * @param surrogate where the gradient goes, of the same shape
     * @return value + (surrogate - stop(surrogate))
     */
    static Tensor carryGradient(Tensor value, Tensor surrogate) {
        // in this order the bracket is exactly 0, so the value survives rounding
        return value.plus(surrogate.minus(surrogate.stopGradient()));
    }

    /**
     * Lowers the logits of impossible categories, k &gt;= K_d, so far that no softmax sees them.
     *
     * @param logits [.., D, K]
     * @param codes which positions are valid
     * @return [.., D, K]
     */
    static Tensor restrict(Tensor logits, Codes codes) {
        if (codes.isUniform()) {
            return logits;
        }
        double[] valid = codes.validity();
        double[] offset = new double[logits.size()];
        for (int i = 0; i < offset.length; i++) {
            offset[i] = (1 - valid[i % valid.length]) * Surrogate.IMPOSSIBLE;
        }
        return logits.plus(logits.graph().constant(offset, logits.shape()));
    }
}
