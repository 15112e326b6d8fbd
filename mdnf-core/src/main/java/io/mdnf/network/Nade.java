package io.mdnf.network;

import io.mdnf.graph.Affine;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.List;

/**
 * One hidden layer that grows as the code is read from left to right, and that may look at features y of an
 * observation, net(x_&lt;d, y), in the manner of NADE:
 * <pre>
 *   logits_d = bias_d + G_d y + V_d relu(c + A y + sum_{e &lt; d} W_e x_e)        [K]
 * </pre>
 * The hidden sums of d + 1 are those of d plus one row, so drawing a code variable by variable ({@link #drawn}, {@link
 * #chosen}) costs no more than scoring it. Components differ by their output bias [B, D, K] alone.
 *
 * <p>Example: {@code new Nade(space, 1, 256, 128)} takes the 256 units of an encoder's last layer, [n, 256], as given.
 *
 * @param features m, the numbers of y, [n, m] or [1, m] for all rows; 0 to look at the code alone
 * @param hidden H, the width of the hidden layer
 * @param bias first values of the output bias
 * @param scale the deviation of the first V times sqrt(H): how much the code is looked at before training
 */
public record Nade(CodeSpace space, int components, int features, int hidden, Initialiser bias, double scale)
        implements ShiftNetwork {

    /** Checks the widths. */
    public Nade {
        Check.that(components >= 1 && features >= 0 && hidden >= 1, "components = ", components, ", features = ",
                features, ", hidden = ", hidden, ": at least 1, 0 and 1");
    }

    /** First biases of 0, or of Gumbel noise where components would be equal otherwise. */
    public Nade(CodeSpace space, int components, int features, int hidden) {
        this(space, components, features, hidden,
                components == 1 ? Initialiser.constant(0) : Initialiser.gumbel(), 0.5);
    }

    @Override
    public Tensor logits(Graph graph, Inputs inputs) {
        int variables = space.variables();
        int width = space.width();
        boolean common = inputs.isCommon();
        Tensor code = inputs.code();
        long n = code.extent(-3);
        // one network takes the codes of all components as rows
        Tensor x = common ? code : code.reshape(components * n, variables, width);
        long rows = x.extent(0);
        Tensor each = x.permute(1, 0, 2).matmul(rowWeights(graph)).reshape(variables, rows * hidden);
        Tensor earlier = graph.constant(strictlyLower(variables), variables, variables).matmul(each)
                .reshape(variables, rows, hidden);
        Tensor start = perRow(hiddenStart(graph, inputs.given()), n, common);
        Tensor looked = earlier.plus(start.repeatLeading(variables)).relu().matmul(outputWeights(graph))
                .permute(1, 0, 2).reshape(rows, variables * width);
        if (features > 0) {
            looked = looked.plus(perRow(outputStart(graph, inputs.given()), n, common));
        }
        Tensor all = common ? looked.repeatLeading(components) : looked.reshape(components, n, variables * width);
        return all.plus(graph.parameter(outputBias()).repeatAt(1, n)).reshape(components, n, variables, width);
    }

    /** Rows [n or 1, m] for every code, [n, m], or [B n, m] where each component has codes of its own. */
    private Tensor perRow(Tensor some, long n, boolean common) {
        Tensor each = some.spread(0, n);
        return common ? each : each.repeatLeading(components).reshape(components * n, each.extent(1));
    }

    /** Codes [n, D, K] of the softmax of a single component, drawn variable by variable from Gumbel noise [n, D, K],
     * without gradient. */
    public Tensor drawn(Graph graph, Tensor given, Tensor noise) {
        Check.that(components == 1, this, " has ", components, " components: choose among them");
        return walked(graph, given, noise.reshape(noise.extent(0), space.oneHotLength())
                .plus(graph.parameter(outputBias()).stopGradient().spread(0, noise.extent(0))));
    }

    /** Codes [n, D, K] of the components that a mask [B, n, D] chooses for every variable, without gradient. */
    public Tensor chosen(Graph graph, Tensor given, Tensor mask) {
        Tensor own = graph.parameter(outputBias()).stopGradient().repeatAt(1, mask.extent(1));
        return walked(graph, given, Affine.maskedSum(
                own.reshape(components, mask.extent(1), space.variables(), space.width()), mask)
                .reshape(mask.extent(1), space.oneHotLength()));
    }

    /** x_d is the category with the largest sum of its logit, without bias, and what is added to it, [n, D * K]. */
    private Tensor walked(Graph graph, Tensor given, Tensor added) {
        long n = added.extent(0);
        int width = space.width();
        Tensor seen = features == 0 ? added : added.plus(outputStart(graph, given).stopGradient().spread(0, n));
        Tensor offset = StraightThrough.restrict(seen.reshape(n, space.variables(), width), space)
                .reshape(n, space.oneHotLength());
        Tensor sums = hiddenStart(graph, given).stopGradient().spread(0, n);
        Tensor in = rowWeights(graph).stopGradient();
        Tensor out = outputWeights(graph).stopGradient();
        Tensor[] x = new Tensor[space.variables()];
        for (int d = 0; d < x.length; d++) {
            x[d] = sums.relu().matmul(out.slice(0, d, 1).reshape(hidden, width))
                    .plus(offset.slice(1, d * width, width)).argmaxOneHot();
            if (d < x.length - 1) {
                sums = sums.plus(x[d].matmul(in.slice(0, d, 1).reshape(width, hidden)));
            }
        }
        return Tensor.concat(1, x).reshape(n, space.variables(), width).stopGradient();
    }

    /** c + A y, [n or 1, H]. */
    private Tensor hiddenStart(Graph graph, Tensor given) {
        Tensor c = graph.parameter(hiddenBias());
        if (features == 0) {
            return c;
        }
        Tensor seen = given(given).matmul(graph.parameter(new Parameter("seen", Initialiser.glorot(), features,
                hidden)));
        return seen.plus(c.spread(0, seen.extent(0)));
    }

    /** G y, [n or 1, D * K]. */
    private Tensor outputStart(Graph graph, Tensor given) {
        return given(given).matmul(graph.parameter(outputFeatures()));
    }

    private Tensor given(Tensor given) {
        Check.that(given != null && given.rank() == 2 && given.extent(1) == features, "given = ", given, ": ",
                features, " features for every row are needed");
        return given;
    }

    private Tensor rowWeights(Graph graph) {
        return graph.parameter(rowWeights());
    }

    private Tensor outputWeights(Graph graph) {
        return graph.parameter(outputWeights());
    }

    private Parameter rowWeights() {
        return new Parameter("rows", Initialiser.normal(1 / Math.sqrt(space.variables())), space.variables(),
                space.width(), hidden);
    }

    private Parameter outputWeights() {
        return new Parameter("weights", Initialiser.normal(scale / Math.sqrt(hidden)), space.variables(), hidden,
                space.width());
    }

    /** Not 0: the first variable would sit on the kink of every ReLU. */
    private Parameter hiddenBias() {
        return new Parameter("hiddenBias", Initialiser.normal(0.01), 1, hidden);
    }

    private Parameter outputBias() {
        return new Parameter("bias", bias, components, space.oneHotLength());
    }

    private Parameter outputFeatures() {
        return new Parameter("features", Initialiser.glorot(), features, space.oneHotLength());
    }

    private static double[] strictlyLower(int size) {
        return MaskedLayers.mask(size, size, (row, column) -> column < row);
    }

    @Override
    public Dependence dependence() {
        return Dependence.AUTOREGRESSIVE;
    }

    @Override
    public boolean isConditional() {
        return features > 0;
    }

    @Override
    public List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>(List.of(rowWeights(), outputWeights(), hiddenBias(), outputBias()));
        if (features > 0) {
            all.add(outputFeatures());
            all.add(new Parameter("seen", Initialiser.glorot(), features, hidden));
        }
        return all;
    }

    @Override
    public String toString() {
        return "Nade[" + (features > 0 ? "features=" + features + ", " : "") + "hidden=" + hidden + ", "
                + parameterCount() + " parameters]";
    }
}
