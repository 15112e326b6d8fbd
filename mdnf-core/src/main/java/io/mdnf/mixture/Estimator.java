package io.mdnf.mixture;

import java.util.Locale;

/** Where the gradient of a sampled code goes. The sampled code itself is the same. */
public enum Estimator {
    /** To the component that was chosen, as published. */
    CHOSEN,
    /** To all components: the code x_d carries the gradient of its distribution q_d = sum_b rho_b f^b(u)_d, so every
     * flow learns from every sample, as if what is done with the code were linear in it. For PER_VARIABLE mixtures. */
    AVERAGED,
    /** To all components, and exact on average for functions that are quadratic in each variable, in the manner of
     * ReinMax ({@link io.mdnf.graph.StraightThrough#carrySecondOrder}). For PER_VARIABLE mixtures. */
    SECOND_ORDER,
    /** To all components, by what each category of a variable is worth when everything that looks at it is drawn anew:
     * unbiased by the tables q_d, whatever the networks look at and however the target depends on the code. For
     * unconditional PER_VARIABLE mixtures and the ELBO. */
    RESAMPLED;

    /** Returns whether the gradient goes to the distribution rather than to one component. */
    public boolean isAveraged() {
        return this != CHOSEN;
    }

    /** Returns the name as options and manifests have it: chosen, averaged, second-order, resampled. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
