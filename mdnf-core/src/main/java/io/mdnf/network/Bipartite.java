package io.mdnf.network;

import io.mdnf.graph.Affine;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A coupling network (Dinh et al. 2014): the variables of a set A pass unchanged, and the logits of the others depend
 * on x_A through a network with hidden layers. No iteration over variables in either direction.
 *
 * <p>The logits of A's variables are constant with category 0 on top: shift 0 (and, taken as a scale, 1).
 *
 * <p>Example: {@code new Bipartite(space, 20, new int[] {0, 2}, 64)}.
 *
 * @param passing A, the variables that pass; at least one must not
 * @param hidden widths of the hidden layers, ReLU
 */
public record Bipartite(CodeSpace space, int components, int[] passing, int... hidden) implements ShiftNetwork {

    /** Checks and copies the arrays. */
    public Bipartite {
        passing = passing.clone();
        hidden = MaskedLayers.checked(hidden);
        int variables = space.variables();
        Check.that(Arrays.stream(passing).distinct().count() >= passing.length
                && Arrays.stream(passing).noneMatch(d -> d < 0 || d >= variables), "passing = ",
                Arrays.toString(passing), ": distinct variables in 0 .. ", variables - 1, " are allowed");
        Check.that(passing.length != variables, "passing = all variables: at least one must move");
    }

    private MaskedLayers layers() {
        return new MaskedLayers(components, space.oneHotLength(), hidden);
    }

    @Override
    public List<Parameter> parameters() {
        return layers().parameters(components, Initialiser.normal(1));
    }

    @Override
    public Tensor logits(Graph graph, Inputs inputs) {
        int length = space.oneHotLength();
        MaskedLayers layers = layers();
        List<Parameter> parameters = parameters();
        Tensor x = inputs.rows(components);
        // from what passes, anywhere
        Tensor h = layers.hidden(graph, parameters, x, Activation.RELU,
                layer -> MaskedLayers.mask(layers.in(layer), hidden[layer], (i, o) -> layer > 0 || passes(i)));
        double[] toMoving = MaskedLayers.mask(layers.in(hidden.length), length,
                (i, o) -> (hidden.length > 0 || passes(i)) && !passes(o));
        double[] moving = MaskedLayers.mask(1, length, (i, o) -> !passes(o));
        Tensor bias = Affine.maskedWeights(layers.bias(graph, parameters).reshape(components, 1, length), moving)
                .plus(graph.constant(atRest(), components, 1, length)).reshape(components, length);
        return Affine.masked(h, layers.output(graph, parameters), bias, toMoving)
                .reshape(components, x.extent(1), space.variables(), space.width());
    }

    /** Whether the variable of a one-hot position passes. */
    private boolean passes(int position) {
        return Arrays.stream(passing).anyMatch(d -> d == position / space.width());
    }

    /** 1 at category 0 of variables that pass, flat [B, D, K]. */
    private double[] atRest() {
        int length = space.oneHotLength();
        return IntStream.range(0, components * length)
                .mapToDouble(i -> passes(i % length) && i % space.width() == 0 ? 1 : 0).toArray();
    }

    @Override
    public Dependence dependence() {
        return Dependence.BIPARTITE;
    }

    @Override
    public String toString() {
        return "Bipartite[passing=" + Arrays.toString(passing) + ", hidden=" + Arrays.toString(hidden) + ", "
                + parameterCount() + " parameters]";
    }
}
