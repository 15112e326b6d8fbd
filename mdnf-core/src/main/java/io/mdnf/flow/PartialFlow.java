package io.mdnf.flow;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.network.Dependence;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.Map;

/**
 * A shift that acts on a subset of the categories and lets the others pass: on the K' listed categories c_0 .. c_{K'-1}
 * of every variable, c_i becomes c_{(i + mu) mod K'}. With K' = 2 it is a trainable swap, and stacks of swaps reach
 * every permutation of the categories, which location-scale flows do not.
 *
 * <p>The network's codes have K' categories for every variable.
 *
 * <p>Example: {@code new PartialFlow(space, new DirectLogits(CodeSpace.uniform(space.variables(), 2), 1), 3, 4)} swaps
 * categories 3 and 4, or not.
 *
 * @param network where the logits of mu come from; its codes are uniform with K' = subset.length categories
 * @param subset distinct categories that every variable has
 */
public record PartialFlow(CodeSpace space, ShiftNetwork network, int... subset) implements VariableWiseFlow {

    /** Checks that the network fits the subset. */
    public PartialFlow {
        subset = subset.clone();
        int smallest = Arrays.stream(space.cardinalities()).min().getAsInt();
        boolean distinct = Arrays.stream(subset).distinct().count() == subset.length;
        Check.that(subset.length >= 2 && distinct && Arrays.stream(subset).noneMatch(c -> c < 0 || c >= smallest),
                "subset = ", Arrays.toString(subset), ": at least 2 distinct categories that every variable has, 0 .. ",
                smallest - 1);
        CodeSpace expected = CodeSpace.uniform(space.variables(), subset.length);
        Check.that(network.space().equals(expected), "network ", network, " is for ", network.space(),
                ", the subset needs ", expected);
        Check.that(network.dependence() == Dependence.NONE, "network ", network,
                " looks at the code, which has other categories than the subset; use direct or given logits");
    }

    @Override
    public Map<String, ShiftNetwork> parts() {
        return Map.of("shift", network);
    }

    @Override
    public Tensor move(Setting setting, Tensor variables, Tensor code, boolean back) {
        Tensor shift = setting.oneHot(network, "shift", null, network.space());
        Tensor x = variables.spread(1, Math.max(variables.extent(1), shift.extent(1)));
        Graph graph = setting.graph();
        int width = space.width();
        // constant 0/1 matrices [K, K'] that take the subset out and [K', K] that put it back
        double[] out = new double[width * subset.length];
        double[] in = new double[width * subset.length];
        double[] pass = new double[width * width];
        for (int k = 0; k < width; k++) {
            pass[k * width + k] = 1;
        }
        for (int i = 0; i < subset.length; i++) {
            out[subset[i] * subset.length + i] = 1;
            in[i * width + subset[i]] = 1;
            pass[subset[i] * width + subset[i]] = 0;
        }
        long rows = x.size() / width;
        Tensor flat = x.reshape(rows, width);
        Tensor part = flat.matmul(graph.constant(out, width, subset.length))
                .reshape(x.extent(0), x.extent(1), space.variables(), subset.length);
        return ShiftFlow.moved(network.space(), part, shift, back).reshape(rows, subset.length)
                .matmul(graph.constant(in, subset.length, width))
                .plus(flat.matmul(graph.constant(pass, width, width)))
                .reshape(x.shape());
    }

    @Override
    public String toString() {
        return "Partial(" + Arrays.toString(subset) + ", " + network + ")";
    }
}
