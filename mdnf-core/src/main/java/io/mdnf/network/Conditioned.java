package io.mdnf.network;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.List;

/**
 * A network that is also told from outside: its own logits, whatever they look at, plus the given ones, net(x_&lt;d,
 * y). With direct logits of its own each component differs by a constant from what all are given.
 *
 * <p>Example: {@code new Conditioned(Made.with(space, 40).build())} in {@code setting.given(encoder.of(y))}.
 *
 * @param own the network; not itself conditional, nor bipartite
 */
public record Conditioned(ShiftNetwork own) implements ShiftNetwork {

    /** Checks the network. */
    public Conditioned {
        Check.that(!own.isConditional(), "own = ", own, ": takes what is given already");
        Check.that(own.dependence() != Dependence.BIPARTITE, "own = ", own,
                ": what passes must pass whatever is given");
    }

    @Override
    public Tensor logits(Graph graph, Inputs inputs) {
        return sum(own.logits(graph, inputs), outside().logits(graph, inputs));
    }

    @Override
    public Tensor differences(Graph graph, Inputs inputs) {
        return sum(own.differences(graph, inputs), outside().differences(graph, inputs));
    }

    private Given outside() {
        return new Given(space(), components());
    }

    private static Tensor sum(Tensor one, Tensor other) {
        long n = Math.max(one.extent(1), other.extent(1));
        return one.spread(1, n).plus(other.spread(1, n));
    }

    @Override
    public CodeSpace space() {
        return own.space();
    }

    @Override
    public int components() {
        return own.components();
    }

    @Override
    public List<Parameter> parameters() {
        return own.parameters();
    }

    @Override
    public Dependence dependence() {
        return own.dependence();
    }

    @Override
    public boolean isConditional() {
        return true;
    }

    @Override
    public String toString() {
        return "Conditioned(" + own + ")";
    }
}
