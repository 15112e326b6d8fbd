package io.mdnf.vae;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;

/**
 * Dense layers with ReLU between them: x [n, widths[0]] -&gt; [n, widths[last]], Glorot's weights and zero biases.
 *
 * @param name the scope of the parameters
 * @param widths of input, hidden layers and output
 */
record DenseLayers(String name, int... widths) {

    Tensor of(Graph graph, Tensor x) {
        Graph scope = graph.under(name);
        Tensor h = x;
        for (int layer = 1; layer < widths.length; layer++) {
            Tensor weights = scope.parameter(
                    new Parameter("weights" + layer, Initialiser.glorot(), widths[layer - 1], widths[layer]));
            Tensor bias = scope.parameter(new Parameter("bias" + layer, Initialiser.constant(0), widths[layer]));
            h = h.matmul(weights).plus(bias.repeatLeading(h.extent(0)));
            if (layer < widths.length - 1) {
                h = h.relu();
            }
        }
        return h;
    }
}
