package io.mdnf.distribution;

import io.mdnf.mixture.Weighting;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.space.LogSpace;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A distribution on finitely many codes: what a JOINT mixture with delta bases is.
 *
 * <p>q(x) = sum_i w_i [x = x_i] with distinct codes x_1 .. x_n and positive weights that sum to 1. Its bound is a
 * finite sum, ELBO = sum_i w_i (log p(D, x_i) - log w_i), so it is known exactly, with no sampling error.
 *
 * @param codes distinct indices [n][D], at least one; the accessor copies
 * @param weights positive, summing to 1, [n]; the accessor copies
 */
public record Atoms(CodeSpace space, int[][] codes, double[] weights) implements CodeDistribution {

    /** How far from 1 the weights may sum. */
    private static final double SUM_TOLERANCE = 1e-9;

    /** Checks and copies codes and weights. */
    public Atoms {
        Check.that(codes.length != 0 && codes.length == weights.length, "codes has ", codes.length,
                " rows and weights ", weights.length, " entries, expected the same number, at least 1");
        double sum = 0;
        Set<IntBuffer> seen = new HashSet<>();
        for (int i = 0; i < codes.length; i++) {
            Check.that(weights[i] > 0 && weights[i] <= 1 + SUM_TOLERANCE, "weights[", i, "] = ", weights[i],
                    ", expected a number above 0 and at most 1");
            space.check(codes[i]);
            if (!seen.add(CodeSpace.key(codes[i]))) {
                throw new IllegalArgumentException("codes[" + i + "] = " + Arrays.toString(codes[i])
                        + " appears twice, expected distinct codes");
            }
            sum += weights[i];
        }
        Check.that(Math.abs(sum - 1) <= SUM_TOLERANCE, "weights sum to ", sum, ", expected 1 within ", SUM_TOLERANCE);
        codes = copy(codes);
        weights = weights.clone();
    }

    /** Puts equal codes [n][D] together, heaviest first, without those of weight 0; the weights [n] sum to 1. */
    public static Atoms merged(CodeSpace space, int[][] codes, double[] weights) {
        Map<IntBuffer, Double> mass = new LinkedHashMap<>();
        for (int i = 0; i < codes.length; i++) {
            if (weights[i] > 0) {
                mass.merge(CodeSpace.key(codes[i]), weights[i], Double::sum);
            }
        }
        var sorted = mass.entrySet().stream()
                .sorted(Map.Entry.<IntBuffer, Double>comparingByValue().reversed()).toList();
        return new Atoms(space, sorted.stream().map(e -> e.getKey().array()).toArray(int[][]::new),
                sorted.stream().mapToDouble(Map.Entry::getValue).toArray());
    }

    /** {@inheritDoc} Equal draws share an array. */
    @Override
    public int[][] sample(int count, Seed seed) {
        var rng = new Draws(seed).stream("atoms");
        double[] below = weights.clone();
        Arrays.parallelPrefix(below, Double::sum);
        int[][] drawn = new int[count][];
        Arrays.setAll(drawn, i -> {
            int at = Arrays.binarySearch(below, rng.nextDouble() * below[below.length - 1]);
            return codes[Math.min(below.length - 1, at < 0 ? -at - 1 : at + 1)];
        });
        return drawn;
    }

    @Override
    public double[] logProb(int[][] asked) {
        Map<IntBuffer, Double> known = new HashMap<>();
        for (int i = 0; i < codes.length; i++) {
            known.put(CodeSpace.key(codes[i]), Math.log(weights[i]));
        }
        return Arrays.stream(asked).mapToDouble(code -> {
            space.check(code);
            return known.getOrDefault(CodeSpace.key(code), Double.NEGATIVE_INFINITY);
        }).toArray();
    }

    @Override
    public Marginals marginals(int samples, Seed seed) {
        return Marginals.of(space, codes, weights);
    }

    @Override
    public Estimate entropy(int samples, Seed seed) {
        return Estimate.exact(Product.entropy(new double[][] {weights}));
    }

    @Override
    public List<WeightedCode> mostProbable(int count) {
        return IntStream.range(0, codes.length).boxed().sorted(Comparator.comparingDouble(i -> -weights[i]))
                .limit(count).map(i -> new WeightedCode(codes[i], weights[i])).toList();
    }

    /**
     * The atoms with the highest ELBO that B components can make of distinct candidate codes [n][D], exactly, given log
     * p(D, x) of each; the most probable first, equally probable ones in lexicographic order.
     *
     * <p>Free weights: the B most probable candidates, weighted in proportion to their probability. Equal weights:
     * counts n_i with sum B and weights n_i / B; the ELBO is a sum of concave functions of the counts, so giving out
     * one component after the other, each where it gains most, is optimal. Throws IllegalArgumentException if no
     * candidate has positive probability.
     */
    public static Atoms best(CodeSpace space, int[][] candidates, double[] logJoint, int components,
            Weighting weighting) {
        Check.that(components >= 1, "components = ", components, ", expected at least 1");
        Check.that(candidates.length == logJoint.length, "candidates has ", candidates.length, " rows and logJoint ",
                logJoint.length, " entries, expected the same number");
        // Only the B most probable can carry weight under either weighting.
        int[] top = IntStream.range(0, candidates.length).filter(i -> logJoint[i] > Double.NEGATIVE_INFINITY).boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> -logJoint[i])
                        .thenComparing(i -> candidates[i], Arrays::compare))
                .limit(components).mapToInt(i -> i).toArray();
        Check.that(top.length != 0, "none of the ", candidates.length, " candidates has positive probability");
        double[] values = IntStream.of(top).mapToDouble(i -> logJoint[i]).toArray();
        double[] weights = weighting == Weighting.FREE ? LogSpace.normalise(values)
                : IntStream.of(GridAllocation.counts(values, components)).mapToDouble(n -> n / (double) components)
                        .toArray();
        int[] carrying = IntStream.range(0, top.length).filter(i -> weights[i] > 0).toArray();
        return new Atoms(space,
                IntStream.of(carrying).mapToObj(i -> candidates[top[i]]).toArray(int[][]::new),
                IntStream.of(carrying).mapToDouble(i -> weights[i]).toArray());
    }

    /** Returns the number of distinct atoms. */
    public int size() {
        return codes.length;
    }

    @Override
    public int[][] codes() {
        return copy(codes);
    }

    @Override
    public double[] weights() {
        return weights.clone();
    }

    /** The bound sum_i w_i (log p(D, x_i) - log w_i), from log joints [n]; -infinity if an atom is impossible. */
    public double elbo(double[] logJoint) {
        Check.that(logJoint.length == codes.length, "logJoint has ", logJoint.length,
                " entries, expected one per atom, ", codes.length);
        double elbo = 0;
        for (int i = 0; i < weights.length; i++) {
            elbo += weights[i] * (logJoint[i] - Math.log(weights[i]));
        }
        return elbo;
    }

    private static int[][] copy(int[][] codes) {
        return Arrays.stream(codes).map(int[]::clone).toArray(int[][]::new);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Atoms atoms && space.equals(atoms.space) && Arrays.deepEquals(codes, atoms.codes)
                && Arrays.equals(weights, atoms.weights);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.deepHashCode(codes) + Arrays.hashCode(weights);
    }

    /** For example {@code Atoms(3 atoms, heaviest 0.5 at [0, 1, 1])}. */
    @Override
    public String toString() {
        return "Atoms(" + codes.length + " atoms, heaviest " + mostProbable(1).get(0) + ")";
    }
}
