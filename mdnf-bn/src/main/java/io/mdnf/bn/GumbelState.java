package io.mdnf.bn;

import io.mdnf.random.Seed;
import java.util.Arrays;

/**
 * Where a {@link GumbelFit} stands: a value, from which the fit goes on as if it had never stopped.
 *
 * @param seed where all randomness comes from
 * @param step steps done
 * @param logits of every cell, flat [cells, D, K]
 * @param optimiser the optimiser's state vectors
 * @param updates how many updates the optimiser has made
 */
public record GumbelState(Seed seed, long step, double[] logits, double[][] optimiser, long updates) {

    /** Copies the arrays. */
    public GumbelState {
        logits = logits.clone();
        optimiser = Arrays.stream(optimiser).map(double[]::clone).toArray(double[][]::new);
    }

    @Override
    public double[] logits() {
        return logits.clone();
    }

    @Override
    public double[][] optimiser() {
        return Arrays.stream(optimiser).map(double[]::clone).toArray(double[][]::new);
    }
}
