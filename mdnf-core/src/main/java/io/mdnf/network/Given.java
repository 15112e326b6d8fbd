package io.mdnf.network;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.List;

/**
 * The logits come from outside: from an encoder, a layer of somebody else's model, the evidence of a network. One code
 * distribution for every row of them, q(x | y).
 *
 * <p>They are [B, n, D, K], or [n, D, K] where all components have the same. With two categories their differences, the
 * second minus the first, will do: [B, n, D, 1] or [n, D, 1]. A single row, n = 1, is every row.
 *
 * <p>Example: {@code Flow flow = new ShiftFlow(new Given(space, 40))}, and {@code mixture.in(setting.given(logits))}.
 */
public record Given(CodeSpace space, int components) implements ShiftNetwork {

    @Override
    public Tensor logits(Graph graph, Inputs inputs) {
        Tensor given = checked(inputs.given());
        // two logits with a given difference
        boolean paired = given.extent(-1) == 1 && space.isBinary();
        Tensor all = paired ? StraightThrough.pairs(difference(given).times(0.5), 0) : given;
        return all.rank() == 3 ? all.repeatLeading(components) : all;
    }

    @Override
    public Tensor differences(Graph graph, Inputs inputs) {
        Tensor all = difference(checked(inputs.given()));
        return all.rank() == 2 ? all.repeatLeading(components) : all;
    }

    /** The differences as they are or of the logits, [B, n, D] or [n, D]. */
    private static Tensor difference(Tensor given) {
        return given.extent(-1) > 1
                ? StraightThrough.differences(given)
                : given.reshape(Arrays.copyOf(given.shape(), given.rank() - 1));
    }

    private Tensor checked(Tensor given) {
        Check.that(given != null, "given is missing: this network takes its logits from outside");
        boolean fits = (given.rank() == 3 || given.rank() == 4 && given.extent(0) == components)
                && given.extent(-2) == space.variables()
                && (given.extent(-1) == space.width() || given.extent(-1) == 1 && space.isBinary());
        Check.that(fits, "given = ", given, ": logits of ", space, " for ", components, " components are needed");
        return given;
    }

    @Override
    public boolean isConditional() {
        return true;
    }

    @Override
    public List<Parameter> parameters() {
        return List.of();
    }

    @Override
    public String toString() {
        return "Given";
    }
}
