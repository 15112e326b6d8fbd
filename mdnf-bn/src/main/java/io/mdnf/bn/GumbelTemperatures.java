package io.mdnf.bn;

import io.mdnf.training.TemperatureSchedule;

/**
 * The two temperatures of a Gumbel-Softmax posterior of a network.
 *
 * @param posterior tau, of the relaxed q, at each step
 * @param prior tau_p, of the relaxed prior of every latent node; above 0
 */
public record GumbelTemperatures(TemperatureSchedule posterior, double prior) {

    /** Checks the prior's temperature. */
    public GumbelTemperatures {
        if (!(prior > 0) || Double.isInfinite(prior)) {
            throw new IllegalArgumentException("prior = " + prior + ": a temperature is a finite number above 0");
        }
    }

    /**
     * Temperatures that stay.
     *
     * @param posterior tau
     * @param prior tau_p
     * @return the temperatures
     */
    public static GumbelTemperatures constant(double posterior, double prior) {
        return new GumbelTemperatures(TemperatureSchedule.constant(posterior), prior);
    }
}
