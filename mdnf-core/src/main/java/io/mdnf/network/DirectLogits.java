package io.mdnf.network;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import java.util.List;

/**
 * The logits are the parameters, [B, D, K]: shifts that depend on nothing.
 *
 * <p>Example: {@code new DirectLogits(space, 40)} with standard normal first values.
 */
public record DirectLogits(CodeSpace space, int components, Initialiser first) implements ShiftNetwork {

    /** Standard normal logits of B components. */
    public DirectLogits(CodeSpace space, int components) {
        this(space, components, Initialiser.normal(1));
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(new Parameter("logits", first, components, space.variables(), space.width()));
    }

    @Override
    public Tensor logits(Graph graph, Inputs inputs) {
        return graph.parameter(parameters().get(0)).reshape(components, 1, space.variables(), space.width());
    }

    @Override
    public String toString() {
        return "DirectLogits[" + parameterCount() + " parameters]";
    }
}
