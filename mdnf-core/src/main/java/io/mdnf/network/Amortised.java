package io.mdnf.network;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Logits from an observation y: a dense network y [n, Y] -&gt; hidden (ReLU) -&gt; [n, B * D * K], one code distribution per
 * observation. The encoder of a variational autoencoder is such a network, or ends in one.
 *
 * <p>Example: {@code new Amortised(codes, 40, 20, 800)} is the head of the paper for D K = 20, B = 40.
 */
public final class Amortised implements ShiftNetwork {

    private final CodeSpace space;
    private final int components;
    private final int observed;
    private final int[] hidden;
    private final List<Parameter> parameters = new ArrayList<>();

    /**
     * A dense network.
     *
     * @param space the space
     * @param components B
     * @param observed Y, the length of an observation
     * @param hidden widths of the hidden layers, possibly none
     */
    public Amortised(CodeSpace space, int components, int observed, int... hidden) {
        if (observed < 1) {
            throw new IllegalArgumentException("observed = " + observed + ": an observation has at least 1 number");
        }
        this.space = space;
        this.components = components;
        this.observed = observed;
        this.hidden = hidden.clone();
        int in = observed;
        for (int layer = 0; layer < hidden.length; layer++) {
            parameters.add(new Parameter("weights" + layer, Initialiser.glorot(), in, hidden[layer]));
            parameters.add(new Parameter("bias" + layer, Initialiser.constant(0), hidden[layer]));
            in = hidden[layer];
        }
        int out = components * space.oneHotLength();
        parameters.add(new Parameter("weights", Initialiser.glorot(), in, out));
        parameters.add(new Parameter("bias", Initialiser.constant(0), out));
    }

    @Override
    public Tensor logits(Graph graph, Inputs inputs) {
        Tensor h = inputs.observation();
        if (h == null || h.rank() != 2 || h.extent(1) != observed) {
            throw new IllegalArgumentException("observation = " + h + ": this network needs [n, " + observed + "]");
        }
        long n = h.extent(0);
        int p = 0;
        for (int layer = 0; layer <= hidden.length; layer++) {
            Tensor weights = graph.parameter(parameters.get(p++));
            Tensor bias = graph.parameter(parameters.get(p++));
            h = h.matmul(weights).plus(bias.repeatLeading(n));
            if (layer < hidden.length) {
                h = h.relu();
            }
        }
        return h.reshape(n, components, space.oneHotLength()).permute(1, 0, 2)
                .reshape(components, n, space.variables(), space.width());
    }

    @Override
    public Dependence dependence() {
        return Dependence.OBSERVATION;
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
        return "Amortised[observed=" + observed + ", hidden=" + Arrays.toString(hidden) + ", " + parameterCount()
                + " parameters]";
    }
}
