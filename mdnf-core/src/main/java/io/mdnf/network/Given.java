package io.mdnf.network;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import java.util.List;

/**
 * The logits come from outside: from an encoder, a layer of somebody else's model, the evidence of a network. One code
 * distribution for every row of them, q(x | y).
 *
 * <p>They are [B, n, D, K], or [n, D, K] where all components have the same. With two categories their differences, the
 * second minus the first, will do: [B, n, D, 1] or [n, D, 1]. A single row, n = 1, is every row.
 *
 * <p>Example: {@code Flow flow = new ShiftFlow(new Given(space, 40))}, and {@code mixture.in(setting.given(logits))}.
 *
 * @param space the space
 * @param components B
 */
public record Given(CodeSpace space, int components) implements ShiftNetwork {

    @Override
    public Tensor logits(Graph graph, Inputs inputs) {
        Tensor given = forEvery(inputs);
        // two logits with a given difference
        return given.extent(-1) == 1 && space.isBinary()
                ? StraightThrough.pairs(differences(graph, inputs).times(0.5), 0)
                : given;
    }

    @Override
    public Tensor differences(Graph graph, Inputs inputs) {
        Tensor given = forEvery(inputs);
        return given.extent(-1) == 1
                ? given.reshape(components, given.extent(1), space.variables())
                : StraightThrough.differences(given);
    }

    /** The given logits with the components in front, [B, n, D, K or 1]. */
    private Tensor forEvery(Inputs inputs) {
        Tensor given = inputs.given();
        if (given == null) {
            throw new IllegalArgumentException("given is missing: this network takes its logits from outside");
        }
        boolean fits = (given.rank() == 3 || given.rank() == 4 && given.extent(0) == components)
                && given.extent(-2) == space.variables()
                && (given.extent(-1) == space.width() || given.extent(-1) == 1 && space.isBinary());
        if (!fits) {
            throw new IllegalArgumentException("given = " + given + ": logits of " + space + " for " + components
                    + " components are needed");
        }
        return given.rank() == 3 ? given.repeatLeading(components) : given;
    }

    @Override
    public Dependence dependence() {
        return Dependence.NONE;
    }

    @Override
    public boolean isConditional() {
        return true;
    }

    @Override
    public List<Parameter> parameters() {
        return List.of();
    }

    @Override
    public String toString() {
        return "Given";
    }
}
