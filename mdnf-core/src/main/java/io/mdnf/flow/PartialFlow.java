package io.mdnf.flow;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.network.Dependence;
import io.mdnf.network.Dependent;
import io.mdnf.network.Narrowed;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.Map;

/**
 * A flow that acts on a subset of the categories and lets the others pass: on the K' listed categories c_0 .. c_{K'-1}
 * of every variable, c_i becomes c_j where the inner flow, on codes of K' categories, makes j of i. With a shift and K'
 * = 2 it is a trainable swap, and stacks of swaps reach every permutation of the categories, which location-scale flows
 * do not.
 *
 * <p>Inner networks that look at a code look at the whole one, with all its categories: they are {@link Narrowed}.
 *
 * <pre>{@code
 * CodeSpace pairs = CodeSpace.uniform(space.variables(), 2);
 * Flow swap = new PartialFlow(space, new DirectLogits(pairs, 1), 3, 4);       // categories 3 and 4, or not
 * Flow seeing = new PartialFlow(space, Made.with(space, 1).build(), 3, 4);    // depends on x_<d
 * ShiftNetwork three = new Narrowed(Made.with(space, 1).build(), 3);
 * Flow scaled = new PartialFlow(space, new LocationScaleFlow(three, three), 0, 3, 4);
 * }</pre>
 *
 * @param inner moves the subset's positions; its codes are uniform with K' = subset.length categories
 * @param subset distinct categories that every variable has
 */
public record PartialFlow(CodeSpace space, VariableWiseFlow inner, int... subset) implements VariableWiseFlow {

    /** Checks that the inner flow fits the subset. */
    public PartialFlow {
        subset = subset.clone();
        int smallest = Arrays.stream(space.cardinalities()).min().getAsInt();
        boolean distinct = Arrays.stream(subset).distinct().count() == subset.length;
        Check.that(subset.length >= 2 && distinct && Arrays.stream(subset).noneMatch(c -> c < 0 || c >= smallest),
                "subset = ", Arrays.toString(subset), ": at least 2 distinct categories that every variable has, 0 .. ",
                smallest - 1);
        CodeSpace expected = CodeSpace.uniform(space.variables(), subset.length);
        Check.that(inner.space().equals(expected), "inner flow ", inner, " is for ", inner.space(),
                ", the subset needs ", expected);
        checkSees(inner, space);
    }

    /** A shift by a network on K' categories that looks at no code, or on all, of which the first K' logits count. */
    public PartialFlow(CodeSpace space, ShiftNetwork network, int... subset) {
        this(space, new ShiftFlow(narrowed(space, network, subset.length)), subset);
    }

    private static ShiftNetwork narrowed(CodeSpace space, ShiftNetwork network, int categories) {
        boolean fits = network.space().equals(CodeSpace.uniform(space.variables(), categories))
                && network.dependence() == Dependence.NONE;
        return fits || !network.space().equals(space) ? network : new Narrowed(network, categories);
    }

    private static void checkSees(Dependent part, CodeSpace space) {
        if (part instanceof Flow flow && !flow.parts().isEmpty()) {
            flow.parts().values().forEach(inner -> checkSees(inner, space));
        } else {
            Check.that(part.dependence() == Dependence.NONE
                    || part instanceof Narrowed narrowed && narrowed.whole().space().equals(space), part,
                    " looks at the code, which has other categories than the subset; take a network on ", space,
                    " and narrow it");
        }
    }

    @Override
    public Map<String, ? extends Dependent> parts() {
        return inner.parts();
    }

    @Override
    public Tensor move(Setting setting, Tensor variables, Tensor code, boolean back) {
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
        Tensor part = variables.reshape(variables.size() / width, width)
                .matmul(graph.constant(out, width, subset.length))
                .reshape(variables.extent(0), variables.extent(1), space.variables(), subset.length);
        Tensor moved = inner.move(setting, part, code, back);
        Tensor x = variables.spread(1, moved.extent(1));
        long rows = x.size() / width;
        return moved.reshape(rows, subset.length).matmul(graph.constant(in, subset.length, width))
                .plus(x.reshape(rows, width).matmul(graph.constant(pass, width, width))).reshape(x.shape());
    }

    @Override
    public String toString() {
        return "Partial(" + Arrays.toString(subset) + ", " + inner + ")";
    }
}
