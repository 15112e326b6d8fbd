package io.mdnf.vae;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;

/**
 * Dense layers with ReLU between them: x [n, widths[0]] -&gt; [n, widths[last]], Glorot's weights and zero biases;
 * hidden ones normalised over the batch if the networks are.
 *
 * @param widths of input, hidden layers and output
 */
record DenseLayers(String name, int... widths) {

    Tensor of(Graph graph, BatchStatistics statistics, Tensor x) {
        Graph scope = graph.under(name);
        Tensor h = hidden(graph, statistics, x);
        int last = widths.length - 1;
        return h.matmul(weights(scope, last))
                .plus(bias(scope, last, widths[last]).repeatLeading(h.extent(0)));
    }

    /**
     * The differences of neighbouring outputs, 2 minus 1, 4 minus 3 and so on, [n, widths[last] / 2]: what two
     * categories are decided by, at half the cost, since the weights are subtracted before they are multiplied.
     */
    Tensor differences(Graph graph, BatchStatistics statistics, Tensor x) {
        Graph scope = graph.under(name);
        Tensor h = hidden(graph, statistics, x);
        int last = widths.length - 1;
        long half = widths[last] / 2;
        Tensor weights = StraightThrough.differences(weights(scope, last).reshape(widths[last - 1], half, 2));
        Tensor bias = StraightThrough.differences(bias(scope, last, widths[last]).reshape(half, 2));
        return h.matmul(weights).plus(bias.repeatLeading(h.extent(0)));
    }

    /** The last hidden layer, [n, widths[last - 1]]. */
    Tensor hidden(Graph graph, BatchStatistics statistics, Tensor x) {
        Graph scope = graph.under(name);
        Tensor h = x;
        for (int layer = 1; layer < widths.length - 1; layer++) {
            h = activated(scope, statistics, layer, h.matmul(weights(scope, layer)));
        }
        return h;
    }

    /** What a hidden layer makes of its sums [n, units]: normalised if the networks are, plus a bias, not below 0. */
    static Tensor activated(Graph scope, BatchStatistics statistics, int layer, Tensor sums) {
        return statistics.normalised(scope, layer, sums)
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
