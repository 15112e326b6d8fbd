package io.mdnf.relaxation;

import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import java.util.stream.IntStream;

/**
 * What a Gumbel-Softmax method subtracts from the log likelihood in place of KL(q || p): the methods differ in nothing
 * else. A method maximises the mean over samples of log p(data | code) - divergence.
 *
 * <p>None of these, trained with relaxed codes, bounds the log evidence of the discrete model; each type says what it
 * does bound, with relaxed and with straight-through codes.
 *
 * <p>Example: {@code Tensor loss = objective.divergence(q, x).minus(logLikelihood).sum()}.
 */
public sealed interface RelaxedObjective {

    /** The divergence term of n samples of q, [n]. */
    Tensor divergence(GumbelSoftmax posterior, RelaxedSample sample);

    /**
     * Maddison's Eq. 20, "Gumbel" in the paper: log q(x) - log p(x), both relaxed densities at the relaxed sample; the
     * prior has a temperature of its own.
     *
     * <p>A bound, of which model depends on the code:
     * <ul>
     *   <li>relaxed codes: of the log evidence of the relaxed model, in which x itself has the prior p and the
     *       likelihood sees soft codes. That number says nothing about the discrete model;
     *   <li>straight-through codes: of the log evidence of the discrete model, since the argmax of the relaxed prior
     *       has the discrete prior's law. It is looser than the ELBO of {@link GumbelSoftmax#discretised}: the mean of
     *       this term is at least the discrete KL, because taking the argmax can only lose divergence;
     *   <li>straight-through codes scored at log(code + floor), as published: of nothing. For one-hot codes the floor
     *       enters the density as strongly as the model.
     * </ul>
     *
     * @param prior p, with logits [n, D, K] or [1, D, K]
     */
    record RelaxedPrior(GumbelSoftmax prior) implements RelaxedObjective {

        @Override
        public Tensor divergence(GumbelSoftmax posterior, RelaxedSample sample) {
            return posterior.logDensity(sample).minus(prior.logDensity(sample));
        }
    }

    /**
     * Maddison's Eq. 21: sum_d sum_k c_dk (log q_dk - log p_dk), the categorical log masses of q and p extended
     * linearly to the code c.
     *
     * <p>With relaxed codes no bound of anything: c is not distributed by the q that is scored. With straight-through
     * codes the term is an unbiased estimate of KL(q || p), so the objective's value (not its gradient) is an unbiased
     * estimate of the discrete model's ELBO at {@link GumbelSoftmax#discretised}.
     *
     * @param priorLogits unnormalised log probabilities of p, [n, D, K] or [1, D, K]
     */
    record MaddisonEq21(Tensor priorLogits) implements RelaxedObjective {

        @Override
        public Tensor divergence(GumbelSoftmax posterior, RelaxedSample sample) {
            Categories categories = new Categories(posterior.space());
            long n = sample.count();
            Tensor q = categories.spread("logits", posterior.logDiscretised(), n);
            Tensor p = categories.spread("priorLogits", categories.logProbabilities(priorLogits), n);
            return categories.total(sample.code().times(q.minus(p)));
        }
    }

    /**
     * Maddison's Eq. 22: KL(Categorical(softmax(l)) || p) in closed form, sum_d sum_k q_dk (log q_dk - log p_dk); the
     * sample reaches the likelihood only.
     *
     * <p>With relaxed codes no bound of anything: the divergence belongs to the discrete model, the likelihood to soft
     * codes it never sees. With straight-through codes the objective's value (not its gradient) is an unbiased estimate
     * of the discrete model's ELBO at {@link GumbelSoftmax#discretised}.
     *
     * @param priorLogits unnormalised log probabilities of p, [n, D, K] or [1, D, K]
     */
    record MaddisonEq22(Tensor priorLogits) implements RelaxedObjective {

        @Override
        public Tensor divergence(GumbelSoftmax posterior, RelaxedSample sample) {
            Categories categories = new Categories(posterior.space());
            long rows = Math.max(posterior.logits().extent(0), priorLogits.extent(0));
            Tensor q = categories.spread("logits", posterior.discretised(), rows);
            Tensor logQ = categories.spread("logits", posterior.logDiscretised(), rows);
            Tensor logP = categories.spread("priorLogits", categories.logProbabilities(priorLogits), rows);
            return sample.perSample(categories.total(q.times(logQ.minus(logP))));
        }
    }

    /**
     * Jang's term: sum_d sum_k q_dk (log(q_dk + 1e-20) - log(1 / K_d)) with q = softmax(l), the closed-form divergence
     * from the uniform prior. Up to the floor it equals {@link MaddisonEq22} with equal prior logits, and bounds what
     * that does: with relaxed codes nothing; with straight-through codes the objective's value is an unbiased estimate
     * of the discrete model's ELBO.
     *
     * <p>The floor is kept because it changes the gradient where q underflows, in float above all.
     */
    record Jang() implements RelaxedObjective {

        /** As published. */
        private static final double FLOOR = 1e-20;

        @Override
        public Tensor divergence(GumbelSoftmax posterior, RelaxedSample sample) {
            CodeSpace space = posterior.space();
            Tensor q = posterior.discretised();
            double[] logCardinality = IntStream.range(0, q.size())
                    .mapToDouble(i -> Math.log(space.cardinality(i / space.width() % space.variables()))).toArray();
            Tensor logRatio = q.log(FLOOR).plus(q.graph().constant(logCardinality, q.shape()));
            return sample.perSample(new Categories(space).total(q.times(logRatio)));
        }
    }
}
