package io.mdnf.network;

import io.mdnf.graph.Affine;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A masked autoencoder (Germain et al. 2015): the logits of variable d depend only on the variables before d in a given
 * order, for all d in one pass.
 *
 * <p>h_0 = x [B, n, D K]; h_l = act(h_{l-1} (W_l * mask_l) + c_l); logits = h_L (W * mask) + c, plus x (V * mask) with
 * direct connections, plus the logits of the factors it follows. Every unit carries a degree: an input the position of
 * its variable, a hidden unit a position m in 0 .. D - 2; a unit sees inputs and hidden units of degree at most its
 * own, an output only lower ones. Weights are [B, in, out], one network per component, or [1, in, out] for one that all
 * share, with a bias of their own.
 *
 * <pre>{@code
 * Made made = Made.with(space, 20).hidden(64).activation(Activation.RELU).build();
 * }</pre>
 *
 * @param hidden widths of the hidden layers, possibly none
 * @param activation what they apply
 * @param direct whether inputs are also connected straight to the outputs
 * @param order in which the variables come
 * @param degrees of the hidden units, layer by layer: the position of the last variable each sees
 * @param shared whether the components share all weights but the output bias
 * @param first values of the output bias
 */
public record Made(CodeSpace space, int components, int[] hidden, Activation activation, boolean direct, int[] order,
        int[][] degrees, boolean shared, Initialiser first) implements ShiftNetwork {

    /** Checks the order, the widths and the degrees. */
    public Made {
        space.positions(order);
        new MaskedLayers(components, space.oneHotLength(), hidden);
        int highest = Math.max(1, space.variables() - 1);
        Check.that(Arrays.equals(hidden, Arrays.stream(degrees).mapToInt(layer -> layer.length).toArray())
                && Arrays.stream(degrees).flatMapToInt(IntStream::of).noneMatch(d -> d < 0 || d >= highest),
                "degrees = ", Arrays.deepToString(degrees), ": hidden layers of ", Arrays.toString(hidden),
                " units need as many, each in 0 .. ", highest - 1);
    }

    /** Starts a description: B networks with one hidden layer of D * K units, ReLU, left to right, not direct. */
    public static Builder with(CodeSpace space, int components) {
        return new Builder(space, components);
    }

    /** The choices behind a {@link Made}. */
    public static final class Builder {
        private final CodeSpace space;
        private final int components;
        private int[] hidden;
        private Activation activation = Activation.RELU;
        private boolean direct;
        private int[] order;
        private boolean shared;

        private Builder(CodeSpace space, int components) {
            this.space = space;
            this.components = components;
            this.hidden = new int[] {space.oneHotLength()};
            this.order = IntStream.range(0, space.variables()).toArray();
        }

        /** Widths of the hidden layers, possibly none. */
        public Builder hidden(int... widths) {
            hidden = MaskedLayers.checked(widths);
            return this;
        }

        /** What hidden layers apply. */
        public Builder activation(Activation function) {
            activation = function;
            return this;
        }

        /** Adds masked connections from the inputs straight to the outputs. */
        public Builder directConnections() {
            direct = true;
            return this;
        }

        /** The order in which variables come, a permutation of 0 .. D - 1, the first one depending on nothing. */
        public Builder order(int... variables) {
            space.positions(variables);
            order = variables.clone();
            return this;
        }

        /** Lets all components share the weights: only the output bias is each one's own. */
        public Builder sharedWeights() {
            shared = true;
            return this;
        }

        /** Builds the description. */
        public Made build() {
            int highest = Math.max(1, space.variables() - 1);
            int[][] degrees = Arrays.stream(hidden)
                    .mapToObj(width -> IntStream.range(0, width).map(i -> i % highest).toArray()).toArray(int[][]::new);
            return new Made(space, components, hidden.clone(), activation, direct, order.clone(), degrees, shared,
                    Initialiser.normal(1));
        }
    }

    /** Flat [in, out] of 0 and 1 in front of hidden layer {@code layer}. */
    private double[] mask(int layer) {
        return mask(degreesBefore(layer), degrees[layer], false);
    }

    private int[] degreesBefore(int layer) {
        return layer == 0 ? inputDegrees() : degrees[layer - 1];
    }

    private int[] inputDegrees() {
        int[] positions = space.positions(order);
        return IntStream.range(0, space.oneHotLength()).map(i -> positions[i / space.width()]).toArray();
    }

    private static double[] mask(int[] in, int[] out, boolean strict) {
        return MaskedLayers.mask(in.length, out.length, (i, o) -> in[i] < out[o] || !strict && in[i] == out[o]);
    }

    @Override
    public Tensor logits(Graph graph, Inputs inputs) {
        int length = space.oneHotLength();
        // one network takes the codes of all components as rows of one matrix
        Tensor x = shared ? inputs.code().reshape(1, inputs.code().size() / length, length) : inputs.rows(components);
        long n = inputs.code().extent(-3);
        MaskedLayers layers = layers();
        List<Parameter> parameters = parameters();
        Tensor h = layers.hidden(graph, parameters, x, activation, this::mask);
        double[] mask = mask(degreesBefore(hidden.length), inputDegrees(), true);
        Tensor logits = h.matmul(Affine.maskedWeights(layers.output(graph, parameters), mask));
        if (direct && hidden.length > 0) {
            Tensor weights = graph.parameter(parameters.get(parameters.size() - 1));
            logits = logits.plus(x.matmul(Affine.maskedWeights(weights, mask(inputDegrees(), inputDegrees(), true))));
        }
        if (shared) {
            Tensor matrix = logits.reshape(logits.extent(1), length);
            logits = inputs.isCommon() ? matrix.repeatLeading(components) : matrix.reshape(components, n, length);
        }
        return logits.plus(layers.bias(graph, parameters).repeatAt(1, n))
                .reshape(components, n, space.variables(), space.width());
    }

    @Override
    public Dependence dependence() {
        return Dependence.AUTOREGRESSIVE;
    }

    private MaskedLayers layers() {
        return new MaskedLayers(shared ? 1 : components, space.oneHotLength(), hidden);
    }

    @Override
    public List<Parameter> parameters() {
        MaskedLayers layers = layers();
        List<Parameter> parameters = new ArrayList<>(layers.parameters(components, first));
        if (direct && hidden.length > 0) {
            parameters.add(new Parameter("direct", Initialiser.constant(0), layers.networks(), space.oneHotLength(),
                    space.oneHotLength()));
        }
        return parameters;
    }

    @Override
    public String toString() {
        return "Made[hidden=" + Arrays.toString(hidden) + ", " + activation + (direct ? ", direct" : "")
                + (shared ? ", shared" : "") + ", "
                + parameterCount() + " parameters]";
    }
}
