package io.mdnf.relaxation;

import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;

/**
 * Maddison's Eq. 22: KL(Categorical(softmax(l)) || p) in closed form, sum_d sum_k q_dk (log q_dk - log p_dk); the
 * sample reaches the likelihood only.
 *
 * <p>With relaxed codes no bound of anything: the divergence belongs to the discrete model, the likelihood to soft
 * codes it never sees. With straight-through codes the objective's value (not its gradient) is an unbiased estimate of
 * the discrete model's ELBO at {@link GumbelSoftmax#discretised}.
 *
 * @param priorLogits unnormalised log probabilities of p, [n, D, K] or [1, D, K]
 */
public record MaddisonEq22(Tensor priorLogits) implements RelaxedObjective {

    @Override
    public Tensor divergence(GumbelSoftmax posterior, RelaxedSample sample) {
        CodeSpace space = posterior.space();
        Support support = new Support(space);
        long rows = Math.max(posterior.logits().extent(0), priorLogits.extent(0));
        Tensor q = support.spread("logits", posterior.discretised(), rows);
        Tensor logQ = support.spread("logits", posterior.logDiscretised(), rows);
        Tensor logP = support.spread("priorLogits", support.logProbabilities(priorLogits), rows);
        Tensor divergence = q.times(logQ.minus(logP)).reshape(rows, space.oneHotLength()).sum(-1);
        return sample.perSample(divergence);
    }
}
