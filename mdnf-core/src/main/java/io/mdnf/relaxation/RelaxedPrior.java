package io.mdnf.relaxation;

import io.mdnf.graph.Tensor;

/**
 * Maddison's Eq. 20, "Gumbel" in the paper: log q(x) - log p(x), both relaxed densities at the relaxed sample; the
 * prior has a temperature of its own.
 *
 * <p>A bound, of which model depends on the code:
 * <ul>
 *   <li>relaxed codes: of the log evidence of the relaxed model, in which x itself has the prior p and the likelihood
 *       sees soft codes. That number says nothing about the discrete model;
 *   <li>straight-through codes: of the log evidence of the discrete model, since the argmax of the relaxed prior has
 *       the discrete prior's law. It is looser than the ELBO of {@link GumbelSoftmax#discretised}: the mean of this
 *       term is at least the discrete KL, because taking the argmax can only lose divergence;
 *   <li>straight-through codes scored at the code ({@link RelaxedSample#scoredAtCode}), as published: of nothing.
 * </ul>
 *
 * @param prior p, with logits [n, D, K] or [1, D, K]
 */
public record RelaxedPrior(GumbelSoftmax prior) implements RelaxedObjective {

    @Override
    public Tensor divergence(GumbelSoftmax posterior, RelaxedSample sample) {
        return posterior.logDensity(sample).minus(prior.logDensity(sample));
    }
}
