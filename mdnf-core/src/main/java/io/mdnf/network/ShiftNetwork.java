package io.mdnf.network;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import java.util.List;

/**
 * Computes logits of shifts (or scales) for B components at once: logits [B, n, D, K], from which a flow makes
 * mu = ST(softmax(logits / temperature)).
 *
 * <p>Networks differ in what they look at, their {@link Dependence}; those that look at nothing return n = 1.
 */
public sealed interface ShiftNetwork permits DirectLogits, Made, Bipartite, Recurrent, Amortised {

    /** What the logits of variable d depend on. */
    enum Dependence {
        /** Nothing: the logits are the parameters. */
        NONE,
        /** An observation y. */
        OBSERVATION,
        /** The code's variables before d, in the network's order. */
        AUTOREGRESSIVE,
        /** A fixed set of the code's variables, to which d does not belong. */
        BIPARTITE
    }

    /** Returns what the logits depend on. */
    Dependence dependence();

    /** Returns the space of codes. */
    CodeSpace space();

    /** Returns B, the number of components. */
    int components();

    /** Returns the trainable parameters. */
    List<Parameter> parameters();

    /**
     * The logits.
     *
     * @param graph where to build
     * @param inputs the code [B, n, D, K] or [n, D, K] and the observation [n, Y], whichever the network depends on
     * @return [B, n, D, K], or [B, 1, D, K] if the network depends on nothing
     */
    Tensor logits(Graph graph, Inputs inputs);

    /**
     * What a network may look at.
     *
     * @param code [B, n, D, K], or [n, D, K] if all components look at the same, or null
     * @param observation [n, Y], or null
     */
    record Inputs(Tensor code, Tensor observation) {

        /** Returns whether all components look at the same codes. */
        public boolean isCommon() {
            if (code == null) {
                throw new IllegalArgumentException("code is missing: this network depends on the code's variables");
            }
            return code.rank() == 3;
        }

        /**
         * The code as rows for every component.
         *
         * @param components B
         * @return [B, n, D * K]
         */
        public Tensor rows(int components) {
            if (isCommon()) {
                return code.reshape(code.extent(0), code.extent(1) * code.extent(2)).repeatLeading(components);
            }
            return code.reshape(components, code.extent(1), code.extent(2) * code.extent(3));
        }
    }

    /** Returns the number of trainable values. */
    default int parameterCount() {
        return parameters().stream().mapToInt(Parameter::size).sum();
    }
}
