package io.mdnf.distribution;

import java.util.PriorityQueue;

/**
 * The best distribution on the grid of multiples of 1 / B: counts n with sum B that maximise
 * sum_i (n_i / B) (v_i - log(n_i / B)).
 *
 * <p>Each term is concave in its own count, so handing out the B units one by one where the gain is largest is exact.
 */
public final class GridAllocation {

    private record Offer(int index, double gain) implements Comparable<Offer> {
        @Override
        public int compareTo(Offer other) {
            int byGain = Double.compare(other.gain, gain);
            return byGain != 0 ? byGain : Integer.compare(index, other.index);
        }
    }

    private GridAllocation() {
    }

    /**
     * The exact optimum.
     *
     * @param values v, [n], at least one finite; -infinity gets nothing
     * @param units B
     * @return counts [n], equal gains to the lower index
     */
    public static int[] counts(double[] values, int units) {
        int[] counts = new int[values.length];
        PriorityQueue<Offer> offers = new PriorityQueue<>();
        for (int i = 0; i < values.length; i++) {
            if (values[i] > Double.NEGATIVE_INFINITY) {
                offers.add(new Offer(i, gain(values[i], 0, units)));
            }
        }
        for (int unit = 0; unit < units; unit++) {
            int i = offers.remove().index;
            counts[i]++;
            offers.add(new Offer(i, gain(values[i], counts[i], units)));
        }
        return counts;
    }

    /** B times what one more unit adds to a term that has n. */
    private static double gain(double value, int n, int units) {
        return value - term(n + 1, units) + term(n, units);
    }

    private static double term(int n, int units) {
        return n == 0 ? 0 : n * Math.log(n / (double) units);
    }
}
