package io.mdnf.space;

import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A running sum with Neumaier's compensation: the rounding error of every addition is kept and added at the end, so
 * that the error of a sum does not grow with the number of terms.
 *
 * <pre>{@code
 * double total = CompensatedSum.over(n, i -> p[i] * f[i]);
 * }</pre>
 *
 * <p>Internal: it serves the other rooms and changes with them.
 */
public final class CompensatedSum {

    /** Sums are cut into chunks of this size whatever the number of threads, so that the result is always the same. */
    private static final int CHUNK = 1 << 14;

    private double sum;
    private double compensation;

    /** Adds a term; infinities and NaN behave as in a plain sum. */
    public void add(double term) {
        double total = sum + term;
        compensation += Math.abs(sum) >= Math.abs(term) ? (sum - total) + term : (term - total) + sum;
        sum = total;
    }

    /** Returns the sum of all terms. */
    public double value() {
        // With an infinity among the terms the compensation is NaN and the plain sum is right.
        return Double.isFinite(sum) ? sum + compensation : sum;
    }

    /** Returns the sum of n terms, in parallel if they are many: the same bits for any number of threads. */
    public static double over(int n, IntToDoubleFunction term) {
        if (n <= CHUNK) {
            return part(term, 0, n).value();
        }
        CompensatedSum[] parts = IntStream.rangeClosed(0, (n - 1) / CHUNK).parallel()
                .mapToObj(c -> part(term, c * CHUNK, Math.min(n, (c + 1) * CHUNK))).toArray(CompensatedSum[]::new);
        CompensatedSum all = new CompensatedSum();
        for (CompensatedSum part : parts) {
            all.add(part.sum);
            if (Double.isFinite(part.sum)) {
                all.add(part.compensation);
            }
        }
        return all.value();
    }

    private static CompensatedSum part(IntToDoubleFunction term, int from, int to) {
        CompensatedSum part = new CompensatedSum();
        for (int i = from; i < to; i++) {
            part.add(term.applyAsDouble(i));
        }
        return part;
    }
}
