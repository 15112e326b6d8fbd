package io.mdnf.inference;

import io.mdnf.mixture.Weighting;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A distribution on finitely many codes: what a JOINT mixture with delta bases is.
 *
 * <p>q(x) = sum_i w_i [x = x_i] with distinct codes x_1 .. x_n and positive weights that sum to 1. Its bound is a
 * finite sum, ELBO = sum_i w_i (log p(D, x_i) - log w_i), so it is known exactly, with no sampling error.
 */
public final class AtomSet {

    /** How far from 1 the weights may sum. */
    private static final double SUM_TOLERANCE = 1e-9;

    private final int[][] codes;
    private final double[] weights;

    /**
     * Atoms with given weights.
     *
     * @param codes distinct indices [n][D], at least one
     * @param weights positive, summing to 1, [n]
     */
    public AtomSet(int[][] codes, double[] weights) {
        if (codes.length == 0 || codes.length != weights.length) {
            throw new IllegalArgumentException("codes has " + codes.length + " rows and weights " + weights.length
                    + " entries, expected the same number, at least 1");
        }
        double sum = 0;
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < codes.length; i++) {
            if (!(weights[i] > 0 && weights[i] <= 1 + SUM_TOLERANCE)) {
                throw new IllegalArgumentException(
                        "weights[" + i + "] = " + weights[i] + ", expected a number above 0 and at most 1");
            }
            if (codes[i].length != codes[0].length) {
                throw new IllegalArgumentException(
                        "codes[" + i + "] has " + codes[i].length + " variables, codes[0] has " + codes[0].length);
            }
            if (!seen.add(Arrays.toString(codes[i]))) {
                throw new IllegalArgumentException("codes[" + i + "] = " + Arrays.toString(codes[i])
                        + " appears twice, expected distinct codes");
            }
            sum += weights[i];
        }
        if (Math.abs(sum - 1) > SUM_TOLERANCE) {
            throw new IllegalArgumentException("weights sum to " + sum + ", expected 1 within " + SUM_TOLERANCE);
        }
        this.codes = copy(codes);
        this.weights = weights.clone();
    }

    /**
     * Independent draws.
     *
     * @param count how many
     * @param seed where they come from
     * @return [count][D]; equal draws share an array
     */
    int[][] sample(int count, Seed seed) {
        var rng = new Draws(seed).stream("atoms");
        int[][] drawn = new int[count][];
        Arrays.setAll(drawn, i -> codes[Draws.category(rng, weights, 0, weights.length)]);
        return drawn;
    }

    /**
     * The atoms with the highest ELBO that B components can make of candidate codes, exactly.
     *
     * <p>Free weights: the B most probable candidates, weighted in proportion to their probability. Equal weights:
     * counts n_i with sum B and weights n_i / B; the ELBO is a sum of concave functions of the counts, so giving out
     * one component after the other, each where it gains most, is optimal.
     *
     * @param candidates distinct indices [n][D]
     * @param logJoint log p(D, x) of each, [n]
     * @param components B, at least 1
     * @param weighting equal or free
     * @return at most B atoms, the most probable first; equally probable ones in lexicographic order
     * @throws IllegalArgumentException if no candidate has positive probability
     */
    public static AtomSet best(int[][] candidates, double[] logJoint, int components, Weighting weighting) {
        if (components < 1) {
            throw new IllegalArgumentException("components = " + components + ", expected at least 1");
        }
        if (candidates.length != logJoint.length) {
            throw new IllegalArgumentException("candidates has " + candidates.length + " rows and logJoint "
                    + logJoint.length + " entries, expected the same number");
        }
        // Only the B most probable can carry weight under either weighting.
        int[] top = IntStream.range(0, candidates.length)
                .filter(i -> logJoint[i] > Double.NEGATIVE_INFINITY)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> -logJoint[i])
                        .thenComparing(i -> candidates[i], Arrays::compare))
                .limit(components)
                .mapToInt(i -> i)
                .toArray();
        if (top.length == 0) {
            throw new IllegalArgumentException(
                    "none of the " + candidates.length + " candidates has positive probability");
        }
        double[] values = IntStream.of(top).mapToDouble(i -> logJoint[i]).toArray();
        double[] weights = weighting == Weighting.EQUAL ? equal(values, components) : LogSpace.normalise(values);
        int[] carrying = IntStream.range(0, top.length).filter(i -> weights[i] > 0).toArray();
        return new AtomSet(
                IntStream.of(carrying).mapToObj(i -> candidates[top[i]]).toArray(int[][]::new),
                IntStream.of(carrying).mapToDouble(i -> weights[i]).toArray());
    }

    private static double[] equal(double[] values, int components) {
        int[] counts = GridAllocation.counts(values, components);
        return IntStream.of(counts).mapToDouble(n -> n / (double) components).toArray();
    }

    /** Returns the number of distinct atoms. */
    public int size() {
        return codes.length;
    }

    /** Returns a copy of the codes, indices [n][D]. */
    public int[][] codes() {
        return copy(codes);
    }

    /** Returns a copy of the weights, [n]. */
    public double[] weights() {
        return weights.clone();
    }

    /**
     * The bound, from log joints the caller has already.
     *
     * @param logJoint log p(D, x_i), [n]
     * @return sum_i w_i (log p(D, x_i) - log w_i); -infinity if an atom is impossible
     */
    public double elbo(double[] logJoint) {
        if (logJoint.length != codes.length) {
            throw new IllegalArgumentException(
                    "logJoint has " + logJoint.length + " entries, expected one per atom, " + codes.length);
        }
        double elbo = 0;
        for (int i = 0; i < weights.length; i++) {
            elbo += weights[i] * (logJoint[i] - Math.log(weights[i]));
        }
        return elbo;
    }

    /**
     * The bound.
     *
     * @param target what the atoms approximate
     * @return sum_i w_i (log p(D, x_i) - log w_i); -infinity if an atom is impossible
     */
    public double elbo(TargetModel target) {
        return elbo(target.logJoint(codes()));
    }

    /**
     * One code for each of B equally weighted components: every atom as often as its weight says.
     *
     * @param components B
     * @return indices [B][D]
     * @throws IllegalArgumentException if a weight is not a multiple of 1 / B
     */
    public int[][] repeated(int components) {
        int[][] repeated = new int[components][];
        int at = 0;
        for (int i = 0; i < codes.length; i++) {
            long count = Math.round(weights[i] * components);
            if (Math.abs(weights[i] * components - count) > SUM_TOLERANCE * components || at + count > components) {
                throw new IllegalArgumentException(
                        "weights[" + i + "] = " + weights[i] + " is not a multiple of 1 / " + components);
            }
            for (int j = 0; j < count; j++) {
                repeated[at++] = codes[i].clone();
            }
        }
        return repeated;
    }

    private static int[][] copy(int[][] codes) {
        return Arrays.stream(codes).map(int[]::clone).toArray(int[][]::new);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AtomSet atoms && Arrays.deepEquals(codes, atoms.codes)
                && Arrays.equals(weights, atoms.weights);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.deepHashCode(codes) + Arrays.hashCode(weights);
    }

    /** For example {@code AtomSet(3 atoms, heaviest 0.5 at [0, 1, 1])}. */
    @Override
    public String toString() {
        int heaviest = 0;
        for (int i = 1; i < weights.length; i++) {
            heaviest = weights[i] > weights[heaviest] ? i : heaviest;
        }
        return "AtomSet(" + codes.length + " atoms, heaviest " + weights[heaviest] + " at "
                + Arrays.toString(codes[heaviest]) + ")";
    }
}
