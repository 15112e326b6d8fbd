package io.mdnf.mixture;

import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.graph.Affine;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.network.ShiftNetwork.Dependence;
import io.mdnf.random.Draws;

/**
 * Sampled codes in a graph: codes [n, D, K] with straight-through gradients and weights [n] that sum to 1, so that
 * E_q[f] is estimated by sum_i weights_i f(codes_i).
 *
 * <p>{@link #draw} writes a step's randomness into the plan's placeholders. Weights differ from 1 / n where samples are
 * dealt to components deterministically: with S a multiple of B, equal weights and deltas, the estimate is the exact sum
 * over atoms.
 */
public abstract class Sampling {

    private final Tensor codes;
    private final Tensor weights;

    /** Keeps what a kind of sampling has built. */
    Sampling(Tensor codes, Tensor weights) {
        this.codes = codes;
        this.weights = weights;
    }

    static Sampling of(MixtureGraph q, int samples, Estimator estimator) {
        Mixture mixture = q.mixture();
        if (samples < 1) {
            throw new IllegalArgumentException("samples = " + samples + ": at least 1 is needed");
        }
        if (mixture.structure() == Structure.PER_VARIABLE) {
            return PerVariableSampling.build(q, samples, estimator);
        }
        if (estimator == Estimator.AVERAGED) {
            throw new IllegalArgumentException("estimator = AVERAGED: in a JOINT mixture a code comes from one component;"
                    + " averaging over the choice is for PER_VARIABLE");
        }
        return mixture.flow().dependence() == Dependence.OBSERVATION
                ? MaskedSampling.build(q, samples)
                : GroupedSampling.build(q, samples);
    }

    /** Returns the sampled codes, [n, D, K]. */
    public Tensor codes() {
        return codes;
    }

    /** Returns the samples' weights, [n]. */
    public Tensor weights() {
        return weights;
    }

    /**
     * The distributions the codes were drawn from, of PER_VARIABLE mixtures sampled with {@link Estimator#AVERAGED}.
     *
     * @return q_d(. | x_&lt;d), [n or 1, D, K]
     */
    public Tensor tables() {
        throw new IllegalStateException("these samples were drawn component by component, not from tables");
    }

    /**
     * Writes a step's randomness into the placeholders.
     *
     * @param plan the plan that will run
     * @param draws the step's randomness
     */
    public abstract void draw(ExecutionPlan plan, Draws draws);

    /** Constant weights 1 / n. */
    static Tensor equalWeights(MixtureGraph q, int samples) {
        return q.graph().ones(samples).times(1.0 / samples);
    }

    /** The mixture's parameter values in a plan, in the mixture's scope. */
    static ParameterValues values(ExecutionPlan plan, MixtureGraph q) {
        return new ParameterValues(plan.layout(), plan.parameters(), q.graph().scope());
    }

    /** The 0/1 mask [B, n, D] that picks each sample's component. */
    static double[] mask(int components, int[][] component, int variables) {
        int n = component.length;
        double[] mask = new double[components * n * variables];
        for (int i = 0; i < n; i++) {
            for (int d = 0; d < variables; d++) {
                mask[(component[i][d] * n + i) * variables + d] = 1;
            }
        }
        return mask;
    }

    /**
     * The general form: every sample passes through every flow and a mask picks one,
     * x[n, d, k] = sum_b M[b, n, d] f^b(u)[b, n, d, k].
     */
    static Tensor masked(MixtureGraph q, Tensor u, Tensor mask, Tensor code) {
        Mixture mixture = q.mixture();
        Tensor repeated = u.repeatLeading(mixture.components());
        Tensor moved = code == null
                ? mixture.flow().forward(q.flowSetting(), repeated)
                : ((VariableWiseFlow) mixture.flow())
                        .carry(q.flowSetting(), repeated, code.repeatLeading(mixture.components()));
        return Affine.maskedSum(moved, mask);
    }

    /** Gives a code the gradient of its distribution. */
    static Tensor averaged(Tensor code, Tensor tables) {
        return StraightThrough.carryGradient(code.stopGradient(), MixtureGraph.spreadRows(tables, code.extent(0)));
    }
}
