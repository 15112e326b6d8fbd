package io.mdnf.target;

/**
 * Expectations of a log joint under a product distribution q(x) = prod_d q_d(x_d). A target that has them as a cheap
 * exact sum, as sums of factors that each look at few variables do, implements this too.
 */
public interface FactorisedExpectation {

    /** E_q[log p(D, x)] for distributions q [D][K_d]; -infinity if q has mass on an impossible code. */
    double expectedLogJoint(double[][] q);

    /** E_{q without d}[log p(D, x) | x_d = k] for each k, up to a constant that is the same for all k; -infinity where
     * the others leave k impossible. Row d of q [D][K_d] is not looked at. */
    double[] conditionalLogJoint(double[][] q, int variable);
}
