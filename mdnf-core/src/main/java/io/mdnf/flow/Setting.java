package io.mdnf.flow;

import io.mdnf.graph.Graph;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.space.CodeSpace;

/**
 * What flows are laid out in: the graph, how one-hot codes get their gradient, and what is given
 * from outside, if anything.
 *
 * <p>Example: {@code Setting.in(graph)} takes the paper's estimator and a placeholder for the temperature.
 *
 * @param graph where to build, in the scope of the part being built
 * @param straightThrough how a one-hot code gets its gradient
 * @param inverseTemperature [1, 1], 1 / tau
 * @param given logits from outside, see {@link io.mdnf.network.Given}, or null where no network takes any
 */
public record Setting(Graph graph, StraightThrough straightThrough, Tensor inverseTemperature, Tensor given) {

    /** The usual setting: first-order straight-through gradients, the temperature a placeholder, nothing given. */
    public static Setting in(Graph graph) {
        return new Setting(graph, StraightThrough.FIRST_ORDER, graph.placeholder("inverseTemperature", 1, 1), null);
    }

    /** The same setting for a part of the model. */
    public Setting under(String name) {
        return new Setting(graph.under(name), straightThrough, inverseTemperature, given);
    }

    /** The same setting with another straight-through estimator. */
    public Setting with(StraightThrough other) {
        return new Setting(graph, other, inverseTemperature, given);
    }

    /** The same setting with logits from outside, as {@link io.mdnf.network.Given} takes them: lays out q(x | y). */
    public Setting given(Tensor logits) {
        return new Setting(graph, straightThrough, inverseTemperature, logits);
    }

    /** The output of a network built in the part {@code name}, [B, n or 1, D, K], exactly one-hot. It looks at a code
     * [B, n, D, K], or [n, D, K] if all components look at the same, or null. */
    public Tensor oneHot(ShiftNetwork network, String name, Tensor code, CodeSpace space) {
        Tensor logits = network.logits(graph.under(name), new ShiftNetwork.Inputs(code, given));
        return straightThrough.oneHot(logits, space, inverseTemperature);
    }

    /** For two categories and first-order gradients, the second entry of {@link #oneHot}, [B, n or 1, D]. */
    Tensor second(ShiftNetwork network, String name, Tensor code) {
        Tensor differences = network.differences(graph.under(name), new ShiftNetwork.Inputs(code, given));
        return StraightThrough.second(differences, inverseTemperature);
    }
}
