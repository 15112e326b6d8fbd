package io.mdnf.inference;

import io.mdnf.graph.Optimiser;
import io.mdnf.graph.StraightThrough;
import io.mdnf.space.Check;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.training.TrainingSettings;
import java.util.Arrays;

/**
 * How {@link Bvif} boosts.
 *
 * @param samples S per step, dealt to the components in use
 * @param stepsPerComponent gradient steps for each new component
 * @param straightThrough how a one-hot code gets its gradient
 * @param training optimiser and temperature, both anew for each component
 * @param weights how the mixing weights are found
 * @param growth when to stop adding components
 */
public record BvifSettings(int samples, int stepsPerComponent, StraightThrough straightThrough,
        TrainingSettings training, Weights weights, Growth growth) {

    /** Checks the ranges. */
    public BvifSettings {
        Check.that(samples >= 1 && stepsPerComponent >= 1, "samples = ", samples, ", stepsPerComponent = ",
                stepsPerComponent, ": both must be above 0");
    }

    /** How the mixing weights are found. */
    public enum Weights {
        /** The new component's share is trained with its flow; older components keep their proportions. */
        TRAINED,
        /** For deltas: after each component all weights are set to the best, proportional to p over distinct atoms. */
        SOLVED
    }

    /**
     * When to stop adding components.
     *
     * @param least the smallest gain in nats that justifies another component; 0 adds all of them
     * @param concentration alpha of a stick-breaking prior v_b ~ Beta(1, alpha) on the weights, whose log density is
     *     added to the bound when judging a component: small values want few components; 0 for no prior
     * @param patience components in a row that are not worth their place, and get none, before growth ends
     */
    public record Growth(double least, double concentration, int patience) {

        /** All components. */
        public static final Growth ALL = new Growth(0, 0, 1);

        /** Checks the ranges. */
        public Growth {
            Check.that(least >= 0 && concentration >= 0 && patience >= 1, "least = ", least, ", concentration = ",
                    concentration, ", patience = ", patience, ": the first two are at least 0, patience at least 1");
        }

        /** The log density of the stick fractions behind weights above 0, largest first. */
        double logPrior(double[] weights) {
            if (concentration == 0) {
                return 0;
            }
            double[] sorted = Arrays.stream(weights).filter(w -> w > 0).sorted().toArray();
            double left = 1;
            double logPrior = 0;
            for (int i = sorted.length - 1; i > 0; i--) {
                double fraction = Math.min(sorted[i] / left, 1 - 1e-12);
                logPrior += Math.log(concentration) + (concentration - 1) * Math.log1p(-fraction);
                left = Math.max(left - sorted[i], 1e-300);
            }
            return logPrior;
        }
    }

    /** Defaults: S = 100, 200 steps per component, the paper's temperature, RMSprop 0.1, all components. */
    public static BvifSettings standard(Weights weights) {
        return new BvifSettings(100, 200, StraightThrough.FIRST_ORDER, TrainingSettings.of(new Optimiser.RmsProp(), 0.1)
                .withTemperature(TemperatureSchedule.exponential(10, 0.01, 0.001)).withEvaluations(50), weights,
                Growth.ALL);
    }

    /** Returns these settings with another number of steps per component. */
    public BvifSettings withSteps(int steps) {
        return new BvifSettings(samples, steps, straightThrough, training, weights, growth);
    }

    /** Returns these settings with another end of growth. */
    public BvifSettings withGrowth(Growth other) {
        return new BvifSettings(samples, stepsPerComponent, straightThrough, training, weights, other);
    }

    /** Returns these settings with another optimiser or temperature. */
    public BvifSettings withTraining(TrainingSettings other) {
        return new BvifSettings(samples, stepsPerComponent, straightThrough, other, weights, growth);
    }
}
