package io.mdnf.inference;

import io.mdnf.mixture.Weighting;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import java.util.Arrays;

/**
 * What it is worth to the entropy of B atoms that one of them changes one variable, times B. With n atoms now where it
 * is and m where it would go:
 *
 * <pre>H[b, d, k] = n log n - (n - 1) log(n - 1) + m log m - (m + 1) log(m + 1)</pre>
 *
 * <p>With free weights a second atom at a code is worth nothing, since weights can do the same: it counts as
 * {@link #WASTED} nats, and the best codes are as many different ones as there are atoms.
 */
final class Occupancy {

    /**
     * What a second atom at one code costs where weights are free: more than codes that are worth an atom differ by.
     */
    private static final double WASTED = 10;

    private final CodeSpace space;
    private final Weighting weighting;
    /** A random number for each category; codes are told apart by the sum of theirs. */
    private final long[] marks;

    Occupancy(CodeSpace space, Weighting weighting) {
        this.space = space;
        this.weighting = weighting;
        this.marks = Seed.of(1).fold("marks").generator().longs(space.oneHotLength()).toArray();
    }

    /** Adds the worth of all changes of codes y [B][D] to a flat [B, D, K]; nothing at the codes themselves. */
    void addTo(double[] worth, int[][] y) {
        int variables = space.variables();
        int width = space.width();
        long[] code = new long[y.length];
        for (int b = 0; b < y.length; b++) {
            for (int d = 0; d < variables; d++) {
                code[b] += marks[d * width + y[b][d]];
            }
        }
        long[] sorted = code.clone();
        Arrays.sort(sorted);
        for (int b = 0; b < y.length; b++) {
            double left = cost(count(sorted, code[b]) - 1);
            for (int d = 0; d < variables; d++) {
                long others = code[b] - marks[d * width + y[b][d]];
                for (int k = 0; k < space.cardinality(d); k++) {
                    if (k != y[b][d]) {
                        worth[(b * variables + d) * width + k] +=
                                left - cost(count(sorted, others + marks[d * width + k]));
                    }
                }
            }
        }
    }

    /** What it costs to join n atoms at a code. */
    private double cost(int n) {
        if (weighting == Weighting.FREE) {
            return n == 0 ? 0 : WASTED;
        }
        return LogSpace.xLogX(n + 1) - LogSpace.xLogX(n);
    }

    private static int count(long[] sorted, long code) {
        int at = Arrays.binarySearch(sorted, code);
        if (at < 0) {
            return 0;
        }
        int first = at;
        while (first > 0 && sorted[first - 1] == code) {
            first--;
        }
        int end = at + 1;
        while (end < sorted.length && sorted[end] == code) {
            end++;
        }
        return end - first;
    }
}
