package io.mdnf.target;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * A black box: log p(D, x) as a plain Java function of the indices [D]. It has no gradient, so it serves the algorithms
 * that only evaluate.
 *
 * <pre>{@code
 * TargetModel target = new FunctionTarget(CodeSpace.uniform(8, 3), x -> -energy(x));
 * }</pre>
 */
public final class FunctionTarget implements TargetModel {

    private final CodeSpace space;
    private final ToDoubleFunction<int[]> function;

    /**
     * A target from a function.
     *
     * @param space the space of codes
     * @param function log p(D, x) of the indices [D], -infinity where impossible; it must leave its argument alone
     */
    public FunctionTarget(CodeSpace space, ToDoubleFunction<int[]> function) {
        this.space = Objects.requireNonNull(space, "codes");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public CodeSpace space() {
        return space;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if the function returns NaN or +infinity, which is no log-probability
     */
    @Override
    public double[] logJoint(int[][] batch) {
        double[] values = new double[batch.length];
        for (int i = 0; i < values.length; i++) {
            space.check(batch[i]);
            values[i] = function.applyAsDouble(batch[i]);
            if (!(values[i] < Double.POSITIVE_INFINITY)) {
                throw new IllegalStateException("the target's function returned " + values[i] + " for code "
                        + Arrays.toString(batch[i]) + "; a log joint is finite or -infinity");
            }
        }
        return values;
    }

    @Override
    public boolean isDifferentiable() {
        return false;
    }

    /**
     * Refuses: a Java function cannot be laid out in a graph.
     *
     * @throws IllegalStateException always
     */
    @Override
    public Tensor logJoint(Graph graph, Tensor oneHot) {
        throw new IllegalStateException("a FunctionTarget has no graph and no gradient: use an algorithm that only "
                + "evaluates the target, or describe it as a FactorTarget, a TableTarget or a TargetModel of your own");
    }

    @Override
    public String toString() {
        return "FunctionTarget(" + space + ")";
    }
}
