package io.mdnf.training;

import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Precision;
import io.mdnf.space.Check;

/**
 * What every gradient training is told.
 *
 * @param optimiser the update rule
 * @param rate the learning rate of the first step
 * @param decaySteps steps over which the rate falls linearly to a thousandth; 0 keeps it constant
 * @param temperature the schedule of tau
 * @param stop when to end
 * @param evaluateEvery steps between evaluations of the best so far where a step's own estimate is no bound; 0: none
 * @param precision the type of all numbers
 */
public record TrainingSettings(Optimiser optimiser, double rate, long holdSteps, long decaySteps,
        TemperatureSchedule temperature,
        StopRule stop, int evaluateEvery, Precision precision) {

    /** Checks the ranges. */
    public TrainingSettings {
        Check.that(evaluateEvery >= 0 && decaySteps >= 0, "evaluateEvery = " + evaluateEvery + ", decaySteps = "
                + decaySteps + ": both must be at least 0");
        Check.that(rate > 0 && !Double.isInfinite(rate), "rate = " + rate
                + ": a learning rate is a finite number above 0");
    }

    /** Returns a constant rate and tau = 1 until something else ends it, in double, without evaluations. */
    public static TrainingSettings of(Optimiser optimiser, double rate) {
        return new TrainingSettings(optimiser, rate, 0, 0, TemperatureSchedule.constant(1),
                StopRule.maxSteps(Long.MAX_VALUE), 0, Precision.DOUBLE);
    }

    /** Returns these settings with another optimiser and learning rate. */
    public TrainingSettings withOptimiser(Optimiser rule, double first) {
        return new TrainingSettings(rule, first, holdSteps, decaySteps, temperature, stop, evaluateEvery, precision);
    }

    /** Returns these settings with a rate that falls over so many steps, which also end the training. */
    public TrainingSettings withDecay(long steps) {
        return withDecay(0, steps);
    }

    /**
     * Returns these settings with a rate that is held for some steps, then falls over others, which end the training.
     */
    public TrainingSettings withDecay(long hold, long steps) {
        return new TrainingSettings(optimiser, rate, hold, steps, temperature, StopRule.maxSteps(hold + steps),
                evaluateEvery, precision);
    }

    /** Returns these settings with another schedule of tau. */
    public TrainingSettings withTemperature(TemperatureSchedule other) {
        return new TrainingSettings(optimiser, rate, holdSteps, decaySteps, other, stop, evaluateEvery, precision);
    }

    /** Returns these settings with another end. */
    public TrainingSettings withStop(StopRule other) {
        return new TrainingSettings(optimiser, rate, holdSteps, decaySteps, temperature, other, evaluateEvery,
                precision);
    }

    /** Returns these settings with other evaluations. */
    public TrainingSettings withEvaluations(int every) {
        return new TrainingSettings(optimiser, rate, holdSteps, decaySteps, temperature, stop, every, precision);
    }

    /** Returns these settings in another precision. */
    public TrainingSettings withPrecision(Precision other) {
        return new TrainingSettings(optimiser, rate, holdSteps, decaySteps, temperature, stop, evaluateEvery, other);
    }

    /** The learning rate of a step: never quite 0, so that the last steps still settle. */
    double rateAt(long step) {
        return decaySteps == 0 ? rate : rate * Math.min(1, Math.max(0, 1 - (double) (step - holdSteps) / decaySteps))
                + rate * 1e-3;
    }
}
