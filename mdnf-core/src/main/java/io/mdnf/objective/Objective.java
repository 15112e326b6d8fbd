package io.mdnf.objective;

import io.mdnf.graph.Tensor;

/**
 * What a fit makes as large as possible, from weighted samples x_i ~ q: log joints log p(D, x_i), log-probabilities
 * log q(x_i), and weights w_i such that sum_i w_i f(x_i) is an unbiased estimate of E_q[f].
 */
public sealed interface Objective permits Elbo, ImportanceWeightedElbo, ChiBound {

    /**
     * The objective's estimate.
     *
     * @param logJoint log p(D, x_i), [n]
     * @param logProb log q(x_i), [n]
     * @param weights w_i, [n]
     * @return shape []
     */
    Tensor estimate(Tensor logJoint, Tensor logProb, Tensor weights);

    /** Returns whether the expectation of {@link #estimate} is at most log p(D), whatever q is. */
    boolean isLowerBound();

    /**
     * What a fit minimises.
     *
     * @param logJoint log p(D, x_i), [n]
     * @param logProb log q(x_i), [n]
     * @param weights w_i, [n]
     * @return shape []
     */
    default Tensor loss(Tensor logJoint, Tensor logProb, Tensor weights) {
        Tensor estimate = estimate(logJoint, logProb, weights);
        return isLowerBound() ? estimate.times(-1) : estimate;
    }
}
