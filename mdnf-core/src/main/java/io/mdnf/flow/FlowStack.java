package io.mdnf.flow;

import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The composition of flows: forward applies the layers in order, inverse applies their inverses in the opposite order.
 * Each layer's networks look at that layer's own codes.
 *
 * <p>Example: {@code new FlowStack(List.of(shiftFlow, new VariablePermutation(space, 8, 2, 1, 0)))}.
 *
 * @param layers the first one nearest the base, all with the same codes and components
 */
public record FlowStack(List<Flow> layers) implements Flow {

    /** Checks that the layers fit each other. */
    public FlowStack {
        layers = List.copyOf(layers);
        checkLayers(layers);
    }

    static void checkLayers(List<? extends Flow> layers) {
        Check.that(!layers.isEmpty(), "layers is empty: a stack needs at least one flow");
        for (Flow layer : layers) {
            Check.that(layer.space().equals(layers.get(0).space()) && layer.components() == layers.get(0).components(),
                    "layer ", layer, " has ", layer.space(), " and B = ", layer.components(), ", the first has ",
                    layers.get(0).space(), " and B = ", layers.get(0).components());
        }
    }

    /** The layers by the names their parameters stand under. */
    static <F extends Flow> Map<String, F> named(List<F> layers) {
        Map<String, F> named = new LinkedHashMap<>();
        layers.forEach(layer -> named.put("layer" + named.size(), layer));
        return named;
    }

    @Override
    public Map<String, Flow> parts() {
        return named(layers);
    }

    @Override
    public Tensor forward(Setting setting, Tensor u) {
        Tensor x = u;
        for (var layer : parts().entrySet()) {
            x = layer.getValue().forward(setting.under(layer.getKey()), x);
        }
        return x;
    }

    @Override
    public Tensor inverse(Setting setting, Tensor x) {
        Tensor u = x;
        for (int i = layers.size() - 1; i >= 0; i--) {
            u = layers.get(i).inverse(setting.under("layer" + i), u);
        }
        return u;
    }

    @Override
    public String toString() {
        return layers.stream().map(Flow::toString).collect(Collectors.joining(" -> ", "Stack(", ")"));
    }
}
