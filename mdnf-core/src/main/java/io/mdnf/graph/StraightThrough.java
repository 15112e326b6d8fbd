package io.mdnf.graph;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import java.util.Arrays;

/**
 * A one-hot code with a gradient: the value is onehot(argmax logits), exactly; the gradient is that of a smooth
 * surrogate.
 *
 * <p>With s = logits / temperature and p = softmax(s):
 * <ul>
 *   <li>{@link #FIRST_ORDER}: the surrogate is p, as in the paper;
 *   <li>{@link #SECOND_ORDER}: the surrogate is 2 softmax(s + c) - p / 2, where the constant c makes the first softmax
 *       equal to (value + p) / 2: Heun's rule in place of Euler's, in the manner of ReinMax.
 * </ul>
 * The temperature changes the gradient only, never the value.
 *
 * <p>Example: {@code Tensor shift = StraightThrough.FIRST_ORDER.oneHot(logits, space, inverseTemperature)}.
 */
@FunctionalInterface
public interface StraightThrough {

    /** The gradient of the softmax. */
    StraightThrough FIRST_ORDER = Surrogate.FIRST_ORDER;

    /** A second-order accurate gradient. */
    StraightThrough SECOND_ORDER = Surrogate.SECOND_ORDER;

    /**
     * Returns the exact one-hot codes [.., D, K] of the largest logits [.., D, K]; positions that the space does not
     * have are never chosen and get no gradient. The inverse temperature is [1, 1], above 0.
     */
    Tensor oneHot(Tensor logits, CodeSpace space, Tensor inverseTemperature);

    /** Returns what two categories [.., 2] are decided by, the second entry minus the first, [..]. */
    static Tensor differences(Tensor pairs) {
        long rows = pairs.size() / 2;
        return pairs.reshape(rows, 2).matmul(pairs.graph().constant(new double[] {-1, 1}, 2, 1))
                .reshape(Shapes.without(pairs.shape(), pairs.rank() - 1));
    }

    /**
     * Returns the second of two categories as {@link #FIRST_ORDER} codes have it: 1 where the difference of the logits
     * (any shape) is above 0, else 0, with the gradient of the softmax. The inverse temperature is [1, 1], above 0.
     */
    static Tensor second(Tensor differences, Tensor inverseTemperature) {
        Tensor scaled = differences.scaledBy(inverseTemperature);
        Tensor p = scaled.stopGradient().sigmoid();
        Tensor slope = p.minus(p.times(p)).stopGradient();
        return carryGradient(differences.stopGradient().isPositive(), slope.times(scaled));
    }

    /**
     * Returns both entries from the second, (total - s, s), [.., 2]. For counts, so that what is 0 is exactly 0 in
     * float too, divide afterwards.
     */
    static Tensor pairs(Tensor second, double total) {
        Graph graph = second.graph();
        double[] first = new double[2 * second.size()];
        Arrays.setAll(first, i -> i % 2 == 0 ? total : 0);
        return second.reshape(second.size(), 1).matmul(graph.constant(new double[] {-1, 1}, 1, 2))
                .plus(graph.constant(first, second.size(), 2))
                .reshape(Shapes.insert(second.shape(), second.rank(), 2));
    }

    /** Returns value + (surrogate - stop(surrogate)), both of one shape: exactly the value, the other's gradient. */
    static Tensor carryGradient(Tensor value, Tensor surrogate) {
        // in this order the bracket is exactly 0, so the value survives rounding
        return value.plus(surrogate.minus(surrogate.stopGradient()));
    }

    /**
     * Gives a drawn code a second-order accurate gradient of its distribution, in the manner of ReinMax: where a
     * function of the code has the gradient g at the drawn z, and with m = (z + q) / 2 and r = (1 + z / q) / 2, the
     * distribution gets
     * <pre>
     *   2 r_k (g_k - sum_j m_j g_j) - g_k / 2
     * </pre>
     * whose mean over z ~ q moves q as the exact gradient does if the function is quadratic in each variable. A
     * category that is never drawn, q_k = 0, gets (g_k - sum_j q_j g_j) / 2 on top, the first-order guess of what its
     * draws would have said.
     *
     * @param drawn one-hot z ~ q, [.., K], returned with that gradient
     * @param q the distributions, [.., K]
     */
    static Tensor carrySecondOrder(Tensor drawn, Tensor q) {
        Graph graph = q.graph();
        long columns = q.extent(-1);
        long rows = q.size() / columns;
        Tensor ones = graph.ones(columns, columns);
        Tensor table = q.reshape(rows, columns);
        Tensor fixed = table.stopGradient();
        Tensor z = drawn.reshape(rows, columns).stopGradient();
        Tensor middle = z.plus(fixed).times(0.5);
        Tensor twice = z.over(fixed.plus(graph.precision().tiny())).plus(1).stopGradient().times(table);
        Tensor second = twice.minus(middle.times(twice.matmul(ones))).minus(table.times(0.5));
        Tensor never = fixed.times(-1e6).plus(1).relu().stopGradient().times(table).times(0.5);
        Tensor guess = never.minus(fixed.times(never.matmul(ones)));
        return carryGradient(drawn, second.plus(guess).reshape(q.shape()));
    }

    /**
     * Gives a code drawn from softmax(l), of any logits l [.., K], the gradient of softmax(l / tau), as in {@link
     * #FIRST_ORDER}: J(p) g = p (g - sum_j p_j g_j) where a function of the code has the gradient g.
     */
    static Tensor carryFirstOrder(Tensor drawn, Tensor logits, Tensor inverseTemperature) {
        Tensor scaled = logits.scaledBy(inverseTemperature);
        return carryGradient(drawn.stopGradient(),
                Softmax.linearAt(scaled.stopGradient().softmax(), scaled));
    }

    /**
     * Gives a code z drawn from p = softmax(l) a second-order accurate gradient by the logits l [.., K],
     * <pre>
     *   2 J(m) g - J(p) g / 2,       m = (softmax(l / tau) + z) / 2,       J(p) g = p (g - sum_j p_j g_j)
     * </pre>
     * in the manner of ReinMax, which has tau = 1 and is exact on average for functions quadratic in each variable. A
     * higher temperature lets categories speak that are rarely drawn: less noise for some bias.
     */
    static Tensor carrySecondOrder(Tensor drawn, Tensor logits, Tensor inverseTemperature) {
        Tensor fixed = logits.stopGradient();
        Tensor z = drawn.stopGradient();
        Tensor middle = fixed.scaledBy(inverseTemperature).softmax().plus(z).times(0.5).stopGradient();
        Tensor surrogate = Softmax.linearAt(middle, logits).times(2)
                .minus(Softmax.linearAt(fixed.softmax(), logits).times(0.5));
        return carryGradient(z, surrogate);
    }

    /** Returns logits [.., D, K] with impossible categories, k &gt;= K_d, so low that no softmax sees them. */
    static Tensor restrict(Tensor logits, CodeSpace space) {
        if (space.isUniform()) {
            return logits;
        }
        double[] row = Arrays.stream(space.validity()).map(v -> (1 - v) * LogSpace.IMPOSSIBLE).toArray();
        if (logits.isOpen()) {
            return logits.reshape(logits.size() / row.length, row.length)
                    .plusRow(logits.graph().constant(row, 1, row.length)).reshape(logits.shape());
        }
        double[] offset = new double[logits.size()];
        Arrays.setAll(offset, i -> row[i % row.length]);
        return logits.plus(logits.graph().constant(offset, logits.shape()));
    }
}
