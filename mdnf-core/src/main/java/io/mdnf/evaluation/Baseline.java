package io.mdnf.evaluation;

import io.mdnf.distribution.Product;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.PermutationSampler;

/**
 * What others would use for a product of factors that is too large to be summed, for comparison: estimates without a
 * bound on their error. {@link LoopyPropagation} is the third.
 *
 * <p>Mean field: q(x) = prod_d q_d(x_d) by coordinate ascent on its ELBO, from the uniform q and then from random ones
 * until time is up; the best is kept. Gibbs: chains that draw one variable after the other given the rest from random
 * codes; marginals are the means of what they were drawn from, after a fifth of the time.
 *
 * @param logSum an estimate of the log of the sum over all codes; NaN where there is none
 * @param marginals of each variable, [D][K_d]
 */
public record Baseline(double logSum, double[][] marginals) {

    /** Nats below the least possible entry of a factor that stand for an impossible one: ascent and chains that start
     * anywhere have to come through. */
    private static final double BELOW = 15;
    /** What no probability moves by any more. */
    private static final double REST = 1e-7;
    private static final int MOST_SWEEPS = 2000;
    /** Ascents after which another start has found nothing better for long. */
    private static final int MOST_STARTS = 50;
    /** Chains that move together. */
    private static final int CHAINS = 10;
    /** The part of the time whose codes do not count. */
    private static final double BURN_IN = 0.2;

    /** Coordinate ascent for at most so many seconds, one sweep at least. */
    public static Baseline meanField(FactorTarget target, double seconds, Seed seed) {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        FactorTarget open = open(target);
        CodeSpace space = target.space();
        Baseline best = null;
        for (int start = 0; start < MOST_STARTS && (start == 0 || System.nanoTime() < end); start++) {
            UniformRandomProvider random = seed.fold(start).generator();
            boolean uniform = start == 0;
            double[][] q = new double[space.variables()][];
            Arrays.setAll(q, d -> LogSpace.normalise(IntStream.range(0, space.cardinality(d))
                    .mapToDouble(k -> uniform ? 0 : 2 * random.nextDouble()).toArray()));
            Baseline found = ascended(open, q, random, end);
            best = best == null || found.logSum > best.logSum ? found : best;
        }
        return best;
    }

    private static Baseline ascended(FactorTarget open, double[][] q, UniformRandomProvider random, long end) {
        double moved = Double.POSITIVE_INFINITY;
        for (int sweep = 0; sweep < MOST_SWEEPS && moved > REST && (sweep == 0 || System.nanoTime() < end); sweep++) {
            moved = 0;
            for (int d : shuffled(q.length, random)) {
                double[] row = LogSpace.normalise(open.conditionalLogJoint(q, d));
                for (int k = 0; k < row.length; k++) {
                    moved = Math.max(moved, Math.abs(row[k] - q[d][k]));
                }
                q[d] = row;
            }
        }
        return new Baseline(open.expectedLogJoint(q) + Product.entropy(q), q);
    }

    /** Chains for so many seconds, one sweep at least. */
    public static Baseline gibbs(FactorTarget target, double seconds, Seed seed) {
        long start = System.nanoTime();
        FactorTarget open = open(target);
        CodeSpace space = target.space();
        UniformRandomProvider random = seed.generator();
        int[][] codes = new int[CHAINS][space.variables()];
        for (int[] code : codes) {
            Arrays.setAll(code, d -> random.nextInt(space.cardinality(d)));
        }
        double[][] sums = new double[space.variables()][];
        boolean counting = false;
        for (double spent = 0; spent < seconds || !counting; spent = (System.nanoTime() - start) / 1e9) {
            if (!counting && spent >= BURN_IN * seconds) {
                Arrays.setAll(sums, d -> new double[space.cardinality(d)]);
                counting = true;
            }
            for (int d : shuffled(sums.length, random)) {
                double[][] rows = open.conditionals(codes, d);
                for (int c = 0; c < codes.length; c++) {
                    LogSpace.normalise(rows[c], 0, rows[c].length);
                    codes[c][d] = Draws.category(random, rows[c], 0, rows[c].length);
                    for (int k = 0; k < rows[c].length && counting; k++) {
                        sums[d][k] += rows[c][k];
                    }
                }
            }
        }
        for (double[] row : sums) {
            double sum = Arrays.stream(row).sum();
            Arrays.setAll(row, k -> row[k] / sum);
        }
        return new Baseline(Double.NaN, sums);
    }

    private static int[] shuffled(int count, UniformRandomProvider random) {
        int[] order = PermutationSampler.natural(count);
        PermutationSampler.shuffle(random, order);
        return order;
    }

    /** The same factors without zeros. */
    private static FactorTarget open(FactorTarget target) {
        return new FactorTarget(target.space(), target.factors().stream().map(Baseline::open).toList());
    }

    private static Factor open(Factor factor) {
        double[] logs = factor.logTable();
        double least = Arrays.stream(logs).filter(l -> l > Double.NEGATIVE_INFINITY).min().orElse(0) - BELOW;
        return new Factor(factor.variables(), Arrays.stream(logs).map(l -> Math.max(l, least)).toArray());
    }
}
