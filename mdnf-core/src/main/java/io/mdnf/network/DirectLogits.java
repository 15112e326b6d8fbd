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
 * <p>Example: {@code new DirectLogits(codes, 40)} with standard normal first values.
 */
public final class DirectLogits implements ShiftNetwork {

    private final CodeSpace space;
    private final int components;
    private final Parameter logits;

    /**
     * Standard normal logits.
     *
     * @param space the space
     * @param components B
     */
    public DirectLogits(CodeSpace space, int components) {
        this(space, components, Initialiser.normal(1));
    }

    /**
     * Logits with given first values.
     *
     * @param space the space
     * @param components B
     * @param first the first values
     */
    public DirectLogits(CodeSpace space, int components, Initialiser first) {
        this.space = space;
        this.components = components;
        this.logits = new Parameter("logits", first, components, space.variables(), space.width());
    }

    @Override
    public Dependence dependence() {
        return Dependence.NONE;
    }

    @Override
    public CodeSpace space() {
        return space;
    }

    @Override
    public int components() {
        return components;
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(logits);
    }

    @Override
    public Tensor logits(Graph graph, Inputs inputs) {
        return graph.parameter(logits).reshape(components, 1, space.variables(), space.width());
    }

    @Override
    public String toString() {
        return "DirectLogits[" + parameterCount() + " parameters]";
    }
}
