package io.mdnf.objective;

import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.distribution.Product;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.target.FactorisedExpectation;
import io.mdnf.target.TargetModel;
import java.util.Arrays;

/**
 * The ELBO E_q[log p(D, x) - log q(x)] of a distribution, evaluated after fitting: exact where a finite sum does it,
 * else estimated from fresh samples, never the minimum of noisy losses.
 *
 * <p>Example: {@code Bound.of(target, q, 10_000, Seed.of(1)).value()}.
 */
public final class Bound {

    private Bound() {}

    /** The ELBO of q, from at least 2 samples where no finite sum does it; -infinity if impossible codes have mass. */
    public static Estimate of(TargetModel target, CodeDistribution q, int samples, Seed seed) {
        return of(target, q, samples, seed, CodeSpace.LISTABLE);
    }

    /** The same, listing codes only if there are at most {@code listable}. */
    public static Estimate of(TargetModel target, CodeDistribution q, int samples, Seed seed, int listable) {
        if (q instanceof FlowMixture flows && (flows.isAtoms() || flows.isProduct())) {
            return of(target, flows.isAtoms() ? flows.atoms() : flows.product(), samples, seed, listable);
        }
        if (q instanceof Atoms atoms) {
            return Estimate.exact(atoms.elbo(target.logJoint(atoms.codes())));
        }
        if (q instanceof Product product && target instanceof FactorisedExpectation expectation) {
            return Estimate.exact(expectation.expectedLogJoint(product.q()) + product.entropy());
        }
        if (q instanceof Product product && product.supportSize() <= listable) {
            return listed(target, q, product.support(listable));
        }
        return q.space().size() <= listable ? listed(target, q, q.space().all(listable))
                : sampled(target, q, samples, seed);
    }

    private static Estimate listed(TargetModel target, CodeDistribution q, int[][] all) {
        double[] logQ = q.logProb(all);
        double[] logJoint = target.logJoint(all);
        double sum = 0;
        for (int i = 0; i < all.length; i++) {
            double p = Math.exp(logQ[i]);
            sum += p > 0 ? p * (logJoint[i] - logQ[i]) : 0;
        }
        return Estimate.exact(sum);
    }

    private static Estimate sampled(TargetModel target, CodeDistribution q, int samples, Seed seed) {
        double[] logWeights = logWeights(target, q, samples, seed);
        // one impossible code that q draws settles it
        return Arrays.stream(logWeights).anyMatch(w -> w == Double.NEGATIVE_INFINITY)
                ? Estimate.exact(Double.NEGATIVE_INFINITY) : Estimate.of(logWeights);
    }

    /** Log importance weights log p(D, x_i) - log q(x_i) of at least 2 fresh samples, for diagnostics. */
    public static double[] logWeights(TargetModel target, CodeDistribution q, int samples, Seed seed) {
        int[][] codes = q.sample(samples, seed);
        double[] logWeights = target.logJoint(codes);
        double[] logQ = q.logProb(codes);
        for (int i = 0; i < samples; i++) {
            logWeights[i] -= logQ[i];
        }
        return logWeights;
    }
}
