package io.mdnf.vae;

import java.util.Locale;

/** What the cells of a column are, and so how likely a decoder can find them. */
public enum ColumnKind {
    /** 0 or 1, with probability sigmoid(l) of 1. */
    BERNOULLI,
    /** One of some levels, with probabilities softmax(l). */
    CATEGORICAL,
    /** A number, normal around a mean that depends on the code, with a deviation that the column learns. */
    GAUSSIAN,
    /** A count 0, 1, 2, .., of rate exp(l). */
    POISSON;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
