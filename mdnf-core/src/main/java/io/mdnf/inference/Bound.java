package io.mdnf.inference;

import io.mdnf.mixture.Posterior;
import io.mdnf.mixture.Posterior.WeightedCode;
import io.mdnf.random.Seed;
import io.mdnf.target.FactorisedExpectation;
import io.mdnf.target.TargetModel;
import java.util.List;

/**
 * An ELBO, evaluated after fitting: exact where a finite sum does it, else estimated from fresh samples, never the
 * minimum of noisy losses.
 *
 * <p>Example: {@code Bound.of(target, posterior, 10_000, Seed.of(1)).value()}.
 *
 * @param value E_q[log p(D, x) - log q(x)], or its estimate; -infinity if q has mass on impossible codes
 * @param standardError of the estimate, 0 if exact
 */
public record Bound(double value, double standardError) {

    /** CodeSpace up to which the bound is summed over all of them rather than sampled. */
    static final int ENUMERABLE = 100_000;

    /**
     * Evaluates the ELBO of a posterior.
     *
     * @param target what it was fitted to
     * @param q the posterior
     * @param samples how many to draw where no finite sum does it
     * @param seed where they come from
     * @return the bound
     */
    public static Bound of(TargetModel target, Posterior q, int samples, Seed seed) {
        return of(target, q, samples, seed, ENUMERABLE);
    }

    static Bound of(TargetModel target, Posterior q, int samples, Seed seed, int enumerable) {
        if (q.mixture().isAtoms()) {
            return new Bound(ofAtoms(target, q.atoms()), 0);
        }
        if (q.isProduct() && target instanceof FactorisedExpectation expectation) {
            double[][] product = q.product();
            double entropy = 0;
            for (double[] row : product) {
                for (double p : row) {
                    entropy -= p > 0 ? p * Math.log(p) : 0;
                }
            }
            return new Bound(expectation.expectedLogJoint(product) + entropy, 0);
        }
        return q.mixture().space().size() <= enumerable ? enumerated(target, q) : sampled(target, q, samples, seed);
    }

    private static double ofAtoms(TargetModel target, List<WeightedCode> atoms) {
        double[] logJoint = target.logJoint(atoms.stream().map(WeightedCode::code).toArray(int[][]::new));
        double sum = 0;
        for (int i = 0; i < logJoint.length; i++) {
            double p = atoms.get(i).probability();
            sum += p > 0 ? p * (logJoint[i] - Math.log(p)) : 0;
        }
        return sum;
    }

    private static Bound enumerated(TargetModel target, Posterior q) {
        int[][] all = q.mixture().space().all(ENUMERABLE);
        double[] logQ = q.logProb(all);
        double[] logJoint = target.logJoint(all);
        double sum = 0;
        for (int i = 0; i < all.length; i++) {
            double p = Math.exp(logQ[i]);
            sum += p > 0 ? p * (logJoint[i] - logQ[i]) : 0;
        }
        return new Bound(sum, 0);
    }

    private static Bound sampled(TargetModel target, Posterior q, int samples, Seed seed) {
        double[] logWeights = logWeights(target, q, samples, seed);
        double mean = 0;
        for (double w : logWeights) {
            mean += w / samples;
        }
        if (mean == Double.NEGATIVE_INFINITY) {
            return new Bound(mean, 0); // one impossible code that q draws settles it
        }
        double squares = 0;
        for (double w : logWeights) {
            squares += (w - mean) * (w - mean);
        }
        return new Bound(mean, Math.sqrt(squares / (samples - 1.0) / samples));
    }

    /**
     * Log importance weights log p(D, x_i) - log q(x_i) of fresh samples, for diagnostics.
     *
     * @param target the target
     * @param q the posterior
     * @param samples how many, at least 2
     * @param seed where they come from
     * @return [samples]
     */
    public static double[] logWeights(TargetModel target, Posterior q, int samples, Seed seed) {
        int[][] codes = q.sample(samples, seed);
        double[] logWeights = target.logJoint(codes);
        double[] logQ = q.logProb(codes);
        for (int i = 0; i < samples; i++) {
            logWeights[i] -= logQ[i];
        }
        return logWeights;
    }

    /** Returns whether the value is a finite sum rather than an estimate. */
    public boolean isExact() {
        return standardError == 0;
    }
}
