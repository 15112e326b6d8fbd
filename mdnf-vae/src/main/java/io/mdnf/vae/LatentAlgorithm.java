package io.mdnf.vae;

import java.util.Locale;

/** How the gradient of q(z | x) is found. */
public enum LatentAlgorithm {
    /** Mixtures of discrete flows: sampled codes carry the gradient of the flows, by an estimator. */
    MDNF,
    /** Leave-one-out REINFORCE over several codes of every image, with the divergence of each variable summed. */
    REINFORCE,
    /** Reweighted wake-sleep: q learns from its own codes, weighted by p(x, z) / q(z | x). */
    WAKE_SLEEP,
    /** Gapped straight-through: the gradient of a softmax whose logits are moved to where they lead to the code. */
    GAPPED,
    /** Straight-through Gumbel, averaged over the noise that leads to the same code. */
    RAO_GUMBEL,
    /** DisARM: a product of two categories each learns from two codes of opposite noise, without bias. */
    DISARM,
    /** Vector quantisation: the nearest word of a learned codebook for each variable, and no distribution. */
    VQ,
    /** Finite scalar quantisation: the nearest of K levels for each variable, and no distribution. */
    FSQ,
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

    /** Returns whether drawn codes carry the gradient of a softmax, at a temperature. */
    public boolean isCarried() {
        return this == MDNF || this == GAPPED || this == RAO_GUMBEL;
    }

    /** Returns whether q(z | x) is one code. */
    public boolean isQuantised() {
        return this == VQ || this == FSQ;
    }

    /** Returns whether variables must not look at each other. */
    public boolean needsProduct() {
        return isRelaxed() || isQuantised() || this == DISARM || this == SUMMED;
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
