package io.mdnf.evaluation;

import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.Product;
import io.mdnf.mixture.Weighting;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.CompensatedSum;
import io.mdnf.space.LogSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * The smallest KL(q || p) that each family of q can reach on a target whose codes can be listed: what a fit is to be
 * measured against.
 *
 * <pre>{@code
 * KlLimits limits = KlLimits.of(space, logJoint);
 * limits.equalAtoms(40).kl();                      // a JOINT mixture of 40 deltas, equal weights
 * limits.freeAtoms(40).kl();                       // the same with free weights
 * List<KlLimits.Limit> products = limits.products(32, Seed.of(1));
 * limits.gridProduct(40, products).kl();           // a PER_VARIABLE mixture of 40 deltas
 * }</pre>
 */
public final class KlLimits {

    /** Most codes. */
    public static final int MOST_CODES = 10_000_000;

    /** The best member q of a family that is known, atoms or a product, with KL(q || p) and its ELBO, log p(D) - kl. */
    public record Limit(double kl, double elbo, CodeDistribution distribution) {}

    private final CodeSpace space;
    private final double[] logPosterior;
    private final double logEvidence;
    private final int possible;

    private KlLimits(CodeSpace space, double[] logJoint) {
        this.space = space;
        this.logEvidence = LogSpace.sumExp(logJoint);
        Check.that(logEvidence != Double.NEGATIVE_INFINITY,
                "logJoint is -infinity for all codes: there is no posterior");
        this.logPosterior = Arrays.stream(logJoint).map(l -> l - logEvidence).toArray();
        this.possible = (int) Arrays.stream(logJoint).filter(l -> l > Double.NEGATIVE_INFINITY).count();
    }

    /**
     * The limits of a target given log p(D, x) of all codes in lexicographic order (last variable fastest), up to any
     * constant; -infinity for impossible codes.
     */
    public static KlLimits of(CodeSpace space, double[] logJoint) {
        int size = space.sizeAtMost(MOST_CODES);
        Check.that(logJoint.length == size, "logJoint has " + logJoint.length + " values, " + space + " has " + size
                + " codes");
        LogSpace.check("logJoint", logJoint);
        return new KlLimits(space, logJoint);
    }

    /** Returns log p(D) = log sum_x exp(log p(D, x)). */
    public double logEvidence() {
        return logEvidence;
    }

    /** Returns the best JOINT mixture of B equally weighted deltas, B at least 1: the exact optimum. */
    public Limit equalAtoms(int atoms) {
        // An atom alone gains most on the most probable free code, so only the top B codes can be used.
        int[] top = top(atoms);
        Atoms best = Atoms.best(space, codes(top), values(top), atoms, Weighting.EQUAL);
        double[] weights = best.weights();
        int[][] at = best.codes();
        double kl = CompensatedSum.over(weights.length,
                i -> weights[i] * (Math.log(weights[i]) - logPosterior[(int) space.rank(at[i])]));
        return limit(Math.max(0, kl), best);
    }

    /**
     * Returns the best JOINT mixture of at most B deltas with free weights: the B most probable codes (fewer if fewer
     * are possible), weighted as in p, with KL(q || p) = -log of their posterior mass.
     */
    public Limit freeAtoms(int atoms) {
        int[] top = top(atoms);
        double[] values = values(top);
        return limit(top.length == possible ? 0 : Math.max(0, -LogSpace.sumExp(values)),
                Atoms.best(space, codes(top), values, top.length, Weighting.FREE));
    }

    private Limit limit(double kl, CodeDistribution q) {
        return new Limit(kl, logEvidence - kl, q);
    }

    /**
     * Products that no change of one variable's distribution improves, by coordinate ascent from random products and
     * from the modes of the posterior (codes that no change of one variable improves). The problem has local optima,
     * so the best is an upper estimate of the smallest KL, exact when one of the starts reached the global optimum.
     *
     * @param restarts how many random starts, at least 0; the modes, at most as many and at least 8, come in addition
     * @return the distinct local optima found, at most 16, best first
     */
    public List<Limit> products(int restarts, Seed seed) {
        Check.that(restarts >= 0, "restarts = " + restarts + ": must be at least 0");
        return new MeanFieldSearch(space, logPosterior).run(modes(Math.max(8, restarts)), restarts, seed).stream()
                .map(end -> limit(end.kl(), new Product(end.q()))).toList();
    }

    /**
     * Returns the best PER_VARIABLE mixture of B equally weighted deltas with direct shifts that was found: a product
     * whose marginals are multiples of 1/B. By coordinate search with kicks from what {@link #products} found and from
     * the modes, so an upper estimate; on small targets it agrees with trying all.
     */
    public Limit gridProduct(int atoms, List<Limit> start) {
        checkAtoms(atoms);
        List<double[][]> starts = new ArrayList<>();
        start.forEach(limit -> starts.add(((Product) limit.distribution()).q()));
        Arrays.stream(modes(8)).forEach(mode -> starts.add(Product.delta(space, mode).q()));
        ProductExpectation.End found = new GridSearch(space, logPosterior, atoms).best(starts);
        return limit(found.kl(), new Product(found.q()));
    }

    private static void checkAtoms(int atoms) {
        Check.that(atoms >= 1, "atoms = " + atoms + ": must be at least 1");
    }

    /** Ranks of the most probable codes, best first; ties in lexicographic order, impossible codes never. */
    private int[] top(int count) {
        checkAtoms(count);
        Comparator<Integer> worstFirst = Comparator.<Integer>comparingDouble(i -> logPosterior[i])
                .thenComparing(Comparator.reverseOrder());
        PriorityQueue<Integer> heap = new PriorityQueue<>(worstFirst);
        for (int i = 0; i < logPosterior.length; i++) {
            if (logPosterior[i] == Double.NEGATIVE_INFINITY) {
                continue;
            }
            if (heap.size() < count) {
                heap.add(i);
            } else if (logPosterior[i] > logPosterior[heap.element()]) {
                heap.remove();
                heap.add(i);
            }
        }
        return heap.stream().sorted(worstFirst.reversed()).mapToInt(Integer::intValue).toArray();
    }

    /** The most probable codes that no change of one variable improves, best first; a plateau counts once at most. */
    private int[][] modes(int count) {
        int[] stride = new int[space.variables()];
        int step = 1;
        for (int d = stride.length - 1; d >= 0; d--) {
            stride[d] = step;
            step *= space.cardinality(d);
        }
        return IntStream.range(0, logPosterior.length).parallel()
                .filter(i -> logPosterior[i] > Double.NEGATIVE_INFINITY && isMode(i, stride)).boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> -logPosterior[i]).thenComparing(i -> i))
                .limit(count).map(i -> space.code(i)).toArray(int[][]::new);
    }

    private boolean isMode(int rank, int[] stride) {
        for (int d = 0; d < stride.length; d++) {
            int digit = rank / stride[d] % space.cardinality(d);
            for (int k = 0; k < space.cardinality(d); k++) {
                int neighbour = rank + (k - digit) * stride[d];
                double difference = logPosterior[neighbour] - logPosterior[rank];
                if (difference > 0 || difference == 0 && neighbour < rank) {
                    return false;
                }
            }
        }
        return true;
    }

    private int[][] codes(int[] ranks) {
        return IntStream.of(ranks).mapToObj(space::code).toArray(int[][]::new);
    }

    private double[] values(int[] ranks) {
        return IntStream.of(ranks).mapToDouble(i -> logPosterior[i]).toArray();
    }

    @Override
    public String toString() {
        return "KlLimits(" + space + ", log evidence " + logEvidence + ")";
    }
}
