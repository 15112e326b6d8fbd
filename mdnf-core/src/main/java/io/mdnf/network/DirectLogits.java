package io.mdnf.network;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Codes;
import java.util.List;

/**
 * The logits are the parameters, [B, D, K]: shifts that depend on nothing.
 *
 * <p>Example: {@code new DirectLogits(codes, 40)} with standard normal first values.
 */
public final class DirectLogits implements ShiftNetwork {

    private final Codes codes;
    private final int components;
    private final Parameter logits;

    /**
     * Standard normal logits.
     *
     * @param codes the space
     * @param components B
     */
    public DirectLogits(Codes codes, int components) {
        this(codes, components, Initialiser.normal(1));
    }

    /**
     * Logits with given first values.
     *
     * @param codes the space
     * @param components B
     * @param first the first values
     */
    public DirectLogits(Codes codes, int components, Initialiser first) {
        this.codes = codes;
        this.components = components;
        this.logits = new Parameter("logits", first, components, codes.variables(), codes.width());
    }

    @Override
    public Dependence dependence() {
        return Dependence.NONE;
    }

    @Override
    public Codes codes() {
        return codes;
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
        return graph.parameter(logits).reshape(components, 1, codes.variables(), codes.width());
    }

    @Override
    public String toString() {
        return "DirectLogits[" + parameterCount() + " parameters]";
    }
}
