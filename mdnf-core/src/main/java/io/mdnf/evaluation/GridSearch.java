package io.mdnf.evaluation;

import io.mdnf.distribution.GridAllocation;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
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

    private static final int MOST_SWEEPS = 200;
    /** How many different ends of the coordinate search are tried to be kicked further. */
    private static final int KICKED = 3;
    /** Kicks end, helpful or not, when about three sweeps for each have visited this many codes: some 10 seconds. */
    private static final double MOST_VISITS = 1e9;
    private static final double GAIN = 1e-12;

    private final CodeSpace space;
    private final double[] logPosterior;
    private final int atoms;

    GridSearch(CodeSpace space, double[] logPosterior, int atoms) {
        this.space = space;
        this.logPosterior = logPosterior;
        this.atoms = atoms;
    }

    /** A grid product q = counts / B, [D][K_d]. */
    record Found(double kl, int[][] counts, double[][] q) {

        boolean sameAs(Found other) {
            return Arrays.deepEquals(counts, other.counts);
        }
    }

    /** The best over all starts; ties go to the first. */
    Found best(List<double[][]> starts) {
        List<Found> ends = new ArrayList<>();
        for (Found end : starts.parallelStream().map(this::fromMarginals).toList()) {
            if (end.kl() < Double.POSITIVE_INFINITY && ends.stream().noneMatch(end::sameAs)) {
                ends.add(end);
            }
        }
        ends.sort(Comparator.comparingDouble(Found::kl));
        return ends.subList(0, Math.min(KICKED, ends.size())).parallelStream().map(this::kicked)
                .reduce((a, b) -> b.kl() < a.kl() ? b : a).orElseThrow();
    }

    private Found fromMarginals(double[][] start) {
        return descend(new ProductExpectation(space, logPosterior), start.clone(), new int[start.length][0]);
    }

    private Found kicked(Found start) {
        ProductExpectation expectation = new ProductExpectation(space, logPosterior);
        long kicksLeft = (long) (MOST_VISITS / (3.0 * logPosterior.length));
        Found best = start;
        Found before;
        do {
            before = best;
            for (int d = 0; d < space.variables(); d++) {
                for (int[] kick : kicks(best.counts()[d])) {
                    if (kicksLeft-- <= 0) {
                        return best;
                    }
                    Found end = kick(expectation, best, d, kick);
                    if (end.kl() < best.kl() - GAIN) {
                        best = end;
                    }
                }
            }
        } while (best != before);
        return best;
    }

    /** One unit from each category to each other, and everything on one category. */
    private List<int[]> kicks(int[] counts) {
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

    private Found kick(ProductExpectation expectation, Found from, int held, int[] value) {
        int[][] counts = from.counts().clone();
        counts[held] = value;
        double[][] q = Arrays.stream(counts).map(this::marginal).toArray(double[][]::new);
        boolean possible = expectation.sweep(q, (d, e) -> d == held || update(d, e, q, counts) != Step.IMPOSSIBLE);
        return possible ? descend(expectation, q, counts) : new Found(Double.POSITIVE_INFINITY, counts, q);
    }

    private enum Step { SAME, CHANGED, IMPOSSIBLE }

    private Step update(int d, double[] expectation, double[][] q, int[][] counts) {
        if (LogSpace.sumExp(expectation) == Double.NEGATIVE_INFINITY) {
            return Step.IMPOSSIBLE;
        }
        int[] next = GridAllocation.counts(expectation, atoms);
        if (Arrays.equals(next, counts[d])) {
            return Step.SAME;
        }
        counts[d] = next;
        q[d] = marginal(next);
        return Step.CHANGED;
    }

    private double[] marginal(int[] counts) {
        return Arrays.stream(counts).mapToDouble(n -> (double) n / atoms).toArray();
    }

    /** Coordinate search from q, in place. */
    private Found descend(ProductExpectation expectation, double[][] q, int[][] counts) {
        boolean[] changed = {true};
        for (int sweep = 0; sweep < MOST_SWEEPS && changed[0]; sweep++) {
            changed[0] = false;
            boolean possible = expectation.sweep(q, (d, e) -> {
                Step step = update(d, e, q, counts);
                changed[0] |= step == Step.CHANGED;
                return step != Step.IMPOSSIBLE;
            });
            if (!possible) {
                return new Found(Double.POSITIVE_INFINITY, counts, q);
            }
        }
        return new Found(MeanFieldSearch.kl(expectation, q), counts, q);
    }
}
