package io.mdnf.flow;

import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.network.Dependence;
import io.mdnf.network.Dependent;
import io.mdnf.space.CodeSpace;
import java.util.List;
import java.util.Map;

/**
 * A bijection of codes for B components at once: forward u -&gt; x, inverse x -&gt; u, both [B, n, D, K] -&gt; [B, n,
 * D, K] and exact on one-hot codes.
 *
 * <p>Discrete flows move probability around without a volume term: p_x(x) = p_u(inverse(x)).
 *
 * <p>Open to flows of your own: a record that names its parts, all parameters theirs or its own, and passes what
 * {@code FlowContract} of mdnf-test asks. One that moves each variable by itself is a {@link VariableWiseFlow}.
 */
public interface Flow extends Dependent {

    /** Returns what the flow is made of, networks or other flows, by the names their parameters stand under. */
    Map<String, ? extends Dependent> parts();

    @Override
    default CodeSpace space() {
        return parts().values().iterator().next().space();
    }

    @Override
    default int components() {
        return parts().values().iterator().next().components();
    }

    @Override
    default List<Parameter> parameters() {
        return parts().entrySet().stream()
                .flatMap(part -> part.getValue().parameters().stream().map(p -> p.under(part.getKey()))).toList();
    }

    /** Returns the strongest dependence of its parts: what a sampler has to respect. */
    @Override
    default Dependence dependence() {
        return parts().values().stream().map(Dependent::dependence).reduce(Dependence.NONE,
                (one, other) -> one.compareTo(other) > 0 ? one : other);
    }

    @Override
    default boolean isConditional() {
        return parts().values().stream().anyMatch(Dependent::isConditional);
    }

    @Override
    default int features() {
        return parts().values().stream().mapToInt(Dependent::features).max().orElse(0);
    }

    /** From base codes u [B, n, D, K] to codes x; sequential in D for autoregressive networks, else one pass. */
    Tensor forward(Setting setting, Tensor u);

    /** From codes x [B, n, D, K] to base codes u, always in one pass. */
    Tensor inverse(Setting setting, Tensor x);
}
