package io.mdnf.bn;

import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Precision;
import io.mdnf.space.Check;
import io.mdnf.training.TrainingSettings;

/**
 * How {@link GumbelFit} trains.
 *
 * @param straightThrough whether the network sees one-hot codes with the gradient of the relaxed ones
 * @param samples S, per step
 * @param training optimiser, rate, precision; temperatures are those of the cells
 */
public record GumbelSettings(boolean straightThrough, int samples, TrainingSettings training) {

    /** Checks the ranges. */
    public GumbelSettings {
        Check.that(samples >= 1, "samples = " + samples + ": must be at least 1");
    }

    /** Returns the published ones: S = 100, RMSprop with rate 0.01, 32 bits. */
    public static GumbelSettings published(boolean straightThrough) {
        return new GumbelSettings(straightThrough, 100,
                TrainingSettings.of(new Optimiser.RmsProp(), 0.01).withPrecision(Precision.FLOAT));
    }
}
