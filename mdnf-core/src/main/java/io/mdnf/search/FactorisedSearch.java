package io.mdnf.search;

import io.mdnf.mixture.Weighting;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.FactorisedExpectation;
import io.mdnf.target.TargetModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.PermutationSampler;

/** One search for the best factorised posterior; {@link FactorisedRefinement} says how. */
final class FactorisedSearch {

    private static final int LEAST_STARTS = 24;
    private static final int MOST_STARTS = 200;
    /** How often the best optimum must turn up before the starts end. */
    private static final int HITS = 6;
    /** Optima whose ELBOs differ by less are taken for the same. */
    private static final double SAME = 1e-4;
    private static final int KEPT = 8;
    private static final int GRID_ORDERS = 3;
    private static final int SWEEPS = 500;
    private static final int GUIDES = 16;

    /** Samples of a black box: many starts on few, the best of them on more, the last on most. */
    private static final int ROUGH_SAMPLES = 32;
    private static final int MIDDLE_SAMPLES = 256;
    private static final int FINE_SAMPLES = 1024;
    private static final int JUDGE_SAMPLES = 16384;
    private static final int SAMPLED_STARTS = 16;
    private static final int REPAIRS = 4;

    /** A q and what it is worth. */
    private record Optimum(double[][] q, int[][] counts, double elbo, double standardError) {
    }

    private final TargetModel target;
    private final CodeSpace space;
    private final int components;
    private final Seed seed;
    private final UniformRandomProvider random;
    private final List<int[]> guides = new ArrayList<>();
    private long evaluations;
    private int started;

    FactorisedSearch(TargetModel target, int components, Seed seed) {
        this.target = target;
        this.space = target.space();
        this.components = components;
        this.seed = seed.fold("factorised");
        this.random = this.seed.fold("starts").generator();
    }

    FactorisedRefinement.Result result(List<double[][]> given) {
        findGuides();
        if (target instanceof FactorisedExpectation exact) {
            return exact(given, MeanFieldExpectation.of(exact));
        }
        if (space.size() <= AtomRefinement.ENUMERABLE) {
            double[] table = target.logJoint(space.all(AtomRefinement.ENUMERABLE));
            evaluations += table.length;
            return exact(given, new TabulatedExpectation(space, table));
        }
        return sampled(given);
    }

    /** Possible codes, good and various: the most probable one, and draws of annealed chains. */
    private void findGuides() {
        AtomRefinement.Result mode = AtomRefinement.of(target, 1, Weighting.FREE).refine(seed.fold("mode"));
        evaluations += mode.evaluations();
        guides.add(mode.atoms().codes()[0]);
        TemperedChains chains = new TemperedChains(target, TemperedChains.randomCodes(space, GUIDES, random),
                random, (code, d, k, value) -> { });
        chains.anneal(0.1, 1, 24);
        evaluations += chains.evaluations();
        for (int c = 0; c < GUIDES; c++) {
            if (chains.values()[c] > Double.NEGATIVE_INFINITY) {
                guides.add(chains.codes()[c]);
            }
        }
    }

    private FactorisedRefinement.Result exact(List<double[][]> given, MeanFieldExpectation expectation) {
        MeanFieldAscent ascent = new MeanFieldAscent(expectation);
        List<Optimum> optima = new ArrayList<>();
        int hits = 0;
        while (started < given.size() + MOST_STARTS && (started < given.size() + LEAST_STARTS || hits < HITS)) {
            double[][] q = start(given, ascent);
            ascent.ascend(q, order(), 1e-6, SWEEPS);
            double elbo = ascent.elbo(q);
            double best = optima.isEmpty() ? Double.NEGATIVE_INFINITY : optima.get(0).elbo;
            hits = elbo > best + SAME ? 1 : elbo > best - SAME ? hits + 1 : hits;
            keep(optima, new Optimum(q, null, elbo, 0));
        }
        double[][] meanField = optima.get(0).q;
        ascent.ascend(meanField, order(), 1e-12, SWEEPS);
        // Few components may do best on a single code, far from any optimum off the grid.
        optima.add(new Optimum(delta(guides.get(0)), null, 0, 0));
        Optimum best = null;
        for (Optimum optimum : optima) {
            for (int i = 0; i < GRID_ORDERS; i++) {
                double[][] q = copy(optimum.q);
                int[][] counts = ascent.toGrid(q, order(), components, SWEEPS);
                double elbo = ascent.elbo(q);
                best = best == null || elbo > best.elbo ? new Optimum(q, counts, elbo, 0) : best;
            }
        }
        return new FactorisedRefinement.Result(best.counts, best.q, best.elbo, 0, meanField, ascent.elbo(meanField), 0,
                started, evaluations);
    }

