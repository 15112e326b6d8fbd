package io.mdnf.objective;

import io.mdnf.graph.Tensor;

/**
 * The chi upper bound (Dieng et al. 2017) of order 2, (1/2) log E_q[(p(D, x) / q(x))^2].
 *
 * <p>With the exact expectation it is an upper bound of log p(D), provided q is positive wherever p is; a q with gaps
 * in its support (atoms, for instance) makes it a bound of the covered mass only. Its estimate from samples is biased
 * downwards, so it is a diagnostic beside the lower bounds, not a certificate.
 */
public record ChiBound() implements Objective {

    @Override
    public Tensor estimate(Tensor logJoint, Tensor logProb, Tensor weights) {
        long n = logJoint.extent(0);
        Tensor terms = logJoint.minus(logProb).times(2).plus(weights.log(logJoint.graph().precision().tiny()));
        return terms.reshape(1, n).logSumExp().sum().times(0.5);
    }

    @Override
    public boolean isLowerBound() {
        return false;
    }
}
