package io.mdnf.bn;

import io.mdnf.distribution.Product;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import java.util.Arrays;

/**
 * What a product q(x) = prod_d q_d(x_d) is worth on a network, exactly: no sampling.
 *
 * <p>A softmax gives every category some probability, so where a network has impossible codes, as Asia has, KL(q || p)
 * of a product of softmaxes is +infinity however good it is. Beside it stands the value with
 * {@linkplain NetworkTarget#floored floored} tables: an impossible code then costs 34.5 nats in proportion to its
 * probability. The paper's numbers are of that kind. Where nothing is impossible the two agree to rounding.
 *
 * @param elbo E_q[log p(D, x) - log q(x)]; -infinity if q has mass on impossible codes
 * @param kl log p(D) - elbo
 * @param flooredElbo the same with the floor
 * @param flooredKl log p(D) - flooredElbo
 */
public record ProductFigures(double elbo, double kl, double flooredElbo, double flooredKl)
        implements Comparable<ProductFigures> {

    /** By the ELBO; where that is -infinity for both, by the floored one. */
    @Override
    public int compareTo(ProductFigures other) {
        int byElbo = Double.compare(elbo, other.elbo);
        return byElbo != 0 ? byElbo : Double.compare(flooredElbo, other.flooredElbo);
    }

    /** Computes figures on one network; safe for several threads. */
    public static final class Judge {

        private final NetworkTarget target;
        private final FactorTarget floored;
        private final double logEvidence;

        /** Prepares tables and the log evidence. */
        public Judge(NetworkTarget target) {
            this.target = target;
            this.logEvidence = VariableElimination.logEvidence(target.evidence());
            this.floored = target.floored();
        }

        /** Returns the figures of a product [D][K_d], each row a distribution. */
        public ProductFigures of(double[][] q) {
            double entropy = Product.entropy(q);
            double elbo = target.expectedLogJoint(q) + entropy;
            double flooredElbo = floored.expectedLogJoint(q) + entropy;
            return new ProductFigures(elbo, logEvidence - elbo, flooredElbo, logEvidence - flooredElbo);
        }
    }

    /** The softmax of each variable's logits over its K_d categories, [D][K_d]. */
    static double[][] softmax(CodeSpace space, double[] logits, int offset) {
        return Arrays.stream(space.rows(logits, offset)).map(LogSpace::normalise).toArray(double[][]::new);
    }
}
