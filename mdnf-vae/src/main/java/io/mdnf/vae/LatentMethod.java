package io.mdnf.vae;

import java.util.Locale;

/** How the posterior of an image's code is represented and trained. */
public enum LatentMethod {
    /** A mixture of discrete flows in which every variable draws its own component: a product of q_d. */
    MDNF,
    /** A mixture of discrete flows with one component for the whole code: B atoms. */
    MDNF_JOINT,
    /** Gumbel-Softmax with a relaxed prior, Maddison's Eq. 20. */
    GUMBEL,
    /** Gumbel-Softmax with Jang's divergence. */
    JANG,
    /** Gumbel-Softmax with Maddison's Eq. 21. */
    MADDISON_21,
    /** Gumbel-Softmax with Maddison's Eq. 22. */
    MADDISON_22,
    /** A product of categoricals whose ELBO is summed over all codes: the reference where there are few. */
    EXACT;

    /** Returns whether flows carry the gradient. */
    public boolean isFlow() {
        return this == MDNF || this == MDNF_JOINT;
    }

    /** Returns whether samples are relaxed, so that straight-through is a choice. */
    public boolean isRelaxed() {
        return this == GUMBEL || this == JANG || this == MADDISON_21 || this == MADDISON_22;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
