package io.mdnf.evaluation;

import io.mdnf.space.Check;
import io.mdnf.space.CompensatedSum;
import io.mdnf.space.LogSpace;

/**
 * How far q is from the posterior p(x | D), exactly, from their logarithms over all codes.
 *
 * <pre>{@code
 * Divergence d = Divergence.between(logQ, logJoint);     // both over all codes in lexicographic order
 * d.klFromPosterior();                                   // KL(q || p) = logEvidence - elbo
 * }</pre>
 *
 * @param logEvidence log p(D) = log sum_x exp(log p(D, x))
 * @param elbo sum_x q(x) (log p(D, x) - log q(x)); -infinity if q has mass where p has none
 * @param klFromPosterior KL(q || p), the one that variational inference minimises; +infinity if q has mass where p has
 *        none
 * @param klToPosterior KL(p || q); +infinity if p has mass where q has none
 * @param totalVariation half the sum of |q - p|, between 0 and 1
 */
public record Divergence(double logEvidence, double elbo, double klFromPosterior, double klToPosterior,
                         double totalVariation) {

    /** A q computed in 32 bits sums to 1 within this; a q that is not normalised does not. */
    private static final double TOLERANCE = 1e-4;

    /**
     * Compares q with the posterior of a target. About 10^7 codes take seconds; the same result for any number of
     * threads.
     *
     * @param logQ log q(x) of every code, -infinity where q is 0; must sum to 1
     * @param logJoint log p(D, x) of every code in the same order, up to any constant; -infinity where impossible
     */
    public static Divergence between(double[] logQ, double[] logJoint) {
        Check.that(logQ.length == logJoint.length && logQ.length != 0, "logQ has " + logQ.length
                + " codes and logJoint " + logJoint.length + ": they must have the same number, at least 1");
        LogSpace.check("logQ", logQ);
        LogSpace.check("logJoint", logJoint);
        double logMass = LogSpace.sumExp(logQ);
        Check.that(Math.abs(logMass) <= TOLERANCE, "logQ: the probabilities sum to " + Math.exp(logMass)
                + ", not to 1");
        double logZ = LogSpace.sumExp(logJoint);
        Check.that(logZ != Double.NEGATIVE_INFINITY, "logJoint is -infinity for all codes: there is no posterior");
        int n = logQ.length;
        double fromPosterior = CompensatedSum.over(n, i -> term(logQ[i], logJoint[i] - logZ));
        double toPosterior = CompensatedSum.over(n, i -> term(logJoint[i] - logZ, logQ[i]));
        double variation = CompensatedSum.over(n, i -> Math.abs(Math.exp(logQ[i]) - Math.exp(logJoint[i] - logZ)));
        return new Divergence(logZ, logZ - fromPosterior, fromPosterior, toPosterior, variation / 2);
    }

    /** a log(a / b), with 0 log 0 = 0; decided by the logarithms, so that it is right also where exp underflows. */
    private static double term(double logA, double logB) {
        if (logA == Double.NEGATIVE_INFINITY) {
            return 0;
        }
        return logB == Double.NEGATIVE_INFINITY ? Double.POSITIVE_INFINITY : Math.exp(logA) * (logA - logB);
    }
}
