package io.mdnf.gmm;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * The evidence lower bound of a Bayesian Gaussian mixture, term by term, in nats (Bishop 10.70-10.77). It holds for any
 * responsibilities and any posterior, not only for those of a finished EM step.
 *
 * @param logLikelihood E[log p(X | Z, mu, Lambda)]
 * @param logAllocations E[log p(Z | pi)]
 * @param logWeights E[log p(pi)]
 * @param logComponents E[log p(mu, Lambda)]
 * @param allocationEntropy -E[log q(Z)]
 * @param weightEntropy -E[log q(pi)]
 * @param componentEntropy -E[log q(mu, Lambda)]
 */
record MixtureElbo(double logLikelihood, double logAllocations, double logWeights, double logComponents,
                          double allocationEntropy, double weightEntropy, double componentEntropy) {

    static MixtureElbo of(MixturePrior prior, MixturePosterior q, ClusterStatistics statistics, double entropy) {
        double[] logPi = q.expectedLogWeights();
        double[] alpha = q.alpha();
        double[] priorAlpha = new double[alpha.length];
        double likelihood = 0;
        double allocations = 0;
        double components = 0;
        double componentEntropy = 0;
        for (int k = 0; k < alpha.length; k++) {
            GaussWishart component = q.components().get(k);
            priorAlpha[k] = prior.alpha();
            likelihood += statistics.expectedLogLikelihood(component, k);
            allocations += statistics.counts()[k] * logPi[k];
            components += prior.component().expectedLogDensityUnder(component);
            componentEntropy -= component.expectedLogDensityUnder(component);
        }
        return new MixtureElbo(likelihood, allocations, dirichlet(priorAlpha, logPi), components, entropy,
                -dirichlet(alpha, logPi), componentEntropy);
    }

    /** E[log Dirichlet(pi | alpha)] where E[log pi] is given. */
    private static double dirichlet(double[] alpha, double[] logPi) {
        return LogGamma.value(Arrays.stream(alpha).sum()) + IntStream.range(0, alpha.length)
                .mapToDouble(k -> (alpha[k] - 1) * logPi[k] - LogGamma.value(alpha[k])).sum();
    }

    /** {@return the bound itself, the sum of the terms} */
    double total() {
        return logLikelihood + logAllocations + logWeights + logComponents
                + allocationEntropy + weightEntropy + componentEntropy;
    }
}
