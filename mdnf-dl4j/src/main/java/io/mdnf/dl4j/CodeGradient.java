package io.mdnf.dl4j;

/** What a sampled code tells the table q it was drawn from about the gradient e of the score by the code. */
public enum CodeGradient {
    /**
     * e itself: as if the score were linear in the code. The least noise, but where a code that is drawn rarely is
     * rarely heard of, q stays too even.
     */
    FIRST_ORDER,
    /**
     * The trapezoid rule between the drawn code and q, in the manner of ReinMax: with m = (x + q) / 2 and c = m / q the
     * gradient by q_k is 2 c_k (e_k - sum_j m_j e_j) - e_k / 2. Right on average for scores quadratic in each variable.
     */
    SECOND_ORDER
}
