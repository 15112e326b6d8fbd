package io.mdnf.network;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.List;

/**
 * A network for K' categories that looks at codes with more: of another network's logits the first K' of every
 * variable, [B, n or 1, D, K']. So the shift of a {@link io.mdnf.flow.PartialFlow} may depend on all of x_&lt;d.
 *
 * <p>Example: {@code new Narrowed(Made.with(space, 40).build(), 2)}.
 *
 * @param whole the network, whose codes this one looks at
 * @param categories K', which every variable must have
 */
public record Narrowed(ShiftNetwork whole, int categories) implements ShiftNetwork {

    /** Checks K'. */
    public Narrowed {
        int smallest = Arrays.stream(whole.space().cardinalities()).min().getAsInt();
        Check.that(categories >= 1 && categories <= smallest, "categories = ", categories,
                ": every variable must have as many, of ", whole.space(), " 1 .. ", smallest);
    }

    @Override
    public CodeSpace space() {
        return CodeSpace.uniform(whole.space().variables(), categories);
    }

    @Override
    public int components() {
        return whole.components();
    }

    @Override
    public List<Parameter> parameters() {
        return whole.parameters();
    }

    @Override
    public Dependence dependence() {
        return whole.dependence();
    }

    @Override
    public boolean isConditional() {
        return whole.isConditional();
    }

    @Override
    public int features() {
        return whole.features();
    }

    @Override
    public Tensor logits(Graph graph, Inputs inputs) {
        Check.that(inputs.code() == null || inputs.code().extent(-1) == whole.space().width(), this,
                " looks at codes of ", whole.space(), ", not at those of its own categories: it is for a partial flow");
        return whole.logits(graph, inputs).slice(3, 0, categories);
    }

    @Override
    public String toString() {
        return "Narrowed(" + whole + " to " + categories + ")";
    }
}
