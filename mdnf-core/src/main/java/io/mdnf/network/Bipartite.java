package io.mdnf.network;

import io.mdnf.graph.Affine;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A coupling network (Dinh et al. 2014): the variables of a set A pass unchanged, and the logits of the others depend on
 * x_A through a network with hidden layers. No iteration over variables in either direction.
 *
 * <p>The logits of A's variables are constant with category 0 on top: shift 0 (and, taken as a scale, 1).
 *
 * <p>Example: {@code new Bipartite(codes, 20, new int[] {0, 2}, 64)}.
 */
public final class Bipartite implements ShiftNetwork {

    private final CodeSpace space;
    private final int components;
    private final boolean[] passes;
    private final int[] hidden;
    private final List<Parameter> parameters = new ArrayList<>();

    /**
     * A coupling network.
     *
     * @param space the space
     * @param components B
     * @param passing A, the variables that pass; at least one must not
     * @param hidden widths of the hidden layers, ReLU
     */
    public Bipartite(CodeSpace space, int components, int[] passing, int... hidden) {
        this.space = space;
        this.components = components;
        this.hidden = hidden.clone();
        this.passes = new boolean[space.variables()];
        for (int d : passing) {
            if (d < 0 || d >= passes.length || passes[d]) {
                throw new IllegalArgumentException("passing = " + Arrays.toString(passing)
                        + ": distinct variables in 0 .. " + (passes.length - 1) + " are allowed");
            }
            passes[d] = true;
        }
        if (passing.length == passes.length) {
            throw new IllegalArgumentException("passing = " + Arrays.toString(passing) + ": at least one variable must move");
        }
        int in = space.oneHotLength();
        for (int layer = 0; layer < hidden.length; layer++) {
            parameters.add(new Parameter("weights" + layer, Initialiser.glorot(), components, in, hidden[layer]));
            parameters.add(new Parameter("bias" + layer, Initialiser.constant(0), components, hidden[layer]));
            in = hidden[layer];
        }
        parameters.add(new Parameter("weights", Initialiser.glorot(), components, in, space.oneHotLength()));
        parameters.add(new Parameter("bias", Initialiser.normal(1), components, space.oneHotLength()));
    }

    @Override
    public Tensor logits(Graph graph, Inputs inputs) {
        Tensor h = inputs.rows(components);
        long n = h.extent(1);
        int p = 0;
        for (int layer = 0; layer < hidden.length; layer++) {
            double[] mask = layer == 0 ? mask(hidden[0], true, false) : ones(hidden[layer - 1] * hidden[layer]);
            h = Affine.masked(h, graph.parameter(parameters.get(p++)), graph.parameter(parameters.get(p++)), mask).relu();
        }
        int in = hidden.length == 0 ? space.oneHotLength() : hidden[hidden.length - 1];
        double[] outputMask = hidden.length == 0 ? mask(space.oneHotLength(), true, true) : outputMask(in);
        Tensor weights = graph.parameter(parameters.get(p++));
        Tensor bias = Affine.maskedWeights(
                graph.parameter(parameters.get(p)).reshape(components, 1, space.oneHotLength()), moving())
                .plus(graph.constant(atRest(), components, 1, space.oneHotLength()))
                .reshape(components, space.oneHotLength());
        return Affine.masked(h, weights, bias, outputMask)
                .reshape(components, n, space.variables(), space.width());
    }

    /** Mask from inputs [D K] to {@code out} units: only passing inputs, and with {@code both} only to moving outputs. */
    private double[] mask(int out, boolean fromPassing, boolean both) {
        double[] mask = new double[space.oneHotLength() * out];
        for (int i = 0; i < space.oneHotLength(); i++) {
            for (int o = 0; o < out; o++) {
                boolean seen = passes[i / space.width()] == fromPassing && (!both || !passes[o / space.width()]);
                mask[i * out + o] = seen ? 1 : 0;
            }
        }
        return mask;
    }

    private double[] outputMask(int in) {
        double[] moving = moving();
        double[] mask = new double[in * moving.length];
        for (int i = 0; i < mask.length; i++) {
            mask[i] = moving[i % moving.length];
        }
        return mask;
    }

    private static double[] ones(int n) {
        double[] ones = new double[n];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** 1 at the outputs of variables that move, flat [D, K]. */
    private double[] moving() {
        return IntStream.range(0, space.oneHotLength()).mapToDouble(i -> passes[i / space.width()] ? 0 : 1).toArray();
    }

    /** 1 at category 0 of variables that pass, flat [B, D, K]. */
    private double[] atRest() {
        int length = space.oneHotLength();
        return IntStream.range(0, components * length)
                .mapToDouble(i -> passes[i % length / space.width()] && i % space.width() == 0 ? 1 : 0).toArray();
    }

    /**
     * Whether a variable passes unchanged.
     *
     * @param variable d
     * @return whether d is in A
     */
    public boolean passes(int variable) {
        return passes[variable];
    }

    @Override
    public Dependence dependence() {
        return Dependence.BIPARTITE;
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
        return List.copyOf(parameters);
    }

    @Override
    public String toString() {
        return "Bipartite[passing="
                + Arrays.toString(IntStream.range(0, passes.length).filter(d -> passes[d]).toArray())
                + ", hidden=" + Arrays.toString(hidden) + ", " + parameterCount() + " parameters]";
    }
}
