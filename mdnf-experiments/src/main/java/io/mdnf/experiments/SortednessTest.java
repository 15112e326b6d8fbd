package io.mdnf.experiments;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The published test for success: the frequencies of samples of f(u) rise from category to category. It is noisy, so
 * what is known of it is the probability to pass, estimated from repetitions and remembered for each distribution.
 */
final class SortednessTest {
    private static final int REPETITIONS = 500;

    private final int samples;
    private final Seed seed;
    private final Map<String, Double> known = new HashMap<>();

    SortednessTest(int samples, Seed seed) {
        this.samples = samples;
        this.seed = seed;
    }

    /** The probability that samples from q come out in order. */
    double passes(double[] q) {
        long[] rounded = Arrays.stream(q).mapToLong(v -> Math.round(v * 1e9)).toArray();
        // a pair in the wrong order by as much as 6 standard deviations decides alone
        for (int k = 1; k < q.length; k++) {
            double deviation = Math.sqrt((q[k] + q[k - 1]) / samples);
            if (q[k - 1] - q[k] > 6 * deviation) {
                return 0;
            }
        }
        return known.computeIfAbsent(Arrays.toString(rounded), key -> estimate(q, key));
    }

    private double estimate(double[] q, String key) {
        var rng = new Draws(seed).stream(key);
        int passed = 0;
        for (int i = 0; i < REPETITIONS; i++) {
            int[] counts = new int[q.length];
            for (int s = 0; s < samples; s++) {
                counts[Draws.category(rng, q, 0, q.length)]++;
            }
            passed += IntStream.range(1, counts.length).allMatch(k -> counts[k] >= counts[k - 1]) ? 1 : 0;
        }
        return (double) passed / REPETITIONS;
    }
}
