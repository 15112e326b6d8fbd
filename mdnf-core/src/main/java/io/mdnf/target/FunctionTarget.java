package io.mdnf.target;

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
 *
 * @param function log p(D, x) of the indices [D], -infinity where impossible; it must leave its argument alone
 */
public record FunctionTarget(CodeSpace space, ToDoubleFunction<int[]> function) implements TargetModel {

    /** Refuses null. */
    public FunctionTarget {
        Objects.requireNonNull(space, "space");
        Objects.requireNonNull(function, "function");
    }

    /** {@inheritDoc} IllegalStateException if the function returns NaN or +infinity, which is no log-probability. */
    @Override
    public double[] logJoint(int[][] codes) {
        return Arrays.stream(codes).mapToDouble(code -> {
            space.check(code);
            return checked(function.applyAsDouble(code), code);
        }).toArray();
    }

    /** A log joint, if it is one. */
    static double checked(double value, int[] code) {
        if (!(value < Double.POSITIVE_INFINITY)) {
            throw new IllegalStateException("the target returned " + value + " for code " + Arrays.toString(code)
                    + "; a log joint is finite or -infinity");
        }
        return value;
    }

    @Override
    public String toString() {
        return "FunctionTarget(" + space + ")";
    }
}