    /** Keeps the best distinct optima, best first. */
    private void keep(List<Optimum> optima, Optimum optimum) {
        for (Optimum known : optima) {
            if (Math.abs(known.elbo - optimum.elbo) < SAME) {
                return;
            }
        }
        optima.add(optimum);
        optima.sort(Comparator.comparingDouble(o -> -o.elbo));
        if (optima.size() > KEPT) {
            optima.remove(KEPT);
        }
    }

    private double[][] start(List<double[][]> given, MeanFieldAscent ascent) {
        int i = started++;
        int[] guide = guides.get(i % guides.size());
        double[][] q;
        if (i < given.size()) {
            q = copy(given.get(i));
        } else if (i == given.size()) {
            q = uniform();
        } else {
            q = i % 2 == 0 ? delta(guide) : onSimplex();
        }
        ascent.makePossible(q, guide, order());
        return q;
    }

    private double[][] uniform() {
        double[][] q = new double[space.variables()][];
        for (int d = 0; d < q.length; d++) {
            q[d] = new double[space.cardinality(d)];
            Arrays.fill(q[d], 1.0 / q[d].length);
        }
        return q;
    }

    /** Uniform on the simplex: normalised exponential numbers. */
    private double[][] onSimplex() {
        double[][] q = uniform();
        for (double[] row : q) {
            double sum = 0;
            for (int k = 0; k < row.length; k++) {
                row[k] = -Math.log(1 - random.nextDouble()) + Double.MIN_NORMAL;
                sum += row[k];
            }
            for (int k = 0; k < row.length; k++) {
                row[k] /= sum;
            }
        }
        return q;
    }

    private double[][] delta(int[] code) {
        double[][] q = new double[code.length][];
        for (int d = 0; d < code.length; d++) {
            q[d] = new double[space.cardinality(d)];
            q[d][code[d]] = 1;
        }
        return q;
    }

    private int[] order() {
        int[] order = PermutationSampler.natural(space.variables());
        PermutationSampler.shuffle(random, order);
        return order;
    }

    // Black boxes: many starts on few samples, the best of them on more, the last on most.

    private SampledExpectation samples(String name, int count) {
        return new SampledExpectation(target, count, seed.fold(name).generator());
    }

    private FactorisedRefinement.Result sampled(List<double[][]> given) {
        SampledExpectation rough = samples("rough", ROUGH_SAMPLES);
        SampledExpectation middle = samples("middle", MIDDLE_SAMPLES);
        SampledExpectation fine = samples("fine", FINE_SAMPLES);
        SampledExpectation judge = samples("judge", JUDGE_SAMPLES);
        List<Optimum> first = new ArrayList<>();
        for (int i = 0; i < given.size() + SAMPLED_STARTS; i++) {
            first.add(ascended(start(given, new MeanFieldAscent(rough)), rough, 12, middle));
        }
        List<Optimum> second = new ArrayList<>();
        for (Optimum optimum : best(first, 3)) {
            second.add(ascended(optimum.q, middle, 12, fine));
        }
        // Chosen before the judge's samples are looked at, so that their mean is not the better of two.
        double[][] q = best(second, 1).get(0).q;
        MeanFieldAscent ascent = new MeanFieldAscent(fine);
        ascent.makePossible(q, guides.get(0), order());
        ascent.ascend(q, order(), 1e-4, 4);
        Optimum meanField = judged(q, 0, judge);
        Optimum grid = judged(copy(q), components, judge);
        evaluations += rough.evaluations() + middle.evaluations() + fine.evaluations() + judge.evaluations();
        return new FactorisedRefinement.Result(grid.counts, grid.q, grid.elbo, grid.standardError, meanField.q,
                meanField.elbo, meanField.standardError, started, evaluations);
    }

