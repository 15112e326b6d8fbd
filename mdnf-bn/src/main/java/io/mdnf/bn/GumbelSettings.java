package io.mdnf.bn;

import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Precision;

/**
 * How {@link GumbelFit} trains.
 *
 * @param straightThrough whether the network sees one-hot codes with the gradient of the relaxed ones
 * @param samples S, per step
 * @param optimiser the update rule
 * @param rate its learning rate
 * @param precision the type of all numbers
 */
public record GumbelSettings(boolean straightThrough, int samples, Optimiser optimiser, double rate,
                             Precision precision) {

    /** Checks the ranges. */
    public GumbelSettings {
        if (samples < 1) {
            throw new IllegalArgumentException("samples = " + samples + ": must be at least 1");
        }
        if (!(rate > 0) || Double.isInfinite(rate)) {
            throw new IllegalArgumentException("rate = " + rate + ": a learning rate is a finite number above 0");
        }
    }

    /**
     * The published ones: S = 100, RMSprop with rate 0.01, 32 bits.
     *
     * @param straightThrough whether the network sees one-hot codes
     * @return the settings
     */
    public static GumbelSettings published(boolean straightThrough) {
        return new GumbelSettings(straightThrough, 100, new Optimiser.RmsProp(), 0.01, Precision.FLOAT);
    }
}
