package io.mdnf.evaluation;

import io.mdnf.random.Seed;
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
 * KlLimits limits = KlLimits.of(codes, logJoint);
 * limits.equalAtoms(40).kl();                      // a JOINT mixture of 40 deltas, equal weights
 * limits.freeAtoms(40).kl();                       // the same with free weights
 * MeanField product = limits.meanField(32, Seed.of(1));
 * limits.factorisedGrid(40, product).kl();         // a PER_VARIABLE mixture of 40 deltas
 * }</pre>
 */
public final class KlLimits {

    /** Most codes. */
    public static final int MOST_CODES = 10_000_000;

    private final CodeSpace codes;
    private final double[] logPosterior;
    private final double logEvidence;
    private final int possible;

    private KlLimits(CodeSpace codes, double[] logJoint) {
        this.codes = codes;
        this.logEvidence = LogSpace.sumExp(logJoint);
        if (logEvidence == Double.NEGATIVE_INFINITY) {
            throw new IllegalArgumentException("logJoint is -infinity for all codes: there is no posterior");
        }
        this.logPosterior = Arrays.stream(logJoint).map(l -> l - logEvidence).toArray();
        this.possible = (int) Arrays.stream(logJoint).filter(l -> l > Double.NEGATIVE_INFINITY).count();
    }

    /**
     * The limits of a target.
     *
     * @param codes its space
     * @param logJoint log p(D, x) of all codes in lexicographic order (last variable fastest), up to any constant;
     *        -infinity for impossible codes
     * @return the limits
     */
    public static KlLimits of(CodeSpace codes, double[] logJoint) {
        int size = codes.sizeAtMost(MOST_CODES);
        if (logJoint.length != size) {
            throw new IllegalArgumentException("logJoint has " + logJoint.length + " values, " + codes + " has "
                    + size + " codes");
        }
        LogSpace.check("logJoint", logJoint);
        return new KlLimits(codes, logJoint);
    }

    /** Returns the space. */
    public CodeSpace space() {
        return codes;
    }

    /** Returns log p(D) = log sum_x exp(log p(D, x)). */
    public double logEvidence() {
        return logEvidence;
    }

    /**
     * The best JOINT mixture of B equally weighted deltas.
     *
     * @param kl KL(q || p)
     * @param elbo log p(D) - kl
     * @param atoms where the deltas are
     */
    public record EqualAtoms(double kl, double elbo, AtomAllocation atoms) {
    }

    /**
     * The best JOINT mixture of at most B deltas with free weights: the B most probable codes, weighted as in p.
     *
     * @param kl KL(q || p) = -log of their posterior mass
     * @param elbo log p(D) - kl
     * @param codes the codes, most probable first, [n][D]
     * @param weights their weights, [n]
     */
    public record FreeAtoms(double kl, double elbo, int[][] codes, double[] weights) {

        /** Copies the arrays. */
        public FreeAtoms {
            codes = AtomAllocation.copy(codes);
            weights = weights.clone();
        }

        @Override
        public int[][] codes() {
            return AtomAllocation.copy(codes);
        }

        @Override
        public double[] weights() {
            return weights.clone();
        }
    }

    /**
     * The best found product whose marginals are multiples of 1/B.
     *
     * @param kl KL(q || p)
     * @param elbo log p(D) - kl
     * @param counts q_d(k) = counts[d][k] / B, [D][K_d]
     */
    public record FactorisedGrid(double kl, double elbo, int[][] counts) {

        /** Copies the counts. */
        public FactorisedGrid {
            counts = AtomAllocation.copy(counts);
        }

        @Override
        public int[][] counts() {
            return AtomAllocation.copy(counts);
        }
    }