    private Optimum ascended(double[][] q, SampledExpectation on, int sweeps, SampledExpectation judge) {
        MeanFieldAscent ascent = new MeanFieldAscent(on);
        ascent.makePossible(q, guides.get(0), order());
        ascent.ascend(q, order(), 1e-3, sweeps);
        return new Optimum(q, null, new MeanFieldAscent(judge).elbo(q), 0);
    }

    private static List<Optimum> best(List<Optimum> optima, int count) {
        return optima.stream().sorted(Comparator.comparingDouble(o -> -o.elbo)).limit(count).toList();
    }

    /**
     * Moves q on the grid if asked to and measures it on fresh samples, or exactly if its support is small. If they
     * meet an impossible code, q is collapsed and ascends again on more samples.
     */
    private Optimum judged(double[][] q, int units, SampledExpectation judge) {
        int samples = FINE_SAMPLES;
        for (int repair = 0; repair <= REPAIRS; repair++, samples *= 2) {
            SampledExpectation on = samples("judged" + repair, samples);
            MeanFieldAscent ascent = new MeanFieldAscent(on);
            if (repair > 0) {
                new MeanFieldAscent(judge).makePossible(q, guides.get(0), order());
                ascent.makePossible(q, guides.get(0), order());
                ascent.ascend(q, order(), 1e-4, 4);
            }
            int[][] counts = units > 0 ? ascent.toGrid(q, order(), units, 4) : null;
            evaluations += on.evaluations();
            Optimum measured = measured(q, counts, judge);
            if (measured.elbo > Double.NEGATIVE_INFINITY) {
                return measured;
            }
        }
        double[][] safe = delta(guides.get(0));
        int[][] counts = Arrays.stream(safe)
                .map(row -> Arrays.stream(row).mapToInt(p -> (int) p * units).toArray())
                .toArray(int[][]::new);
        return measured(safe, counts, judge);
    }

    private Optimum measured(double[][] q, int[][] counts, SampledExpectation judge) {
        double entropy = MeanFieldAscent.entropy(q);
        double support = 1;
        for (double[] row : q) {
            support *= Arrays.stream(row).filter(p -> p > 0).count();
        }
        if (support <= AtomRefinement.ENUMERABLE) {
            return new Optimum(q, counts, overSupport(q, (int) support) + entropy, 0);
        }
        double[] values = judge.logJoints(q);
        double mean = Arrays.stream(values).sum() / values.length;
        double square = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
        double error = Math.sqrt(square / (values.length - 1.0) / values.length);
        return new Optimum(q, counts, mean + entropy, error);
    }

    /** The exact expectation, over all codes that q can draw. */
    private double overSupport(double[][] q, int size) {
        int[][] open = Arrays.stream(q)
                .map(row -> IntStream.range(0, row.length).filter(k -> row[k] > 0).toArray())
                .toArray(int[][]::new);
        CodeSpace support = CodeSpace.of(Arrays.stream(open).mapToInt(row -> row.length).toArray());
        int[][] codes = support.all(size);
        double[] mass = new double[size];
        for (int i = 0; i < size; i++) {
            mass[i] = 1;
            for (int d = 0; d < q.length; d++) {
                codes[i][d] = open[d][codes[i][d]];
                mass[i] *= q[d][codes[i][d]];
            }
        }
        double[] values = target.logJoint(codes);
        evaluations += size;
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += mass[i] * values[i];
        }
        return sum;
    }

    private static double[][] copy(double[][] q) {
        return Arrays.stream(q).map(double[]::clone).toArray(double[][]::new);
    }
}
