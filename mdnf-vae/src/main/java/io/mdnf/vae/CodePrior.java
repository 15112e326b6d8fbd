package io.mdnf.vae;

import java.util.Locale;

/** The prior of codes. */
public enum CodePrior {
    /** Every category is as probable as every other, as in the paper. */
    UNIFORM,
    /** A product of categoricals, trained with the rest. */
    LEARNED,
    /** Every variable given those before it, p(z) = prod_d p_d(z_d | z_&lt;d), trained with the rest. */
    AUTOREGRESSIVE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
