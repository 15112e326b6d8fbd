package io.mdnf.network;

import io.mdnf.graph.Graph;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;

/**
 * Computes logits of shifts (or scales) for B components at once: logits [B, n, D, K], from which a flow makes
 * mu = ST(softmax(logits / temperature)).
 *
 * <p>Networks differ in what they look at: the code ({@link Dependence}), logits from outside ({@link Given}), both
 * ({@link Conditioned}) or neither; those that look at neither return n = 1.
 *
 * <p>Open to networks of your own, which {@code ShiftNetworkContract} of mdnf-test holds to their promises.
 */
public interface ShiftNetwork extends Dependent {

    @Override
    default Dependence dependence() {
        return Dependence.NONE;
    }

    @Override
    default boolean isConditional() {
        return false;
    }

    /** The logits, [B, n, D, K], or [B, 1, D, K] if the network looks at nothing. */
    Tensor logits(Graph graph, Inputs inputs);

    /** For two categories, what decides between them: the second logit minus the first, [B, n or 1, D]. */
    default Tensor differences(Graph graph, Inputs inputs) {
        return StraightThrough.differences(logits(graph, inputs));
    }

    /**
     * What a network may look at: a code [B, n, D, K], or [n, D, K] if all components look at the same, or null; logits
     * given from outside, see {@link Given}, or null.
     */
    record Inputs(Tensor code, Tensor given) {

        /** Returns whether all components look at the same codes. */
        boolean isCommon() {
            Check.that(code != null, "code is missing: this network depends on the code's variables");
            return code.rank() == 3;
        }

        /** The code as rows for each of B components, [B, n, D * K]. */
        public Tensor rows(int components) {
            if (isCommon()) {
                return code.reshape(code.extent(0), code.extent(1) * code.extent(2)).repeatLeading(components);
            }
            return code.reshape(components, code.extent(1), code.extent(2) * code.extent(3));
        }
    }
}
