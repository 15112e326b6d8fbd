package io.mdnf.evaluation;

import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * B equally weighted atoms: code i has the weight counts[i] / B.
 *
 * @param codes distinct codes, indices [n][D]
 * @param counts how many of the atoms sit on each, [n], each at least 1
 */
public record AtomAllocation(int[][] codes, int[] counts) {

    /** Copies the arrays. */
    public AtomAllocation {
        if (codes.length != counts.length || codes.length == 0) {
            throw new IllegalArgumentException("codes has " + codes.length + " entries and counts " + counts.length
                    + ": they must have the same number, at least 1");
        }
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] < 1) {
                throw new IllegalArgumentException("counts[" + i + "] = " + counts[i] + ": must be at least 1");
            }
        }
        codes = copy(codes);
        counts = counts.clone();
    }

    @Override
    public int[][] codes() {
        return copy(codes);
    }

    @Override
    public int[] counts() {
        return counts.clone();
    }

    /** Returns B, the number of atoms. */
    public int atoms() {
        return IntStream.of(counts).sum();
    }

    /** Returns the atoms one by one, [B][D], equal ones next to each other. */
    public int[][] expanded() {
        int[][] atoms = new int[atoms()][];
        int next = 0;
        for (int i = 0; i < codes.length; i++) {
            for (int c = 0; c < counts[i]; c++) {
                atoms[next++] = codes[i].clone();
            }
        }
        return atoms;
    }

    /**
     * Puts B atoms on given codes such that the ELBO is largest.
     *
     * @param codes distinct candidates, indices [n][D]
     * @param logJoint their log p(D, x), [n]
     * @param atoms B, at least 1
     * @return the best allocation; candidates without an atom are left out, the most probable come first
     */
    public static AtomAllocation best(int[][] codes, double[] logJoint, int atoms) {
        if (codes.length != logJoint.length) {
            throw new IllegalArgumentException(
                    "codes has " + codes.length + " entries and logJoint " + logJoint.length);
        }
        int[] counts = bestCounts(logJoint, atoms);
        int[] used = IntStream.range(0, counts.length).filter(i -> counts[i] > 0).boxed()
                .sorted((a, b) -> Double.compare(logJoint[b], logJoint[a])).mapToInt(Integer::intValue).toArray();
        return new AtomAllocation(Arrays.stream(used).mapToObj(i -> codes[i]).toArray(int[][]::new),
                Arrays.stream(used).map(i -> counts[i]).toArray());
    }

    /**
     * The counts n_i, summing to B, that maximise sum_i n_i/B (score_i - log(n_i/B)).
     *
     * <p>The objective is separable and each part is concave in n_i, so giving the atoms out one by one, each where it
     * gains most, is exactly optimal. The gain of one more atom on i is score_i - ((n+1) log(n+1) - n log n), up to
     * what all have in common. Ties go to the lowest index.
     *
     * @param score [n], finite or -infinity, at least one finite
     * @param atoms B, at least 1
     * @return [n]
     */
    public static int[] bestCounts(double[] score, int atoms) {
        checkAtoms(atoms);
        LogSpace.check("score", score);
        int[] counts = new int[score.length];
        double[] gain = score.clone();
        PriorityQueue<Integer> queue = new PriorityQueue<>((a, b) ->
                gain[a] == gain[b] ? Integer.compare(a, b) : Double.compare(gain[b], gain[a]));
        for (int i = 0; i < score.length; i++) {
            if (score[i] > Double.NEGATIVE_INFINITY) {
                queue.add(i);
            }
        }
        if (queue.isEmpty()) {
            throw new IllegalArgumentException("score is -infinity everywhere: there is no place for an atom");
        }
        for (int b = 0; b < atoms; b++) {
            int i = queue.remove();
            int n = ++counts[i];
            gain[i] = score[i] - ((n + 1) * Math.log(n + 1) - n * Math.log(n));
            queue.add(i);
        }
        return counts;
    }

    static void checkAtoms(int atoms) {
        if (atoms < 1) {
            throw new IllegalArgumentException("atoms = " + atoms + ": must be at least 1");
        }
    }

    static int[][] copy(int[][] rows) {
        return Arrays.stream(rows).map(int[]::clone).toArray(int[][]::new);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AtomAllocation that && Arrays.deepEquals(codes, that.codes)
                && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.deepHashCode(codes) + Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return "AtomAllocation(" + atoms() + " atoms on " + codes.length + " codes)";
    }
}
