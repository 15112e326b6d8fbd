package io.mdnf.mixture;

/** Where the gradient of a sampled code goes. The sampled code itself is the same. */
public enum Estimator {
    /** To the component that was chosen, as published. */
    CHOSEN,
    /**
     * To all components: the code x_d carries the gradient of its distribution q_d = sum_b rho_b f^b(u)_d, so every flow
     * learns from every sample. For PER_VARIABLE mixtures.
     */
    AVERAGED
}
