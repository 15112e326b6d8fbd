package io.mdnf.gmm;

import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Precision;
import io.mdnf.space.Check;
import io.mdnf.training.StopRule;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.training.TrainingSettings;

/**
 * How the E-step of {@link VariationalEm} fits its mixture of discrete flows over the allocations.
 *
 * @param algorithm all components together, or one at a time
 * @param components B; with delta bases and {@link Algorithm#VIF} responsibilities are multiples of 1 / B
 * @param samples S, draws of the component of every point per iteration, the gradient going to the chosen component as
 *     published; 0 for the exact expectation, which is what S a multiple of B dealt out evenly gives
 * @param alpha the Dirichlet concentration the bases are drawn with; 0 for deltas
 * @param optimiser the update rule, forgetful between EM steps
 * @param rate its learning rate
 * @param annealing how the temperature falls
 * @param iterations the most per E-step, for boosting per component
 * @param patience iterations without a better bound after which an E-step ends
 * @param keep what of the iterations becomes q(Z)
 */
public record FlowSettings(Algorithm algorithm, int components, int samples, double alpha, Optimiser optimiser,
        double rate, Annealing annealing, int iterations, int patience, Keep keep) {

    /** Who is trained when. */
    public enum Algorithm {
        /** All components together, with equal weights. */
        VIF,
        /** One component and its weight at a time, the earlier ones fixed. */
        BVIF
    }

    /** What of the iterations becomes q(Z). Bounds are exact, so nothing is chosen by luck. */
    public enum Keep {
        /** The whole iterate with the highest bound, as published. */
        OVERALL,
        /** The best found for every point by itself: the bound is a sum over points. For VIF. */
        PER_POINT,
        /**
         * The best, improved exactly. VIF on deltas: the best multiples of 1 / B of every point, so nothing is trained,
         * and the first step begins with a finer mixture that is thinned out. BVIF: every point chooses its best
         * cluster within each component, and every weight its best value, in turn.
         */
        REFINED
    }

    /**
     * Two levels of cooling: tau exp(-outer step) exp(-inner iteration), not below the floor.
     *
     * @param tau the first temperature
     * @param outer cooling per EM step
     * @param inner cooling per iteration
     * @param floor the lowest temperature
     */
    public record Annealing(double tau, double outer, double inner, double floor) {
        /** The paper's: from 10, 0.01 at both levels, down to 0.001. */
        public static final Annealing PAPER = new Annealing(10, 0.01, 0.01, 0.001);

        TemperatureSchedule within(int emStep) {
            return TemperatureSchedule.exponential(tau * Math.exp(-outer * emStep), inner, floor);
        }
    }

    /** Checks the ranges. */
    public FlowSettings {
        Check.that(components >= 1 && samples >= 0 && iterations >= 1 && patience >= 1, "components = " + components
                + ", samples = " + samples + ", iterations = " + iterations + ", patience = " + patience
                + ": samples must be at least 0, the others at least 1");
        Check.that(alpha >= 0 && !Double.isInfinite(alpha) && rate > 0 && !Double.isInfinite(rate), "alpha = " + alpha
                + ", rate = " + rate + ": both must be finite, alpha at least 0 and rate above 0");
        Check.that(alpha == 0 || algorithm == Algorithm.VIF && samples == 0 && keep != Keep.REFINED, "alpha = ", alpha,
                " with ", algorithm, ", samples = ", samples, ", ", keep,
                ": Dirichlet bases go with VIF, the exact expectation and no refinement");
        Check.that(algorithm == Algorithm.VIF || samples == 0 && keep != Keep.PER_POINT, "BVIF with samples = ",
                samples, ", ", keep,
                ": boosting takes the exact expectation, and its weights are shared by all points");
    }

    /**
     * Returns the defaults: exact expectation, RMSprop 0.1, the paper's annealing, at most 50 iterations, patience 5,
     * refined. RMSprop remembers 100 gradients rather than 10: a category no component has gives one gradient far
     * larger than the others, and a step after it that is too long passes the optimum.
     */
    public static FlowSettings standard(Algorithm algorithm, int components) {
        return new FlowSettings(algorithm, components, 0, 0, new Optimiser.RmsProp(0.99, 1e-7, 1), 0.1, Annealing.PAPER,
                50, 5, Keep.REFINED);
    }

    /**
     * Returns the paper's: S = 100, gradient to the chosen component, 1000 iterations, patience 100, the best whole
     * iterate; boosting with the exact expectation.
     */
    public static FlowSettings published(Algorithm algorithm, int components) {
        return new FlowSettings(algorithm, components, algorithm == Algorithm.VIF ? 100 : 0, 0, new Optimiser.RmsProp(),
                0.1, Annealing.PAPER, 1000, 100, Keep.OVERALL);
    }

    /** Whether E-steps end with the best multiples of 1 / B. */
    boolean isRefinedOnMultiples() {
        return algorithm == Algorithm.VIF && keep == Keep.REFINED;
    }

    /** How one E-step trains. */
    TrainingSettings training(int emStep, Precision precision) {
        return TrainingSettings.of(optimiser, rate).withTemperature(annealing.within(emStep)).withPrecision(precision)
                .withStop(StopRule.any(StopRule.maxSteps(iterations), StopRule.noImprovement(patience)));
    }

    /** Returns these settings with another choice of what becomes q(Z). */
    public FlowSettings withKeep(Keep other) {
        return new FlowSettings(algorithm, components, samples, alpha, optimiser, rate, annealing, iterations, patience,
                other);
    }

    /** Returns these settings with other limits: the most iterations per E-step, and those without a better bound. */
    public FlowSettings withIterations(int most, int without) {
        return new FlowSettings(algorithm, components, samples, alpha, optimiser, rate, annealing, most, without, keep);
    }

    /** Returns these settings with bases drawn from a Dirichlet distribution of this concentration; 0 for deltas. */
    public FlowSettings withAlpha(double concentration) {
        return new FlowSettings(algorithm, components, samples, concentration, optimiser, rate, annealing, iterations,
                patience, keep);
    }

    /** Returns these settings with another cooling. */
    public FlowSettings withAnnealing(Annealing other) {
        return new FlowSettings(algorithm, components, samples, alpha, optimiser, rate, other, iterations, patience,
                keep);
    }
}
