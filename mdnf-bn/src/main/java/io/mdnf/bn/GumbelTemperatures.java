package io.mdnf.bn;

import io.mdnf.space.Check;
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
        Check.that(prior > 0 && !Double.isInfinite(prior), "prior = " + prior
                + ": a temperature is a finite number above 0");
    }

    /** Returns temperatures that stay. */
    public static GumbelTemperatures constant(double posterior, double prior) {
        return new GumbelTemperatures(TemperatureSchedule.constant(posterior), prior);
    }
}
