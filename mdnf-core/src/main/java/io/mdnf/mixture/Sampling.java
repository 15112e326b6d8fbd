package io.mdnf.mixture;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;

/**
 * Sampled codes in a graph: codes [n, D, K] with straight-through gradients and weights [n] that sum to 1, so that
 * E_q[f] is estimated by sum_i weights_i f(codes_i).
 *
 * <p>{@link #draw} writes a step's randomness into the plan's placeholders. Weights differ from 1 / n where samples are
 * dealt to components deterministically: with S a multiple of B, equal weights and deltas, the estimate is the exact
 * sum over atoms.
 *
 * @param codes the sampled codes, [n, D, K]; of a conditional mixture, one for every row of what is given
 * @param weights the samples' weights, [n]
 */
public record Sampling(Tensor codes, Tensor weights, Drawing drawing) {

    /** Writes randomness into placeholders. */
    @FunctionalInterface
    interface Drawing {
        void draw(ExecutionPlan plan, Draws draws);
    }

    /** Codes of equal weight. */
    Sampling(Tensor codes, Drawing drawing) {
        this(codes, codes.graph().ones(codes.extent(0)).times(1.0 / codes.extent(0)), drawing);
    }

    static Sampling of(MixtureGraph q, int samples, Estimator estimator) {
        if (samples < 1) {
            throw new IllegalArgumentException("samples = " + samples + ": at least 1 is needed");
        }
        if (q.mixture().structure() == Structure.PER_VARIABLE) {
            return PerVariableSampling.of(q, samples, estimator);
        }
        if (estimator.isAveraged()) {
            throw new IllegalArgumentException("estimator = " + estimator + ": in a JOINT mixture a code comes from one"
                    + " component; averaging over the choice is for PER_VARIABLE");
        }
        return q.mixture().isConditional() ? JointSampling.perRow(q, samples) : JointSampling.dealt(q, samples);
    }

    /** Writes a step's randomness into the placeholders of the plan that will run. */
    public void draw(ExecutionPlan plan, Draws draws) {
        drawing.draw(plan, draws);
    }
}
