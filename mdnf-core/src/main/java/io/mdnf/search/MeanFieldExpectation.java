package io.mdnf.search;

import io.mdnf.target.FactorisedExpectation;

/** What coordinate ascent on q(x) = prod_d q_d(x_d) asks of a target, exactly or from samples. */
interface MeanFieldExpectation {

    /** Returns E_q[log p(D, x)]; -infinity if q is seen to have mass on an impossible code. */
    double expected(double[][] q);

    /** Returns E_q[log p(D, x) | x_d = k] for each k, up to a constant; row d of q is not looked at. */
    double[] conditional(double[][] q, int variable);

    static MeanFieldExpectation of(FactorisedExpectation target) {
        return new MeanFieldExpectation() {
            @Override
            public double expected(double[][] q) {
                return target.expectedLogJoint(q);
            }

            @Override
            public double[] conditional(double[][] q, int variable) {
                return target.conditionalLogJoint(q, variable);
            }
        };
    }
}
