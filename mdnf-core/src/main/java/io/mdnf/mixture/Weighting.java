package io.mdnf.mixture;

/** How the components of a mixture are weighted. */
public enum Weighting {
    /** rho_b = 1 / B. */
    EQUAL,
    /** rho = softmax of trainable logits, [B] for JOINT and [D, B] for PER_VARIABLE. */
    FREE
}
