package io.mdnf.fit;

/** The families of posteriors a user can name. */
public enum Family {
    /** The posterior itself: all possible codes, weighted by their probability, or conditionals by elimination. */
    EXACT,
    /** Weighted atoms: JOINT, direct logits, deltas. */
    JOINT,
    /** A product of distributions: PER_VARIABLE, direct logits. */
    FACTORISED,
    /** q_d(x_d | x_&lt;d): PER_VARIABLE, MADE. */
    AUTOREGRESSIVE
}
