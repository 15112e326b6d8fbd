package io.mdnf.objective;

import io.mdnf.graph.Tensor;

/**
 * What a fit makes as large as possible, from weighted samples x_i ~ q: log joints log p(D, x_i), log-probabilities
 * log q(x_i), and weights w_i such that sum_i w_i f(x_i) is an unbiased estimate of E_q[f].
 *
 * <p>Open to objectives of your own, which {@code ObjectiveContract} of mdnf-test holds to their promises.
 */
public interface Objective {

    /** The objective's estimate, a scalar, from log p(D, x_i), log q(x_i) and w_i, each [n]. */
    Tensor estimate(Tensor logJoint, Tensor logProb, Tensor weights);

    /** Returns whether the expectation of {@link #estimate} is at most log p(D), whatever q is. */
    default boolean isLowerBound() {
        return true;
    }

    /** What a fit minimises, a scalar: the estimate, turned round where it is to be large. */
    default Tensor loss(Tensor logJoint, Tensor logProb, Tensor weights) {
        Tensor estimate = estimate(logJoint, logProb, weights);
        return isLowerBound() ? estimate.times(-1) : estimate;
    }
}
