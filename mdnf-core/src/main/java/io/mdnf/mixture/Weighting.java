package io.mdnf.mixture;

/** How the components of a mixture are weighted. */
public enum Weighting {
    /** rho_b = 1 / B. */
    EQUAL,
    /** rho = softmax of trainable logits, [B] for JOINT and [D, B] for PER_VARIABLE. */
    FREE,
    /**
     * Flows without number. Each adds Gumbel noise of its own to the logits of one network and shifts category 0 to the
     * largest sum, so that variable d is k with probability softmax(logits_d)_k: what B equally weighted flows with
     * fixed offsets approach as B grows, in closed form. For PER_VARIABLE mixtures of shifts of a single network.
     */
    UNLIMITED
}
