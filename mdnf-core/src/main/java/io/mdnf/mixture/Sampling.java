package io.mdnf.mixture;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.space.Check;

/**
 * Sampled codes in a graph: codes [n, D, K] with straight-through gradients and weights [n] that sum to 1, so that
 * E_q[f] is estimated by sum_i weights_i f(codes_i).
 *
 * <p>{@link #draw} writes a step's randomness into the plan's placeholders. Weights differ from 1 / n where samples are
 * dealt to components deterministically: with S a multiple of B, equal weights and deltas, the estimate is the exact
 * sum over atoms.
 *
 * @param codes the sampled codes, [n, D, K]; of a conditional mixture, one for every row of what is given
 * @param drawn the same without gradient, what tables are to be taken at
 * @param weights the samples' weights, [n]
 * @param choices the log-probability of components and base codes that were drawn outside the graph although their law
 *     is trained, [n]; null if there are none
 * @param logProb what to score the codes with where it is not just their log q, [n] without gradient; null if it is
 */
public record Sampling(Tensor codes, Tensor drawn, Tensor weights, Tensor choices, Tensor logProb, Drawing drawing) {

    /** Writes randomness into placeholders. */
    @FunctionalInterface
    interface Drawing {
        void draw(ExecutionPlan plan, Draws draws);
    }

    /** Codes of equal weight. */
    Sampling(Tensor codes, Tensor drawn, Tensor choices, Drawing drawing) {
        this(codes, drawn, codes.graph().ones(codes.extent(0)).times(1.0 / codes.extent(0)), choices, null, drawing);
    }

    static Sampling of(MixtureGraph q, int samples, Estimator estimator) {
        Check.that(samples >= 1, "samples = ", samples, ": at least 1 is needed");
        if (q.mixture().structure() == Structure.PER_VARIABLE) {
            return estimator == Estimator.RESAMPLED ? Resampling.of(q, samples)
                    : PerVariableSampling.of(q, samples, estimator);
        }
        Check.that(!estimator.isAveraged(), "estimator = ", estimator, ": in a JOINT mixture a code comes from one"
                + " component; averaging over the choice is for PER_VARIABLE");
        return q.mixture().isConditional() ? JointSampling.perRow(q, samples) : JointSampling.dealt(q, samples);
    }

    /**
     * A loss -sum_i w_i values_i, values [n], with what the choices outside the graph contribute to its gradient: for
     * each sample the gradient of its choices' log-probability, times how much better it did than the others on average
     * (leave-one-out REINFORCE). Unbiased, since a sample's choices do not depend on the others.
     */
    public Tensor withChoices(Tensor loss, Tensor values) {
        if (choices == null) {
            return loss;
        }
        long n = values.extent(0);
        Tensor w = weights.stopGradient();
        Tensor l = values.stopGradient();
        Tensor terms = w.times(l);
        Tensor all = values.graph().ones(n, n).matmul(terms.reshape(n, 1)).reshape(n);
        // a single sample has no others: 0 over something small
        Tensor others = all.minus(terms).over(w.times(-1).plus(1 + 1e-9));
        Tensor score = w.times(l.minus(others)).stopGradient().times(choices).sum();
        return loss.minus(score.minus(score.stopGradient()));
    }

    /** Writes a step's randomness into the placeholders of the plan that will run. */
    public void draw(ExecutionPlan plan, Draws draws) {
        drawing.draw(plan, draws);
    }
}
