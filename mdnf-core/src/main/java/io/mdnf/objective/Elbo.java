package io.mdnf.objective;

import io.mdnf.graph.Tensor;

/**
 * The evidence lower bound E_q[log p(D, x) - log q(x)] = log p(D) - KL(q || p): a lower bound of log p(D) for every q,
 * and its estimate sum_i w_i (log p_i - log q_i) is unbiased.
 */
public record Elbo() implements Objective {

    @Override
    public Tensor estimate(Tensor logJoint, Tensor logProb, Tensor weights) {
        return logJoint.minus(logProb).times(weights).sum();
    }
}
