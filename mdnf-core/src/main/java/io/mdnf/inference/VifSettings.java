package io.mdnf.inference;

import io.mdnf.training.StopRule;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Precision;
import io.mdnf.graph.StraightThrough;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.objective.Elbo;
import io.mdnf.objective.Objective;
import io.mdnf.training.TemperatureSchedule;

/**
 * How {@link Vif} trains. {@link #forMixture} has defaults that need no tuning.
 *
 * @param samples S, per step
 * @param estimator where the gradient of a sampled code goes
 * @param straightThrough how a one-hot code gets its gradient
 * @param objective what is maximised
 * @param temperature the schedule of tau
 * @param optimiser the update rule
 * @param rate the learning rate of the first step
 * @param decaySteps steps over which the rate falls linearly to 0; 0 keeps it constant
 * @param stop when to end
 * @param evaluateEvery steps between evaluations of the best-so-far where a step's own estimate is not exact
 * @param warmUp steps over which the log joint's weight rises from 0 to 1, so that the posterior starts broad and does
 *     not fall for the first mode it meets; 0 for none
 * @param precision the type of all numbers
 */
public record VifSettings(int samples, Estimator estimator, StraightThrough straightThrough, Objective objective,
        TemperatureSchedule temperature, Optimiser optimiser, double rate, long decaySteps, StopRule stop,
        int evaluateEvery, long warmUp, Precision precision) {

    /** Checks the ranges. */
    public VifSettings {
        if (samples < 1 || evaluateEvery < 1 || decaySteps < 0 || warmUp < 0) {
            throw new IllegalArgumentException("samples = " + samples + ", evaluateEvery = " + evaluateEvery
                    + ", decaySteps = " + decaySteps + ", warmUp = " + warmUp
                    + ": the first two must be at least 1, the others at least 0");
        }
        if (!(rate > 0) || Double.isInfinite(rate)) {
            throw new IllegalArgumentException("rate = " + rate + ": a learning rate is a finite number above 0");
        }
    }

    /**
     * Defaults. JOINT mixtures: the paper's (S = 100, tau = 10, gamma = 0.01, RMSprop 0.01, gradient to the chosen
     * component). PER_VARIABLE: the gradient averaged over the choice of flow, Adam with a rate that falls to 0 and a
     * temperature that falls from 10 to 0.5 over the steps.
     *
     * @param mixture what is trained
     * @param steps how many steps at most
     * @return the settings
     */
    public static VifSettings forMixture(Mixture mixture, long steps) {
        if (mixture.structure() == Structure.JOINT) {
            int samples = Math.max(100, mixture.components());
            return new VifSettings(samples, Estimator.CHOSEN, StraightThrough.FIRST_ORDER, new Elbo(),
                    TemperatureSchedule.exponential(10, 0.01, 0.001), new Optimiser.RmsProp(), 0.01, 0,
                    StopRule.any(StopRule.maxSteps(steps), StopRule.noImprovement(1000)), 100, 0, Precision.DOUBLE);
        }
        return new VifSettings(100, Estimator.AVERAGED, StraightThrough.FIRST_ORDER, new Elbo(),
                TemperatureSchedule.exponential(10, 5.0 / steps, 0.5), new Optimiser.Adam(), 0.02, steps,
                StopRule.maxSteps(steps), (int) Math.max(1, steps / 10), steps * 2 / 5, Precision.FLOAT);
    }

    /**
     * The same with another number of samples.
     *
     * @param count S
     * @return the settings
     */
    public VifSettings withSamples(int count) {
        return new VifSettings(count, estimator, straightThrough, objective, temperature, optimiser, rate, decaySteps,
                stop, evaluateEvery, warmUp, precision);
    }

    /**
     * The same with another estimator and straight-through rule.
     *
     * @param other where the gradient of a sampled code goes
     * @param rule how a one-hot code gets its gradient
     * @return the settings
     */
    public VifSettings withEstimator(Estimator other, StraightThrough rule) {
        return new VifSettings(samples, other, rule, objective, temperature, optimiser, rate, decaySteps, stop,
                evaluateEvery, warmUp, precision);
    }

    /**
     * The same with another objective.
     *
     * @param other what is maximised
     * @return the settings
     */
    public VifSettings withObjective(Objective other) {
        return new VifSettings(samples, estimator, straightThrough, other, temperature, optimiser, rate, decaySteps, stop,
                evaluateEvery, warmUp, precision);
    }

    /**
     * The same with another temperature schedule.
     *
     * @param other the schedule
     * @return the settings
     */
    public VifSettings withTemperature(TemperatureSchedule other) {
        return new VifSettings(samples, estimator, straightThrough, objective, other, optimiser, rate, decaySteps, stop,
                evaluateEvery, warmUp, precision);
    }

    /**
     * The same with another optimiser.
     *
     * @param rule the update rule
     * @param first its learning rate at the first step
     * @return the settings
     */
    public VifSettings withOptimiser(Optimiser rule, double first) {
        return new VifSettings(samples, estimator, straightThrough, objective, temperature, rule, first, decaySteps, stop,
                evaluateEvery, warmUp, precision);
    }

    /**
     * The same with another end.
     *
     * @param other when to end
     * @return the settings
     */
    public VifSettings withStop(StopRule other) {
        return new VifSettings(samples, estimator, straightThrough, objective, temperature, optimiser, rate, decaySteps,
                other, evaluateEvery, warmUp, precision);
    }

    /**
     * The same with another warm-up.
     *
     * @param steps over which the log joint's weight rises to 1
     * @return the settings
     */
    public VifSettings withWarmUp(long steps) {
        return new VifSettings(samples, estimator, straightThrough, objective, temperature, optimiser, rate, decaySteps,
                stop, evaluateEvery, steps, precision);
    }

    /**
     * The same in another precision.
     *
     * @param other the type of all numbers
     * @return the settings
     */
    public VifSettings withPrecision(Precision other) {
        return new VifSettings(samples, estimator, straightThrough, objective, temperature, optimiser, rate, decaySteps,
                stop, evaluateEvery, warmUp, other);
    }

    double rateAt(long step) {
        return decaySteps == 0 ? rate : rate * Math.max(0, 1 - (double) step / decaySteps) + rate * 1e-3;
    }
}
