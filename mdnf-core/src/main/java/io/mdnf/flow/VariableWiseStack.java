package io.mdnf.flow;

import io.mdnf.graph.Tensor;
import io.mdnf.network.Dependence;
import io.mdnf.space.Check;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The composition of variable-wise flows whose networks all look at the final code x: x_d = g_L(.. g_1(u_d; x) ..; x).
 * Unlike a {@link FlowStack} it still moves every variable by itself, so PER_VARIABLE mixtures can use it.
 *
 * <p>Example: {@code SortingNetwork.bubble(space, 1, Initialiser.normal(1))} is such a stack of swaps.
 *
 * @param layers the first one nearest the base, all with the same codes and components; none bipartite
 */
public record VariableWiseStack(List<VariableWiseFlow> layers) implements VariableWiseFlow {

    /** Checks that the layers fit each other. */
    public VariableWiseStack {
        layers = List.copyOf(layers);
        FlowStack.checkLayers(layers);
        for (VariableWiseFlow layer : layers) {
            Check.that(layer.dependence() != Dependence.BIPARTITE || layers.size() <= 1, "layer ", layer,
                    " is bipartite: its inputs pass only its own layer; use a FlowStack");
        }
    }

    @Override
    public Map<String, VariableWiseFlow> parts() {
        return FlowStack.named(layers);
    }

    @Override
    public Tensor move(Setting setting, Tensor variables, Tensor code, boolean back) {
        Tensor moved = variables;
        for (int i = 0; i < layers.size(); i++) {
            int layer = back ? layers.size() - 1 - i : i;
            moved = layers.get(layer).move(setting.under("layer" + layer), moved, code, back);
        }
        return moved;
    }

    @Override
    public String toString() {
        return layers.stream().map(Flow::toString).collect(Collectors.joining(" -> ", "VariableWiseStack(", ")"));
    }
}
