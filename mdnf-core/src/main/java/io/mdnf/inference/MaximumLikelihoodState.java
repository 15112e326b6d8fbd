package io.mdnf.inference;

import io.mdnf.random.Seed;

/**
 * Where {@link MaximumLikelihood} stands: an immutable value, its arrays not to be changed.
 *
 * @param seed where the run's randomness comes from
 * @param step steps done
 * @param parameters in the order of the mixture's layout
 * @param optimiser the optimiser's state vectors
 * @param updates how many updates the optimiser has made
 * @param logLikelihood mean log q(x) of the last minibatch, in nats per code
 * @param best the parameters with the highest mean log-likelihood of all observed codes so far
 * @param bestLogLikelihood that mean, exact
 */
public record MaximumLikelihoodState(Seed seed, long step, double[] parameters, double[][] optimiser, long updates,
        double logLikelihood, double[] best, double bestLogLikelihood) {
}
