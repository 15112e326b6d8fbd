package io.mdnf.flow;

import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.network.ShiftNetwork.Dependence;
import io.mdnf.space.CodeSpace;
import java.util.List;

/**
 * A bijection of codes for B components at once: forward u -&gt; x, inverse x -&gt; u, both [B, n, D, K] -&gt; [B, n, D, K] and
 * exact on one-hot codes.
 *
 * <p>Discrete flows move probability around without a volume term: p_x(x) = p_u(inverse(x)).
 */
public sealed interface Flow permits VariableWiseFlow, VariablePermutation, FlowStack {

    /** Returns the space of codes. */
    CodeSpace space();

    /** Returns B, the number of components. */
    int components();

    /** Returns the trainable parameters. */
    List<Parameter> parameters();

    /** Returns what the flow of a variable depends on. */
    Dependence dependence();

    /**
     * From base codes to codes. Sequential in D for autoregressive networks, one pass otherwise.
     *
     * @param setting where to build
     * @param u [B, n, D, K]
     * @return x, [B, n, D, K]
     */
    Tensor forward(Setting setting, Tensor u);

    /**
     * From codes to base codes, always in one pass.
     *
     * @param setting where to build
     * @param x [B, n, D, K]
     * @return u, [B, n, D, K]
     */
    Tensor inverse(Setting setting, Tensor x);

    /** Returns the number of trainable values. */
    default int parameterCount() {
        return parameters().stream().mapToInt(Parameter::size).sum();
    }
}
