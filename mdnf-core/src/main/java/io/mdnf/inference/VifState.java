package io.mdnf.inference;

import io.mdnf.training.StopRule;
import io.mdnf.random.Seed;
import java.time.Duration;

/**
 * Where a VIF run stands: an immutable value; its arrays are never changed once it exists.
 *
 * @param seed of the run
 * @param step steps done
 * @param parameters the flat vector of the mixture
 * @param optimiser the optimiser's state vectors
 * @param updates updates the optimiser has made
 * @param elbo the last step's estimate
 * @param averageElbo exponentially averaged
 * @param slowAverageElbo the same with a memory twice as long
 * @param best the parameters of the best bound so far
 * @param bestElbo that bound
 * @param bestStep when it was reached
 * @param nanos time spent in steps
 */
public record VifState(Seed seed, long step, double[] parameters, double[][] optimiser, long updates, double elbo,
        double averageElbo, double slowAverageElbo, double[] best, double bestElbo, long bestStep, long nanos) {

    StopRule.Progress progress() {
        return new StopRule.Progress(step, bestStep, averageElbo, slowAverageElbo, Duration.ofNanos(nanos));
    }
}
