package io.mdnf.inference;

import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.Optimiser;
import io.mdnf.mixture.Mixture;
import io.mdnf.network.DirectLogits;
import io.mdnf.space.Check;
import io.mdnf.space.LogSpace;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.training.TrainingSettings;

/**
 * How {@link AnnealedVif} trains. {@link #forMixture} has one set of defaults for all targets.
 *
 * <p>Over the first {@code crossing} of the steps kappa falls from 1 to {@code kappa}: the optimistic gradient carries
 * atoms over barriers. Until {@code settling} the floor falls between its two ends: what is impossible is passable,
 * then closes. Within both the noise falls between its two ends. The rest is exact: kappa, floor and noise 0.
 * Everything falls geometrically.
 *
 * @param steps of the whole schedule
 * @param crossing share of the steps after which kappa has fallen
 * @param settling share of the steps after which everything is exact
 * @param kappa above 0 and at most 1
 * @param firstFloor share of a table's largest entry that is added to entries near 0, at first
 * @param lastFloor the same at the end
 * @param firstNoise size of the Gumbel noise added to logits before the largest is taken, at first
 * @param lastNoise the same at the end
 * @param gap how far direct logits may lie below the largest of their variable, so that every atom can still move
 * @param training optimiser, rate, temperature
 */
public record AnnealedSettings(long steps, double crossing, double settling, double kappa, double firstFloor,
        double lastFloor, double firstNoise, double lastNoise, double gap, TrainingSettings training) {

    /** Checks the ranges. */
    public AnnealedSettings {
        Check.that(steps >= 1 && 0 <= crossing && crossing <= settling && settling <= 1, "steps = ", steps,
                ", crossing = ", crossing, ", settling = ", settling,
                ": steps is at least 1, the shares 0 to 1 in order");
        Check.that(kappa > 0 && kappa <= 1 && lastFloor > 0 && firstFloor >= lastFloor && lastNoise > 0
                && firstNoise >= lastNoise && gap > 0, "kappa = ", kappa, ", floor = ", firstFloor, " to ", lastFloor,
                ", noise = ", firstNoise, " to ", lastNoise, ", gap = ", gap, ": all are above 0 and none rises");
    }

    /** What a step is told: the exponent of ratios, the floor of tables and the size of the noise. */
    record Phase(double kappa, double floor, double noise) {}

    /**
     * The defaults: direct logits by RMSprop with one scale per variable of a component, at 0.2; other networks by Adam
     * at 0.02. The temperature is 10; from 1 to 100 it makes little difference. Crossing in 40 % of the steps instead
     * of 25 %, a gap of 3 instead of 2 or noise that ends at 0.1 instead of 0.2 leave Asia higher (decision 17); the
     * others were not varied one by one.
     */
    public static AnnealedSettings forMixture(Mixture mixture, long steps) {
        Optimiser optimiser = isDirect(mixture) ? new Optimiser.RmsProp(0.9, 1e-7, mixture.space().width())
                : new Optimiser.Adam();
        long held = steps * 85 / 100;
        return new AnnealedSettings(steps, 0.25, 0.85, 0.05, 0.2, 1e-3, 0.5, 0.2, 2,
                TrainingSettings.of(optimiser, isDirect(mixture) ? 0.2 : 0.02).withDecay(held, steps - held)
                        .withTemperature(TemperatureSchedule.constant(10))
                        .withEvaluations((int) Math.max(1, steps / 40)));
    }

    /** Whether the logits of the shifts are the parameters themselves. */
    static boolean isDirect(Mixture mixture) {
        return mixture.flow() instanceof ShiftFlow shift && shift.network() instanceof DirectLogits;
    }

    /** Returns these settings with other optimiser, rate or temperature. */
    public AnnealedSettings withTraining(TrainingSettings other) {
        return new AnnealedSettings(steps, crossing, settling, kappa, firstFloor, lastFloor, firstNoise, lastNoise, gap,
                other);
    }

    Phase at(long step) {
        double share = (double) step / steps;
        if (share < crossing) {
            double u = share / crossing;
            return new Phase(between(1, kappa, u), LogSpace.FLOOR, between(firstNoise, lastNoise, u));
        }
        if (share < settling) {
            double u = (share - crossing) / (settling - crossing);
            return new Phase(kappa, between(firstFloor, lastFloor, u), between(firstNoise, lastNoise, u));
        }
        return new Phase(0, LogSpace.FLOOR, 0);
    }

    private static double between(double first, double last, double u) {
        return first * Math.pow(last / first, u);
    }
}
