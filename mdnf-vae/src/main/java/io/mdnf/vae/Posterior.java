package io.mdnf.vae;

import java.util.Locale;

/** The family that q(z | x) is taken from. What is sampled is what is scored, whichever it is. */
public enum Posterior {
    /** Every variable by itself: q(z | x) = prod_d q_d(z_d | x). */
    PRODUCT,
    /** Every variable given those before it: q(z | x) = prod_d q_d(z_d | z_&lt;d, x). */
    AUTOREGRESSIVE,
    /** One flow for the whole code: B atoms. */
    JOINT,
    /** p(z | x) itself, by Bayes' rule over all codes; there is no encoder, and log p(x) is what is maximised. */
    EXACT;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
