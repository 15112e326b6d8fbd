package io.mdnf.relaxation;

import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;

/**
 * Jang's term: sum_d sum_k q_dk (log(q_dk + 1e-20) - log(1 / K_d)) with q = softmax(l), the closed-form divergence from
 * the uniform prior. Up to the floor it equals {@link MaddisonEq22} with equal prior logits, and bounds what that does:
 * with relaxed codes nothing; with straight-through codes the objective's value is an unbiased estimate of the discrete
 * model's ELBO.
 *
 * <p>The floor is kept because it changes the gradient where q underflows, in float above all.
 */
public record Jang() implements RelaxedObjective {

    private static final double FLOOR = 1e-20;

    @Override
    public Tensor divergence(GumbelSoftmax posterior, RelaxedSample sample) {
        CodeSpace space = posterior.space();
        Tensor q = posterior.discretised();
        long rows = q.extent(0);
        double[] logCardinality = new double[q.size()];
        for (int i = 0; i < logCardinality.length; i++) {
            logCardinality[i] = Math.log(space.cardinality(i / space.width() % space.variables()));
        }
        Tensor logRatio = q.log(FLOOR).plus(q.graph().constant(logCardinality, q.shape()));
        return sample.perSample(q.times(logRatio).reshape(rows, space.oneHotLength()).sum(-1));
    }
}
