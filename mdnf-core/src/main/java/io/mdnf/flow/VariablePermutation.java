package io.mdnf.flow;

import io.mdnf.graph.Tensor;
import io.mdnf.network.Dependent;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.Map;

/**
 * A fixed permutation of the variables, x_d = u_{order[d]}, for stacks whose layers should see the variables in
 * different orders. Variables that change places must have equally many categories.
 *
 * <p>Example: {@code new VariablePermutation(CodeSpace.uniform(3, 2), 8, 2, 1, 0)} turns the order round.
 *
 * @param order a permutation of 0 .. D - 1
 */
public record VariablePermutation(CodeSpace space, int components, int... order) implements Flow {

    /** Checks the order. */
    public VariablePermutation {
        order = order.clone();
        space.positions(order);
        for (int d = 0; d < order.length; d++) {
            Check.that(space.cardinality(d) == space.cardinality(order[d]), "order[", d, "] = ", order[d],
                    ": variables ", d, " and ", order[d], " of ", space, " have different numbers of categories");
        }
    }

    @Override
    public Tensor forward(Setting setting, Tensor u) {
        return permute(u, true);
    }

    @Override
    public Tensor inverse(Setting setting, Tensor x) {
        return permute(x, false);
    }

    private Tensor permute(Tensor x, boolean forward) {
        int length = space.oneHotLength();
        int width = space.width();
        double[] matrix = new double[length * length];
        for (int d = 0; d < order.length; d++) {
            for (int k = 0; k < width; k++) {
                int from = order[d] * width + k;
                int to = d * width + k;
                matrix[forward ? from * length + to : to * length + from] = 1;
            }
        }
        return x.reshape(x.size() / length, length).matmul(x.graph().constant(matrix, length, length))
                .reshape(x.shape());
    }

    @Override
    public Map<String, Dependent> parts() {
        return Map.of();
    }

    @Override
    public String toString() {
        return "VariablePermutation" + Arrays.toString(order);
    }
}
