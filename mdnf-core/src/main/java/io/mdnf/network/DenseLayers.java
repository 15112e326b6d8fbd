package io.mdnf.network;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;

/**
 * Dense layers with ReLU between them: x [n, widths[0]] to [n, widths[last]], Glorot's weights and zero biases. An
 * encoder of what is given to a conditional mixture, or a decoder of its codes.
 *
 * <p>Example: {@code Tensor pixels = new DenseLayers("decoder", 40, 128, 784).of(graph, x)}.
 *
 * @param name the scope of the parameters
 * @param widths of input, hidden layers and output
 */
public record DenseLayers(String name, int... widths) {

    /** What becomes of a hidden layer's sums before its bias. */
    @FunctionalInterface
    public interface Normalisation {

        /** Nothing. */
        Normalisation NONE = (scope, layer, sums) -> sums;

        /** Sums [n, units] of hidden layer 1, 2, ..; parameters of its own go into the scope. */
        Tensor normalised(Graph scope, int layer, Tensor sums);
    }

    /** Checks the widths. */
    public DenseLayers {
        Check.that(widths.length >= 2, "widths: ", widths.length, " given; an input and an output are needed");
        widths = widths.clone();
    }

    /** The layers' output, [n, widths[last]], of x [n, widths[0]]. */
    public Tensor of(Graph graph, Tensor x) {
        return of(graph, Normalisation.NONE, x);
    }

    /** The same with hidden layers normalised. */
    public Tensor of(Graph graph, Normalisation normalisation, Tensor x) {
        Graph scope = graph.under(name);
        Tensor h = hidden(graph, normalisation, x);
        int last = widths.length - 1;
        return h.matmul(weights(scope, last)).plus(bias(scope, last, widths[last]).repeatLeading(h.extent(0)));
    }

    /**
     * The differences of neighbouring outputs, 2 minus 1, 4 minus 3 and so on, [n, widths[last] / 2]: what two
     * categories are decided by, at half the cost, since the weights are subtracted before they are multiplied.
     */
    public Tensor differences(Graph graph, Normalisation normalisation, Tensor x) {
        Graph scope = graph.under(name);
        Tensor h = hidden(graph, normalisation, x);
        int last = widths.length - 1;
        long half = widths[last] / 2;
        Tensor weights = StraightThrough.differences(weights(scope, last).reshape(widths[last - 1], half, 2));
        Tensor bias = StraightThrough.differences(bias(scope, last, widths[last]).reshape(half, 2));
        return h.matmul(weights).plus(bias.repeatLeading(h.extent(0)));
    }

    /** The last hidden layer, [n, widths[last - 1]]. */
    public Tensor hidden(Graph graph, Normalisation normalisation, Tensor x) {
        Graph scope = graph.under(name);
        Tensor h = x;
        for (int layer = 1; layer < widths.length - 1; layer++) {
            h = activated(scope, normalisation, layer, h.matmul(weights(scope, layer)));
        }
        return h;
    }

    /** What a hidden layer makes of its sums [n, units]: normalised, plus a bias, not below 0. */
    public static Tensor activated(Graph scope, Normalisation normalisation, int layer, Tensor sums) {
        return normalisation.normalised(scope, layer, sums)
                .plus(bias(scope, layer, sums.extent(1)).repeatLeading(sums.extent(0))).relu();
    }

    private Tensor weights(Graph scope, int layer) {
        return scope.parameter(
                new Parameter("weights" + layer, Initialiser.glorot(), widths[layer - 1], widths[layer]));
    }

    private static Tensor bias(Graph scope, int layer, long units) {
        return scope.parameter(new Parameter("bias" + layer, Initialiser.constant(0), units));
    }
}
