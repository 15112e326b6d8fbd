package io.mdnf.vae;

import java.util.Locale;

/** The prior of codes. */
public enum CodePrior {
    /** Every category is as probable as every other, as in the paper. */
    UNIFORM,
    /** A product of categoricals, trained with the rest. */
    LEARNED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
