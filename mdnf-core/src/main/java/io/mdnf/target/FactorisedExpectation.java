package io.mdnf.target;

/**
 * Expectations of a log joint under a product distribution q(x) = prod_d q_d(x_d). A target that has them as a cheap
 * exact sum, as sums of factors that each look at few variables do, implements this too.
 */
public interface FactorisedExpectation {

    /**
     * The expectation of the log joint.
     *
     * @param q [D][K_d], each row a distribution
     * @return E_q[log p(D, x)]; -infinity if q has mass on an impossible code
     */
    double expectedLogJoint(double[][] q);

    /**
     * The expectation of the log joint given one variable.
     *
     * @param q [D][K_d], each row a distribution; row {@code variable} is not looked at
     * @param variable d
     * @return E_{q without d}[log p(D, x) | x_d = k] for each k, up to a constant that is the same for all k; -infinity
     *     where the others leave k impossible
     */
    double[] conditionalLogJoint(double[][] q, int variable);
}
