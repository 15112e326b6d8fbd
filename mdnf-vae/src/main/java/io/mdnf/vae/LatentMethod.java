package io.mdnf.vae;

import java.util.Locale;

/** How the gradient of q(z | x) is found. */
public enum LatentMethod {
    /** Mixtures of discrete flows: sampled codes carry the gradient of the flows, by an estimator. */
    MDNF,
    /** Leave-one-out REINFORCE over several codes of every image, with the divergence of each variable summed. */
    REINFORCE,
    /** Reweighted wake-sleep: q learns from its own codes, weighted by p(x, z) / q(z | x). */
    WAKE_SLEEP,
    /** Gumbel-Softmax with a relaxed prior, Maddison's Eq. 20. */
    GUMBEL,
    /** Gumbel-Softmax with Jang's divergence. */
    JANG,
    /** Gumbel-Softmax with Maddison's Eq. 21. */
    MADDISON_21,
    /** Gumbel-Softmax with Maddison's Eq. 22. */
    MADDISON_22,
    /** A product's ELBO summed over all codes: the reference where there are few. */
    SUMMED;

    /** Returns whether flows carry the gradient. */
    public boolean isFlow() {
        return this == MDNF;
    }

    /** Returns whether samples are relaxed, so that straight-through is a choice. */
    public boolean isRelaxed() {
        return this == GUMBEL || this == JANG || this == MADDISON_21 || this == MADDISON_22;
    }

    /** Returns whether it compares several codes of an image. */
    public boolean comparesCodes() {
        return this == REINFORCE || this == WAKE_SLEEP;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
