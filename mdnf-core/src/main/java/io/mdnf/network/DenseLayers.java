package io.mdnf.network;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
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

    /** Checks the widths. */
    public DenseLayers {
        Check.that(widths.length >= 2, "widths: ", widths.length, " given; an input and an output are needed");
        widths = widths.clone();
    }

    /** The layers' output, [n, widths[last]], of x [n, widths[0]]. */
    public Tensor of(Graph graph, Tensor x) {
        Graph scope = graph.under(name);
        Tensor h = x;
        for (int layer = 1; layer < widths.length; layer++) {
            Tensor w = scope.parameter(
                    new Parameter("weights" + layer, Initialiser.glorot(), widths[layer - 1], widths[layer]));
            Tensor b = scope.parameter(new Parameter("bias" + layer, Initialiser.constant(0), widths[layer]));
            h = (layer == 1 ? h : h.relu()).matmul(w).plus(b.repeatLeading(x.extent(0)));
        }
        return h;
    }
}
