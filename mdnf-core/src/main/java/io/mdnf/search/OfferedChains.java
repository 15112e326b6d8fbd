package io.mdnf.search;

import io.mdnf.distribution.Conditionals;
import io.mdnf.random.Seed;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Chains on codes that a distribution q makes offers to: each is offered a code of q and takes it such that the
 * posterior stays the law of the chain (independence Metropolis), then each variable is drawn anew given the others.
 * The better q is, the better they mix; and q learns from them.
 *
 * <p>Internal: it serves the other rooms and changes with them.
 *
 * @param codes where the chains stand, [n][D], all possible
 * @param accepted the share of offers that were taken in the last move
 */
public record OfferedChains(TargetModel target, int[][] codes, double accepted) {

    /** Starts so many chains at codes of q, resampled by importance. */
    public static OfferedChains start(TargetModel target, Conditionals q, int count, Effort.Correction effort,
            Seed seed) {
        Conditionals.Drawn drawn = q.draw(effort.draws() * count, seed.fold("draws"));
        double[] logWeights = logWeights(target, drawn.codes(), drawn.logProb());
        if (LogSpace.sumExp(logWeights) == Double.NEGATIVE_INFINITY) {
            throw new IllegalStateException("no code of " + drawn.codes().length + " that q drew is possible");
        }
        double[] weights = LogSpace.normalise(logWeights);
        double flat = effort.flatter();
        for (; worth(weights) < effort.worth() * count && flat > 0.01; flat *= effort.flatter()) {
            double power = flat;
            weights = LogSpace.normalise(Arrays.stream(logWeights).map(w -> power * w).toArray());
        }
        double[] below = weights;
        Arrays.parallelPrefix(below, Double::sum);
        UniformRandomProvider random = seed.fold("resampled").generator();
        // one uniform number, and equal steps: as many of each as its weight says, but for rounding
        double offset = random.nextDouble();
        int[][] codes = IntStream.range(0, count).map(i -> {
            int at = Arrays.binarySearch(below, (i + offset) / count * below[below.length - 1]);
            return Math.min(below.length - 1, at < 0 ? -at - 1 : at);
        }).mapToObj(i -> drawn.codes()[i]).toArray(int[][]::new);
        Chains chains = new Chains(target, codes, seed.fold("sweeps").generator());
        for (int i = 0; i < effort.firstSweeps(); i++) {
            chains.sweep(1);
        }
        return new OfferedChains(target, chains.codes(), 0);
    }

    private static double worth(double[] weights) {
        return 1 / Arrays.stream(weights).map(w -> w * w).sum();
    }

    private static double[] logWeights(TargetModel target, int[][] codes, double[] logQ) {
        double[] logWeights = target.logJoint(codes);
        Arrays.setAll(logWeights, i -> logWeights[i] - logQ[i]);
        return logWeights;
    }

    /**
     * Codes that q offers.
     *
     * @param logWeights of each, log p(D, x) - log q(x)
     */
    public record Offers(int[][] codes, double[] logWeights) {

        /** Draws so many. */
        public static Offers of(TargetModel target, Conditionals q, int count, Seed seed) {
            Conditionals.Drawn drawn = q.draw(count, seed.fold("offers"));
            return new Offers(drawn.codes(), OfferedChains.logWeights(target, drawn.codes(), drawn.logProb()));
        }

        /** Returns the weights, 1 on average; nothing where none is positive. */
        public Optional<double[]> weights() {
            double mean = LogSpace.meanExp(logWeights);
            return mean == Double.NEGATIVE_INFINITY ? Optional.empty()
                    : Optional.of(Arrays.stream(logWeights).map(w -> Math.exp(w - mean)).toArray());
        }
    }

    /** Returns the chains after one offer of q, as many as there are chains, and one sweep. */
    public OfferedChains next(Conditionals q, Offers offers, Seed seed) {
        double[] here = logWeights(target, codes, q.logProb(codes));
        UniformRandomProvider random = seed.fold("chains").generator();
        int[][] moved = codes.clone();
        int taken = 0;
        for (int i = 0; i < moved.length; i++) {
            // a code of no q stays: its weight is infinite
            double offered = offers.logWeights[i];
            boolean takes = offered > Double.NEGATIVE_INFINITY
                    && Math.log(random.nextDouble()) < offered - here[i];
            moved[i] = takes ? offers.codes[i] : moved[i];
            taken += takes ? 1 : 0;
        }
        Chains chains = new Chains(target, moved, random);
        chains.sweep(1);
        return new OfferedChains(target, chains.codes(), taken / (double) moved.length);
    }
}
