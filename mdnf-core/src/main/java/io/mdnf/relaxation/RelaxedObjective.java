package io.mdnf.relaxation;

import io.mdnf.graph.Tensor;

/**
 * What a Gumbel-Softmax method subtracts from the log likelihood in place of KL(q || p): the methods differ in nothing
 * else. A method maximises the mean over samples of log p(data | code) - divergence.
 *
 * <p>None of these, trained with relaxed codes, bounds the log evidence of the discrete model; each type says what it
 * does bound, with relaxed and with straight-through codes.
 *
 * <p>Example: {@code Tensor loss = objective.divergence(q, x).minus(decoder.logLikelihood(x.code())).sum()}.
 */
public sealed interface RelaxedObjective permits RelaxedPrior, MaddisonEq21, MaddisonEq22, Jang {

    /**
     * The divergence term of each sample.
     *
     * @param posterior q, with logits [n, D, K] or [1, D, K]
     * @param sample n samples of q
     * @return [n]
     */
    Tensor divergence(GumbelSoftmax posterior, RelaxedSample sample);
}
