package io.mdnf.flow;

import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.network.ShiftNetwork.Dependence;
import io.mdnf.space.CodeSpace;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The composition of variable-wise flows whose networks all look at the final code x: x_d = g_L(.. g_1(u_d; x) ..; x).
 * Unlike a {@link FlowStack} it still moves every variable by itself, so PER_VARIABLE mixtures can use it.
 *
 * <p>Example: {@code SortingNetwork.bubble(codes, 1)} is such a stack of swaps.
 */
public final class VariableWiseStack implements VariableWiseFlow {

    private final List<VariableWiseFlow> layers;

    /**
     * A composition.
     *
     * @param layers the first one nearest the base, all with the same codes and components; none bipartite
     */
    public VariableWiseStack(List<? extends VariableWiseFlow> layers) {
        this.layers = List.copyOf(layers);
        FlowStack.checkLayers(this.layers);
        for (VariableWiseFlow layer : this.layers) {
            if (layer.dependence() == Dependence.BIPARTITE && layers.size() > 1) {
                throw new IllegalArgumentException("layer " + layer + " is bipartite: its inputs pass only its own layer;"
                        + " use a FlowStack");
            }
        }
    }

    @Override
    public Tensor carry(Setting setting, Tensor u, Tensor code) {
        Tensor x = u;
        for (int i = 0; i < layers.size(); i++) {
            x = layers.get(i).carry(setting.under("layer" + i), x, code);
        }
        return x;
    }

    @Override
    public Tensor carryBack(Setting setting, Tensor x, Tensor code) {
        Tensor u = x;
        for (int i = layers.size() - 1; i >= 0; i--) {
            u = layers.get(i).carryBack(setting.under("layer" + i), u, code);
        }
        return u;
    }

    /** Returns the layers, the first one nearest the base. */
    public List<VariableWiseFlow> layers() {
        return layers;
    }

    @Override
    public CodeSpace space() {
        return layers.get(0).space();
    }

    @Override
    public int components() {
        return layers.get(0).components();
    }

    @Override
    public List<Parameter> parameters() {
        return FlowStack.nest(layers);
    }

    @Override
    public Dependence dependence() {
        return FlowStack.strongest(layers);
    }

    @Override
    public String toString() {
        return layers.stream().map(Flow::toString).collect(Collectors.joining(" -> ", "VariableWiseStack(", ")"));
    }
}
