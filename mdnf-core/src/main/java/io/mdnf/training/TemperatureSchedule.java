package io.mdnf.training;

import io.mdnf.space.Check;

/**
 * The temperature of each step. It shapes the straight-through gradient only, never a sampled code.
 *
 * <p>Example: {@code TemperatureSchedule.exponential(10, 0.01, 0.001)} is the paper's recommendation.
 */
@FunctionalInterface
public interface TemperatureSchedule {

    /** Returns tau of a step, from 0; it is above 0. */
    double at(long step);

    /** Returns the same temperature always, above 0. */
    static TemperatureSchedule constant(double tau) {
        return exponential(tau, 0, tau);
    }

    /** Returns tau exp(-gamma step), not below a floor; tau and floor are above 0, gamma at least 0. */
    static TemperatureSchedule exponential(double tau, double gamma, double floor) {
        return new Exponential(tau, gamma, floor);
    }

    /** The exponential schedule as a value: the first temperature, the rate of cooling, the lowest temperature. */
    record Exponential(double tau, double gamma, double floor) implements TemperatureSchedule {

        /** Checks the ranges. */
        public Exponential {
            Check.that(tau > 0 && floor > 0 && gamma >= 0 && !Double.isInfinite(tau), "tau = " + tau + ", gamma = "
                    + gamma + ", floor = " + floor + ": temperatures must be finite and above 0, cooling at least 0");
        }

        @Override
        public double at(long step) {
            return Math.max(tau * Math.exp(-gamma * step), floor);
        }
    }
}
