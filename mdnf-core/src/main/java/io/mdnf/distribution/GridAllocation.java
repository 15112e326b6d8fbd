package io.mdnf.distribution;

import io.mdnf.space.Check;
import io.mdnf.space.LogSpace;
import java.util.PriorityQueue;

/**
 * The best distribution on the grid of multiples of 1 / B: counts n with sum B that maximise
 * sum_i (n_i / B) (v_i - log(n_i / B)).
 *
 * <p>Each term is concave in its own count, so handing out the B units one by one where the gain is largest is exact.
 *
 * <p>Internal: it serves the searches.
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

    /** The exact optimum: counts [n] for values [n], at least one finite, where -infinity gets nothing, and B &gt;= 1
     * units; equal gains go to the lower index. */
    public static int[] counts(double[] values, int units) {
        Check.that(units >= 1, "units = ", units, ", expected at least 1");
        LogSpace.check("values", values);
        int[] counts = new int[values.length];
        PriorityQueue<Offer> offers = new PriorityQueue<>();
        for (int i = 0; i < values.length; i++) {
            if (values[i] > Double.NEGATIVE_INFINITY) {
                offers.add(new Offer(i, values[i]));
            }
        }
        Check.that(!offers.isEmpty(), "values are -infinity everywhere: there is no place for a unit");
        for (int unit = 0; unit < units; unit++) {
            int i = offers.remove().index;
            int n = ++counts[i];
            // B times what one more unit adds, but for log B, which all gains have in common
            offers.add(new Offer(i, values[i] - (LogSpace.xLogX(n + 1) - LogSpace.xLogX(n))));
        }
        return counts;
    }
}
