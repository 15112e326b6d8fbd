package io.mdnf.network;

import io.mdnf.graph.Affine;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Layers in which not every unit may see every other: h_l = act(h_{l-1} (W_l * mask_l) + c_l) with weights [N, in, out]
 * of N networks, then an output layer of weights and a bias. Input and output have equally many numbers, the length.
 */
record MaskedLayers(int networks, int length, int... hidden) {

    MaskedLayers {
        hidden = checked(hidden);
    }

    /** A copy of widths of at least 1. */
    static int[] checked(int... widths) {
        Check.that(Arrays.stream(widths).noneMatch(width -> width < 1), "widths = ", Arrays.toString(widths),
                ": each must be at least 1");
        return widths.clone();
    }

    /** Whether a unit may see another. */
    interface Sees {
        boolean test(int in, int out);
    }

    /** Flat [in, out], 1 where a unit sees another. */
    static double[] mask(int in, int out, Sees sees) {
        return IntStream.range(0, in * out).mapToDouble(i -> sees.test(i / out, i % out) ? 1 : 0).toArray();
    }

    /** Weights and biases of the hidden layers, the output's weights, and a bias with its own first values. */
    List<Parameter> parameters(int biases, Initialiser firstBias) {
        List<Parameter> all = new ArrayList<>();
        for (int layer = 0; layer < hidden.length; layer++) {
            all.add(weights("weights" + layer, in(layer), hidden[layer]));
            all.add(new Parameter("bias" + layer, Initialiser.constant(0), networks, hidden[layer]));
        }
        all.add(weights("weights", in(hidden.length), length));
        all.add(new Parameter("bias", firstBias, biases, length));
        return all;
    }

    private Parameter weights(String name, int in, int out) {
        return new Parameter(name, Initialiser.glorot(), networks, in, out);
    }

    /** Units in front of a layer. */
    int in(int layer) {
        return layer == 0 ? length : hidden[layer - 1];
    }

    /** The last hidden layer, [N, n, units], of inputs [N, n, length]; the input itself if there is none. */
    Tensor hidden(Graph graph, List<Parameter> parameters, Tensor x, Activation activation,
            IntFunction<double[]> mask) {
        Tensor h = x;
        for (int layer = 0; layer < hidden.length; layer++) {
            Tensor weights = graph.parameter(parameters.get(2 * layer));
            Tensor bias = graph.parameter(parameters.get(2 * layer + 1));
            h = activation.apply(Affine.masked(h, weights, bias, mask.apply(layer)));
        }
        return h;
    }

    /** The output's weights among the parameters. */
    Tensor output(Graph graph, List<Parameter> parameters) {
        return graph.parameter(parameters.get(2 * hidden.length));
    }

    /** The output's bias among the parameters. */
    Tensor bias(Graph graph, List<Parameter> parameters) {
        return graph.parameter(parameters.get(2 * hidden.length + 1));
    }
}
