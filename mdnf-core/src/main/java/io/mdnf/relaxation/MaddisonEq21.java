package io.mdnf.relaxation;

import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;

/**
 * Maddison's Eq. 21: sum_d sum_k c_dk (log q_dk - log p_dk), the categorical log masses of q and p extended linearly to
 * the code c.
 *
 * <p>With relaxed codes no bound of anything: c is not distributed by the q that is scored. With straight-through codes
 * the term is an unbiased estimate of KL(q || p), so the objective's value (not its gradient) is an unbiased estimate
 * of the discrete model's ELBO at {@link GumbelSoftmax#discretised}.
 *
 * @param priorLogits unnormalised log probabilities of p, [n, D, K] or [1, D, K]
 */
public record MaddisonEq21(Tensor priorLogits) implements RelaxedObjective {

    @Override
    public Tensor divergence(GumbelSoftmax posterior, RelaxedSample sample) {
        CodeSpace space = posterior.space();
        long n = sample.count();
        Support support = new Support(space);
        Tensor q = support.spread("logits", posterior.logDiscretised(), n);
        Tensor p = support.spread("priorLogits", support.logProbabilities(priorLogits), n);
        return sample.code().times(q.minus(p)).reshape(n, space.oneHotLength()).sum(-1);
    }
}
