package io.mdnf.flow;

import io.mdnf.graph.Tensor;

/**
 * A flow that moves each variable by itself once the code its networks look at is given: x_d = g_d(u_d; code).
 *
 * <p>Given the code it is linear in u_d, so it also carries whole probability vectors: if u_d has distribution P_d,
 * then x_d has distribution {@code carry(P)_d}.
 */
public interface VariableWiseFlow extends Flow {

    /** Moves variables [B, n, D, K], one-hot codes or probability vectors, forward or back: [B, n, D, K]. The networks
     * look at a code [B, n, D, K], or [n, D, K] if all components look at the same, or null if they look at none. */
    Tensor move(Setting setting, Tensor variables, Tensor code, boolean back);

    /** Moves variables u forward, looking at a code. */
    default Tensor carry(Setting setting, Tensor u, Tensor code) {
        return move(setting, u, code, false);
    }

    @Override
    default Tensor forward(Setting setting, Tensor u) {
        return switch (dependence()) {
            case NONE -> carry(setting, u, null);
            case BIPARTITE -> carry(setting, u, u);
            case AUTOREGRESSIVE -> {
                // pass t puts the t-th variable right, whatever the later ones hold
                Tensor x = u;
                for (int pass = 0; pass < space().variables(); pass++) {
                    x = carry(setting, u, x);
                }
                yield x;
            }
        };
    }

    @Override
    default Tensor inverse(Setting setting, Tensor x) {
        return move(setting, x, x, true);
    }
}
