package io.mdnf.search;

import io.mdnf.distribution.Conditionals;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Chains on codes that a distribution q makes offers to: each is offered a code of q and takes it such that the
 * posterior stays the law of the chain (independence Metropolis), then variables are drawn anew given the others: all
 * of them, or, of a target without factors, where each evaluation costs the whole log joint, some. The better q is, the
 * better the chains mix; and q learns from them.
 *
 * <p>Internal: it serves the other rooms and changes with them.
 *
 * @param codes where the chains stand, [n][D]
 * @param accepted the share of offers that were taken in the last move
 */
public record OfferedChains(TargetModel target, int[][] codes, double accepted) {

    /** Starts chains at given codes [n][D], after so many sweeps. */
    public static OfferedChains at(TargetModel target, int[][] codes, int sweeps, Seed seed) {
        Chains chains = new Chains(target, codes, seed.fold("sweeps").generator());
        for (int i = 0; i < sweeps; i++) {
            chains.sweep(1);
        }
        return new OfferedChains(target, chains.codes(), 0);
    }

    /** Starts so many chains at codes of q, resampled by importance: at possible ones, if it draws any. */
    public static OfferedChains start(TargetModel target, Conditionals q, int count, Effort.Correction effort,
            Seed seed) {
        Conditionals.Drawn drawn = q.draw(effort.draws() * count, seed.fold("draws"));
        double[] logWeights = logWeights(target.logJoint(drawn.codes()), drawn.logProb());
        if (LogSpace.sumExp(logWeights) == Double.NEGATIVE_INFINITY) {
            Arrays.fill(logWeights, 0);
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
        return at(target, IntStream.range(0, count).map(i -> {
            int at = Arrays.binarySearch(below, (i + offset) / count * below[below.length - 1]);
            return Math.min(below.length - 1, at < 0 ? -at - 1 : at);
        }).mapToObj(i -> drawn.codes()[i]).toArray(int[][]::new), effort.firstSweeps(), seed);
    }

    private static double worth(double[] weights) {
        return 1 / Arrays.stream(weights).map(w -> w * w).sum();
    }

    private static double[] logWeights(double[] logJoint, double[] logQ) {
        double[] logWeights = new double[logQ.length];
        Arrays.setAll(logWeights, i -> logJoint[i] == Double.NEGATIVE_INFINITY ? logJoint[i] : logJoint[i] - logQ[i]);
        return logWeights;
    }

    /**
     * Codes that q offers.
     *
     * @param logJoint of each, log p(D, x)
     * @param logProb of each, log q(x)
     */
    public record Offers(int[][] codes, double[] logJoint, double[] logProb) {

        /** Draws so many. */
        public static Offers of(TargetModel target, Conditionals q, int count, Seed seed) {
            Conditionals.Drawn drawn = q.draw(count, seed.fold("offers"));
            return new Offers(drawn.codes(), target.logJoint(drawn.codes()), drawn.logProb());
        }

        /** Returns the weights, 1 on average; nothing where none is positive. */
        public Optional<double[]> weights() {
            double[] logWeights = OfferedChains.logWeights(logJoint, logProb);
            double mean = LogSpace.meanExp(logWeights);
            return mean == Double.NEGATIVE_INFINITY ? Optional.empty()
                    : Optional.of(Arrays.stream(logWeights).map(w -> Math.exp(w - mean)).toArray());
        }
    }

    /**
     * Returns the chains after one offer of q, as many as there are chains, and one sweep.
     *
     * @param evaluations for each code that a sweep may cost of a target without factors; one variable moves at least
     */
    public OfferedChains next(Conditionals q, Offers offers, int evaluations, Seed seed) {
        double[] values = target.logJoint(codes);
        double[] offered = logWeights(offers.logJoint, offers.logProb);
        double[] here = logWeights(values, q.logProb(codes));
        UniformRandomProvider random = seed.fold("chains").generator();
        int[][] moved = codes.clone();
        int taken = 0;
        for (int i = 0; i < moved.length; i++) {
            // a code of no q stays: its weight is infinite; an impossible one has nothing to keep
            boolean takes = offered[i] > Double.NEGATIVE_INFINITY
                    && Math.log(random.nextDouble()) < offered[i] - here[i];
            moved[i] = takes ? offers.codes[i] : moved[i];
            values[i] = takes ? offers.logJoint[i] : values[i];
            taken += takes ? 1 : 0;
        }
        Chains chains = new Chains(target, moved, values, random);
        chains.sweep(1, target.factors().isEmpty() ? some(evaluations, seed)
                : IntStream.range(0, target.space().variables()).toArray());
        return new OfferedChains(target, chains.codes(), taken / (double) moved.length);
    }

    private int[] some(int evaluations, Seed seed) {
        CodeSpace space = target.space();
        int[] order = new Draws(seed).permutation("variables", space.variables());
        int moving = 0;
        for (int left = evaluations; moving < order.length && (moving == 0 || left > 0); moving++) {
            // the category that a chain has is known
            left -= space.cardinality(order[moving]) - 1;
        }
        return Arrays.copyOf(order, moving);
    }
}
