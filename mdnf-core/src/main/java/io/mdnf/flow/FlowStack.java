package io.mdnf.flow;

import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.network.ShiftNetwork.Dependence;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The composition of flows: forward applies the layers in order, inverse applies their inverses in the opposite order.
 * Each layer's networks look at that layer's own codes.
 *
 * <p>Example: {@code new FlowStack(List.of(coupling, VariablePermutation.reversed(codes, B), coupling2))}.
 */
public final class FlowStack implements Flow {

    private final List<Flow> layers;

    /**
     * A composition.
     *
     * @param layers the first one nearest the base, all with the same codes and components
     */
    public FlowStack(List<? extends Flow> layers) {
        this.layers = List.copyOf(layers);
        checkLayers(this.layers);
    }

    static void checkLayers(List<? extends Flow> layers) {
        if (layers.isEmpty()) {
            throw new IllegalArgumentException("layers is empty: a stack needs at least one flow");
        }
        for (Flow layer : layers) {
            if (!layer.space().equals(layers.get(0).space()) || layer.components() != layers.get(0).components()) {
                throw new IllegalArgumentException("layer " + layer + " has " + layer.space() + " and B = "
                        + layer.components() + ", the first has " + layers.get(0).space() + " and B = "
                        + layers.get(0).components());
            }
        }
    }

    static List<Parameter> nest(List<? extends Flow> layers) {
        List<Parameter> all = new ArrayList<>();
        for (int i = 0; i < layers.size(); i++) {
            String name = "layer" + i;
            layers.get(i).parameters().forEach(p -> all.add(p.under(name)));
        }
        return all;
    }

    /** The strongest of the layers' dependences: what a sampler has to respect. */
    static Dependence strongest(List<? extends Flow> layers) {
        return layers.stream().map(Flow::dependence)
                .max(java.util.Comparator.comparingInt(FlowStack::strength)).orElseThrow();
    }

    private static int strength(Dependence dependence) {
        return switch (dependence) {
            case NONE -> 0;
            case OBSERVATION -> 1;
            case BIPARTITE -> 2;
            case AUTOREGRESSIVE -> 3;
        };
    }

    @Override
    public Tensor forward(Setting setting, Tensor u) {
        Tensor x = u;
        for (int i = 0; i < layers.size(); i++) {
            x = layers.get(i).forward(setting.under("layer" + i), x);
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
    public CodeSpace space() {
        return layers.get(0).space();
    }

    @Override
    public int components() {
        return layers.get(0).components();
    }

    @Override
    public List<Parameter> parameters() {
        return nest(layers);
    }

    @Override
    public Dependence dependence() {
        return strongest(layers);
    }

    @Override
    public String toString() {
        return layers.stream().map(Flow::toString).collect(Collectors.joining(" -> ", "Stack(", ")"));
    }
}
