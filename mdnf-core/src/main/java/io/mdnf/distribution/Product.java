package io.mdnf.distribution;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.space.LogSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A product of distributions, one for each variable: q(x) = prod_d q_d(x_d), the mean-field family.
 *
 * <p>Example: {@code new Product(new double[][] {{0.5, 0.5}, {0.2, 0.3, 0.5}}).logProb(new int[][] {{0, 2}})}.
 */
public final class Product implements CodeDistribution {

    /** How far from 1 a row may sum: products trained in 32 bits are off by less. */
    private static final double SUM_TOLERANCE = 1e-6;

    private final CodeSpace space;
    private final double[][] q;

    /** A product of rows that are distributions, [D][K_d]. */
    public Product(double[][] q) {
        for (int d = 0; d < q.length; d++) {
            double sum = Arrays.stream(q[d]).sum();
            if (!(Math.abs(sum - 1) < SUM_TOLERANCE) || Arrays.stream(q[d]).anyMatch(p -> !(p >= 0))) {
                throw new IllegalArgumentException("q[" + d + "] = " + Arrays.toString(q[d])
                        + ": probabilities are at least 0 and sum to 1");
            }
        }
        this.space = CodeSpace.of(Arrays.stream(q).mapToInt(row -> row.length).toArray());
        this.q = copy(q);
    }

    /** The product of uniform distributions, q_d(k) = 1 / K_d. */
    public static Product uniform(CodeSpace space) {
        return new Product(IntStream.of(space.cardinalities())
                .mapToObj(k -> DoubleStream.generate(() -> 1.0 / k).limit(k).toArray()).toArray(double[][]::new));
    }

    /** All mass on one code, indices [D]. */
    public static Product delta(CodeSpace space, int[] code) {
        return new Product(Marginals.of(space, new int[][] {code}, new double[] {1}).probabilities());
    }

    /** Returns a copy of the distributions, [D][K_d]. */
    public double[][] q() {
        return copy(q);
    }

    /** Returns how many codes have positive probability, as a double (exact below 2^53). */
    public double supportSize() {
        return Arrays.stream(q).mapToDouble(row -> Arrays.stream(row).filter(p -> p > 0).count())
                .reduce(1, (a, b) -> a * b);
    }

    /** The codes of positive probability, [n][D] in lexicographic order; refused if there are more than the limit. */
    public int[][] support(int limit) {
        int[][] open = Arrays.stream(q).map(row -> IntStream.range(0, row.length).filter(k -> row[k] > 0).toArray())
                .toArray(int[][]::new);
        int[][] codes = CodeSpace.of(Arrays.stream(open).mapToInt(row -> row.length).toArray()).all(limit);
        for (int[] code : codes) {
            Arrays.setAll(code, d -> open[d][code[d]]);
        }
        return codes;
    }

    @Override
    public CodeSpace space() {
        return space;
    }

    @Override
    public int[][] sample(int count, Seed seed) {
        var rng = new Draws(seed).stream("product");
        int[][] codes = new int[count][q.length];
        for (int[] code : codes) {
            for (int d = 0; d < q.length; d++) {
                code[d] = Draws.category(rng, q[d], 0, q[d].length);
            }
        }
        return codes;
    }

    @Override
    public double[] logProb(int[][] codes) {
        double[] result = new double[codes.length];
        for (int i = 0; i < codes.length; i++) {
            space.check(codes[i]);
            for (int d = 0; d < q.length; d++) {
                result[i] += Math.log(q[d][codes[i][d]]);
            }
        }
        return result;
    }

    @Override
    public Marginals marginals(int samples, Seed seed) {
        return new Marginals(q(), 0);
    }

    @Override
    public Estimate entropy(int samples, Seed seed) {
        return Estimate.exact(entropy());
    }

    /** Returns H(q) = sum_d H(q_d), in nats. */
    public double entropy() {
        return entropy(q);
    }

    /** The entropy -sum_d sum_k q_d(k) log q_d(k) of a product given by its rows [D][K_d], where 0 log 0 = 0. */
    public static double entropy(double[][] q) {
        double entropy = 0;
        for (double[] row : q) {
            entropy += LogSpace.entropy(row);
        }
        return entropy;
    }

    /**
     * {@inheritDoc}
     *
     * <p>The categories of each variable are ranked; from the best code on, the next best is one step down in one
     * variable of a code already taken.
     */
    @Override
    public List<WeightedCode> mostProbable(int count) {
        int[][] ranked = Arrays.stream(q).map(row -> IntStream.range(0, row.length).boxed()
                .sorted(Comparator.comparingDouble((Integer k) -> -row[k])).mapToInt(k -> k).toArray())
                .toArray(int[][]::new);
        PriorityQueue<Ranks> open = new PriorityQueue<>(Comparator.comparingDouble((Ranks r) -> -r.probability));
        open.add(new Ranks(new int[q.length], 0, probability(ranked, new int[q.length])));
        List<WeightedCode> best = new ArrayList<>();
        while (best.size() < count && !open.isEmpty() && open.element().probability > 0) {
            Ranks taken = open.remove();
            int[] code = IntStream.range(0, q.length).map(d -> ranked[d][taken.ranks[d]]).toArray();
            best.add(new WeightedCode(code, taken.probability));
            // only variables from the last stepped one on, so that no code is offered twice
            for (int d = taken.from; d < q.length; d++) {
                if (taken.ranks[d] + 1 < q[d].length) {
                    int[] next = taken.ranks.clone();
                    next[d]++;
                    open.add(new Ranks(next, d, probability(ranked, next)));
                }
            }
        }
        return best;
    }

    /** A code by the rank of each variable's category; only variables from one on may step further down. */
    private record Ranks(int[] ranks, int from, double probability) {}

    private double probability(int[][] ranked, int[] ranks) {
        double p = 1;
        for (int d = 0; d < ranks.length; d++) {
            p *= q[d][ranked[d][ranks[d]]];
        }
        return p;
    }

    private static double[][] copy(double[][] q) {
        return Arrays.stream(q).map(double[]::clone).toArray(double[][]::new);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Product that && Arrays.deepEquals(q, that.q);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(q);
    }

    @Override
    public String toString() {
        return "Product on " + space;
    }
}
