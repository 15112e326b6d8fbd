package io.mdnf.vae;

/** The prior of codes. */
public enum CodePrior {
    /** Every category is as probable as every other, as in the paper. */
    UNIFORM("uniform"),
    /** A product of categoricals, trained with the rest. */
    LEARNED("learned");

    private final String word;

    CodePrior(String word) {
        this.word = word;
    }

    @Override
    public String toString() {
        return word;
    }
}
