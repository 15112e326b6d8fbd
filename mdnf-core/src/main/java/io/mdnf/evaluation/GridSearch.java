package io.mdnf.evaluation;

import io.mdnf.distribution.GridAllocation;
import io.mdnf.evaluation.ProductExpectation.End;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The best product whose marginals are multiples of 1/B.
 *
 * <p>Coordinate search: given the other marginals, the counts of one variable are a separable concave problem that
 * {@link GridAllocation} solves exactly. Then kicks, until none helps: one marginal is changed by a unit or
 * moved to a single category, the others follow, then all are free again. Many codes limit the number of kicks.
 */
final class GridSearch {

    /** A guard: a search ends by itself when nothing moves. */
    private static final int MOST_SWEEPS = 200;
    /** How many different ends of the coordinate search are tried to be kicked further. */
    private static final int KICKED = 3;
    /** Kicks end, helpful or not, when about three sweeps for each have visited this many codes: some 10 seconds. */
    private static final double MOST_VISITS = 1e9;
    /** Less is rounding. */
    private static final double GAIN = 1e-12;

    private final CodeSpace space;
    private final double[] logPosterior;
    private final int atoms;

    GridSearch(CodeSpace space, double[] logPosterior, int atoms) {
        this.space = space;
        this.logPosterior = logPosterior;
        this.atoms = atoms;
    }

    /** The best over all starts; ties go to the first. */
    End best(List<double[][]> starts) {
        List<End> ends = new ArrayList<>();
        for (End end : starts.parallelStream().map(q -> descend(expectation(), q)).toList()) {
            if (end.kl() < Double.POSITIVE_INFINITY
                    && ends.stream().noneMatch(other -> Arrays.deepEquals(other.q(), end.q()))) {
                ends.add(end);
            }
        }
        ends.sort(Comparator.comparingDouble(End::kl));
        return ends.subList(0, Math.min(KICKED, ends.size())).parallelStream().map(this::kicked)
                .reduce((a, b) -> b.kl() < a.kl() ? b : a).orElseThrow();
    }

    private ProductExpectation expectation() {
        return new ProductExpectation(space, logPosterior);
    }

    private End descend(ProductExpectation expectation, double[][] start) {
        return expectation.descend(start, this::allocated, 0, MOST_SWEEPS);
    }

    /** The best row given the others. */
    private double[] allocated(double[] expectation) {
        return marginal(GridAllocation.counts(expectation, atoms));
    }

    private End kicked(End start) {
        ProductExpectation expectation = expectation();
        long kicksLeft = (long) (MOST_VISITS / (3.0 * logPosterior.length));
        End best = start;
        End before;
        do {
            before = best;
            for (int d = 0; d < space.variables(); d++) {
                for (int[] kick : kicks(best.q()[d])) {
                    if (kicksLeft-- <= 0) {
                        return best;
                    }
                    End end = kick(expectation, best, d, kick);
                    if (end.kl() < best.kl() - GAIN) {
                        best = end;
                    }
                }
            }
        } while (best != before);
        return best;
    }

    /** One unit from each category to each other, and everything on one category. */
    private List<int[]> kicks(double[] row) {
        int[] counts = Arrays.stream(row).mapToInt(p -> (int) Math.round(p * atoms)).toArray();
        List<int[]> kicks = new ArrayList<>();
        for (int to = 0; to < counts.length; to++) {
            for (int from = 0; from < counts.length; from++) {
                if (from != to && counts[from] > 0) {
                    int[] moved = counts.clone();
                    moved[from]--;
                    moved[to]++;
                    kicks.add(moved);
                }
            }
            int[] single = new int[counts.length];
            single[to] = atoms;
            kicks.add(single);
        }
        return kicks;
    }

    private End kick(ProductExpectation expectation, End from, int held, int[] value) {
        double[][] q = from.q().clone();
        q[held] = marginal(value);
        double moved = expectation.sweep(q, this::allocated, held);
        return moved < Double.POSITIVE_INFINITY ? descend(expectation, q) : new End(moved, q);
    }

    private double[] marginal(int[] counts) {
        return Arrays.stream(counts).mapToDouble(n -> (double) n / atoms).toArray();
    }
}
