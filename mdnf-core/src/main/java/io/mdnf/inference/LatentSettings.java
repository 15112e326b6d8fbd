package io.mdnf.inference;

import io.mdnf.graph.Optimiser;
import io.mdnf.mixture.Estimator;
import io.mdnf.space.Check;
import io.mdnf.training.TrainingSettings;

/**
 * How {@link LatentTraining} runs. {@link #standard} has defaults.
 *
 * @param batch rows of a step; all of them if there are fewer
 * @param samples codes drawn for each row of a step
 * @param estimator where the gradient of a drawn code goes; a JOINT mixture takes {@link Estimator#CHOSEN}
 * @param training optimiser, temperature, end, and how often the best so far is judged on all rows
 */
public record LatentSettings(int batch, int samples, Estimator estimator, TrainingSettings training) {

    /** Checks the ranges. */
    public LatentSettings {
        Check.that(batch >= 1 && samples >= 1, "batch = ", batch, ", samples = ", samples, ": at least 1 of each");
        Check.that(estimator != Estimator.RESAMPLED, "estimator = ", estimator,
                ": is for one posterior; conditional ones take averaged or second-order");
    }

    /** Returns the defaults: 100 rows a step, one code each, second-order gradients, Adam 0.005 falling to 0. A faster
     * theta may settle before q knows anything, and codes then mean nothing; where all codes are summed it cannot. */
    public static LatentSettings standard(long steps) {
        return new LatentSettings(100, 1, Estimator.SECOND_ORDER,
                TrainingSettings.of(new Optimiser.Adam(), 0.005).withDecay(steps));
    }

    /** Returns these settings with so many rows a step and so many codes for each. */
    public LatentSettings withBatch(int rows, int codes) {
        return new LatentSettings(rows, codes, estimator, training);
    }

    /** Returns these settings with another learning rate of the first step. */
    public LatentSettings withRate(double rate) {
        return withTraining(training.withOptimiser(training.optimiser(), rate));
    }

    /** Returns these settings with another estimator. */
    public LatentSettings withEstimator(Estimator other) {
        return new LatentSettings(batch, samples, other, training);
    }

    /** Returns these settings with other optimiser, temperature or end. */
    public LatentSettings withTraining(TrainingSettings other) {
        return new LatentSettings(batch, samples, estimator, other);
    }
}
