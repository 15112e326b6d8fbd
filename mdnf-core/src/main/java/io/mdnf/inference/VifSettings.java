package io.mdnf.inference;

import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Precision;
import io.mdnf.graph.StraightThrough;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.objective.Elbo;
import io.mdnf.objective.Objective;
import io.mdnf.space.Check;
import io.mdnf.training.StopRule;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.training.TrainingSettings;

/**
 * How {@link Vif} trains. {@link #forMixture} has defaults that need no tuning.
 *
 * @param samples S, per step
 * @param estimator where the gradient of a sampled code goes
 * @param straightThrough how a one-hot code gets its gradient
 * @param objective what is maximised: the ELBO, unless another is studied; none is known that trains better
 * @param warmUp steps over which the log joint's weight rises from 0 to 1, so that the posterior starts broad and does
 *     not fall for the first mode it meets; 0 for none
 * @param training optimiser, temperature, end
 */
public record VifSettings(int samples, Estimator estimator, StraightThrough straightThrough, Objective objective,
        long warmUp, TrainingSettings training) {

    /** Checks the ranges. */
    public VifSettings {
        Check.that(samples >= 1 && warmUp >= 0, "samples = ", samples, ", warmUp = ", warmUp,
                ": the first must be at least 1, the other at least 0");
    }

    /**
     * Defaults for at most so many steps. JOINT mixtures: the paper's (S = 100, tau = 10, gamma = 0.01, RMSprop 0.01,
     * gradient to the chosen component). PER_VARIABLE: the gradient averaged over the choice of flow, behind networks
     * that look at the code by resampling what follows, Adam with a rate that falls to 0 and a temperature that falls
     * from 10 to 0.5 over the steps.
     */
    public static VifSettings forMixture(Mixture mixture, long steps) {
        if (mixture.structure() == Structure.JOINT) {
            return new VifSettings(Math.max(100, mixture.components()), Estimator.CHOSEN, StraightThrough.FIRST_ORDER,
                    new Elbo(), 0, TrainingSettings.of(new Optimiser.RmsProp(), 0.01)
                            .withTemperature(TemperatureSchedule.exponential(10, 0.01, 0.001))
                            .withStop(StopRule.any(StopRule.maxSteps(steps), StopRule.noImprovement(1000)))
                            .withEvaluations(100));
        }
        boolean resampled = mixture.looksAtCode() && !mixture.isConditional() && !mixture.isUnlimited();
        Estimator estimator = resampled ? Estimator.RESAMPLED : Estimator.AVERAGED;
        return new VifSettings(100, estimator, StraightThrough.FIRST_ORDER, new Elbo(), steps * 2 / 5,
                TrainingSettings.of(new Optimiser.Adam(), 0.02).withDecay(steps)
                        .withTemperature(TemperatureSchedule.exponential(10, 5.0 / steps, 0.5))
                        .withEvaluations((int) Math.max(1, steps / 10)).withPrecision(Precision.FLOAT));
    }

    /**
     * Settings that go on from a PER_VARIABLE mixture that is good already, unconditional, for so many steps: the
     * unbiased gradient, no warm-up, a temperature of 1 and a low rate that falls to 0 (a higher one first
     * takes apart what was learned).
     */
    public static VifSettings fineTuning(long steps) {
        return new VifSettings(100, Estimator.RESAMPLED, StraightThrough.FIRST_ORDER, new Elbo(), 0,
                TrainingSettings.of(new Optimiser.Adam(), 0.002).withDecay(steps).withPrecision(Precision.FLOAT));
    }

    /** Returns these settings with another estimator and straight-through rule. */
    public VifSettings withEstimator(Estimator other, StraightThrough rule) {
        return new VifSettings(samples, other, rule, objective, warmUp, training);
    }

    /** Returns these settings with other optimiser, temperature or end. */
    public VifSettings withTraining(TrainingSettings other) {
        return new VifSettings(samples, estimator, straightThrough, objective, warmUp, other);
    }
}
