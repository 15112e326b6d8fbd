package io.mdnf.distribution;

import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeMap;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Conditionals on a smaller space as a distribution on the codes that it describes: all others are impossible.
 *
 * <p>Example: {@code new Expanded(Conditionals.of(messages), target.reduction().codes()).entropy(100, seed)}.
 *
 * @param q on the smaller space
 * @param codes what its codes describe
 */
public record Expanded(Conditionals q, CodeMap codes) implements CodeDistribution {

    /** Checks that the spaces agree. */
    public Expanded {
        Check.that(Arrays.equals(q.space().cardinalities(), codes.smaller().cardinalities()), "q is on ", q.space(),
                ", codes are described by ", codes.smaller());
    }

    /** Returns q itself where nothing is smaller, else q expanded. */
    public static CodeDistribution of(Conditionals q, CodeMap codes) {
        return codes.isIdentity() ? q : new Expanded(q, codes);
    }

    @Override
    public CodeSpace space() {
        return codes.space();
    }

    @Override
    public int[][] sample(int count, Seed seed) {
        return Arrays.stream(q.sample(count, seed)).map(codes::expand).toArray(int[][]::new);
    }

    @Override
    public double[] logProb(int[][] all) {
        double[] logProb = new double[all.length];
        Arrays.fill(logProb, Double.NEGATIVE_INFINITY);
        int[] possible = new int[all.length];
        int[][] reduced = new int[all.length][];
        int count = 0;
        for (int i = 0; i < all.length; i++) {
            space().check(all[i]);
            Optional<int[]> code = codes.reduce(all[i]);
            if (code.isPresent()) {
                possible[count] = i;
                reduced[count++] = code.get();
            }
        }
        double[] found = q.logProb(Arrays.copyOf(reduced, count));
        for (int i = 0; i < count; i++) {
            logProb[possible[i]] = found[i];
        }
        return logProb;
    }

    @Override
    public Marginals marginals(int samples, Seed seed) {
        Marginals reduced = q.marginals(samples, seed);
        return new Marginals(codes.spread(reduced.probabilities(), 1), reduced.samples());
    }

    @Override
    public Estimate entropy(int samples, Seed seed) {
        return q.entropy(samples, seed);
    }

    @Override
    public List<WeightedCode> mostProbable(int count) {
        return q.mostProbable(count).stream()
                .map(each -> new WeightedCode(codes.expand(each.code()), each.probability())).toList();
    }

    @Override
    public String toString() {
        return "Expanded to " + space() + " from " + q;
    }
}
