package io.mdnf.inference;

import io.mdnf.random.Seed;

/**
 * Where a boosting run stands: components 0 .. component - 1 are in the mixture, {@code component} is being trained.
 *
 * @param seed of the run
 * @param component the component being trained
 * @param step steps done for it
 * @param total steps done for all
 * @param parameters the flat vector of the training graph: the mixture's, then the logit of the new share
 * @param optimiser the optimiser's state vectors
 * @param updates updates the optimiser has made
 * @param weights rho of the components in the mixture, 0 for the others
 * @param elbo the last step's estimate
 * @param best parameters of the best bound with this component
 * @param bestWeights its weights
 * @param bestElbo that bound
 * @param mixtureElbo the bound of the mixture without this component
 * @param finished whether the run has ended
 */
public record BvifState(Seed seed, int component, int step, long total, double[] parameters, double[][] optimiser,
        long updates, double[] weights, double elbo, double[] best, double[] bestWeights, double bestElbo,
        double mixtureElbo, boolean finished) {}