    /**
     * The exact optimum for B equally weighted deltas.
     *
     * @param atoms B, at least 1
     * @return the limit and the atoms that reach it
     */
    public EqualAtoms equalAtoms(int atoms) {
        // An atom alone gains most on the most probable free code, so only the top B codes can be used.
        int[] top = top(atoms);
        AtomAllocation best = AtomAllocation.best(codes(top), values(top), atoms);
        CompensatedSum kl = new CompensatedSum();
        int[][] at = best.codes();
        int[] counts = best.counts();
        for (int i = 0; i < counts.length; i++) {
            double weight = (double) counts[i] / atoms;
            kl.add(weight * (Math.log(weight) - logPosterior[(int) codes.rank(at[i])]));
        }
        double value = Math.max(0, kl.value());
        return new EqualAtoms(value, logEvidence - value, best);
    }

    /**
     * The exact optimum for at most B deltas with free weights.
     *
     * @param atoms B, at least 1
     * @return the limit and the atoms that reach it; fewer than B if fewer codes are possible
     */
    public FreeAtoms freeAtoms(int atoms) {
        int[] top = top(atoms);
        double[] values = values(top);
        double kl = top.length == possible ? 0 : Math.max(0, -LogSpace.sumExp(values));
        return new FreeAtoms(kl, logEvidence - kl, codes(top), LogSpace.normalise(values));
    }

    /**
     * The best product, by coordinate ascent from random products and from the modes of the posterior (codes that no
     * change of one variable improves).
     *
     * @param restarts how many random starts, at least 0; the modes, at most as many and at least 8, come in addition
     * @param seed of the random starts
     * @return the best found and the other local optima
     */
    public MeanField meanField(int restarts, Seed seed) {
        if (restarts < 0) {
            throw new IllegalArgumentException("restarts = " + restarts + ": must be at least 0");
        }
        List<MeanField.Optimum> optima = new MeanFieldSearch(codes, logPosterior)
                .run(modes(Math.max(8, restarts)), restarts, seed);
        return new MeanField(optima, logEvidence - optima.get(0).kl());
    }

    /**
     * The best PER_VARIABLE mixture of B equally weighted deltas with direct shifts: a product whose marginals are
     * multiples of 1/B. By coordinate search with kicks from the mean-field optima and the modes, so an upper
     * estimate; on small targets it agrees with trying all.
     *
     * @param atoms B, at least 1
     * @param start what {@link #meanField} found on this target
     * @return the best found
     */
    public FactorisedGrid factorisedGrid(int atoms, MeanField start) {
        AtomAllocation.checkAtoms(atoms);
        MeanFieldSearch search = new MeanFieldSearch(codes, logPosterior);
        List<double[][]> starts = new ArrayList<>();
        start.optima().forEach(optimum -> starts.add(optimum.q()));
        Arrays.stream(modes(8)).map(search::delta).forEach(starts::add);
        GridSearch.Found found = new GridSearch(codes, logPosterior, atoms).best(starts);
        return new FactorisedGrid(found.kl(), logEvidence - found.kl(), found.counts());
    }

    /** Ranks of the most probable codes, best first; ties in lexicographic order, impossible codes never. */
    private int[] top(int count) {
        AtomAllocation.checkAtoms(count);
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
        int[] stride = new int[codes.variables()];
        int step = 1;
        for (int d = stride.length - 1; d >= 0; d--) {
            stride[d] = step;
            step *= codes.cardinality(d);
        }
        return IntStream.range(0, logPosterior.length).parallel()
                .filter(i -> logPosterior[i] > Double.NEGATIVE_INFINITY && isMode(i, stride)).boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> -logPosterior[i]).thenComparing(i -> i))
                .limit(count).map(i -> codes.code(i)).toArray(int[][]::new);
    }

    private boolean isMode(int rank, int[] stride) {
        for (int d = 0; d < stride.length; d++) {
            int digit = rank / stride[d] % codes.cardinality(d);
            for (int k = 0; k < codes.cardinality(d); k++) {
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
        return IntStream.of(ranks).mapToObj(codes::code).toArray(int[][]::new);
    }

    private double[] values(int[] ranks) {
        return IntStream.of(ranks).mapToDouble(i -> logPosterior[i]).toArray();
    }

    @Override
    public String toString() {
        return "KlLimits(" + codes + ", log evidence " + logEvidence + ")";
    }
}
