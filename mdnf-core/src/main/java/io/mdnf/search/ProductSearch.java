package io.mdnf.search;

import io.mdnf.distribution.Product;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.FactorisedExpectation;
import io.mdnf.target.TargetModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.PermutationSampler;

/**
 * One search for the best product q(x) = prod_d q_d(x_d), both freely and with B equally weighted components per
 * variable, whose q_d are multiples of 1 / B.
 *
 * <p>Coordinate ascent from many starts (uniform, random points of the simplex, single codes that are known,
 * and any that are given) finds the modes of the ELBO; it goes on until the best one has been met several times. The
 * best few are then moved on the grid, where each variable's exact best counts given the others are found in turn.
 *
 * <p>The expectation is exact for a {@link FactorisedExpectation} and for a space small enough to list. Any other
 * target is a black box, sampled with growing numbers of samples; the ELBO then comes with a standard error, and so
 * small a mass on impossible codes that no sample met it can go unseen.
 */
final class ProductSearch {

    /** A q and what it is worth. */
    private record Optimum(double[][] q, Estimate bound) {

        double elbo() {
            return bound.value();
        }
    }

    private final TargetModel target;
    private final CodeSpace space;
    private final int units;
    private final Effort.Products effort;
    private final Seed seed;
    private final UniformRandomProvider random;
    private final List<int[]> guides = new ArrayList<>();
    private final DoubleConsumer watch;
    private int started;

    /** A search with the possible codes that are known, for B = {@code units}, at least 1. */
    ProductSearch(TargetModel target, FoundCodes codes, int units, Effort.Products effort, Seed seed,
            DoubleConsumer watch) {
        this.target = target;
        this.space = target.space();
        this.units = units;
        this.effort = effort;
        this.watch = watch;
        this.seed = seed.fold("product");
        this.random = this.seed.fold("starts").generator();
        // the most probable one, and beside it good and various ones
        guides.add(codes.codes()[0]);
        guides.addAll(List.of(codes.atoms().sample(effort.guides(), this.seed.fold("guides"))));
    }

    /** Searches from given products, any number, and from the built-in starts. */
    FoundProduct run(Product... given) {
        for (Product product : given) {
            Check.that(product.space().equals(space), "start is a ", product, ", expected one on ", space);
        }
        List<double[][]> starts = Arrays.stream(given).map(Product::q).toList();
        if (target instanceof FactorisedExpectation exact) {
            return exact(starts, exact);
        }
        if (space.isListable()) {
            return exact(starts, FactorTarget.table(space, target.logJoint(space.all())));
        }
        return sampled(starts);
    }

    private FoundProduct exact(List<double[][]> given, FactorisedExpectation expectation) {
        ProductAscent ascent = new ProductAscent(expectation);
        List<Optimum> optima = new ArrayList<>();
        int hits = 0;
        while (started < given.size() + effort.mostStarts()
                && (started < given.size() + effort.leastStarts() || hits < effort.hits())) {
            double[][] q = start(given, ascent);
            ascent.ascend(q, order(), effort.tolerance(), effort.sweeps());
            double elbo = ascent.elbo(q);
            double best = optima.isEmpty() ? Double.NEGATIVE_INFINITY : optima.get(0).elbo();
            hits = elbo > best + effort.same() ? 1 : elbo > best - effort.same() ? hits + 1 : hits;
            keep(optima, new Optimum(q, Estimate.exact(elbo)));
            watch.accept(Math.min(started / (double) effort.leastStarts(), hits / (double) effort.hits()) / 2);
        }
        double[][] free = optima.get(0).q;
        ascent.ascend(free, order(), effort.fineTolerance(), effort.sweeps());
        // Few components may do best on a single code, far from any optimum off the grid.
        optima.add(new Optimum(Product.delta(space, guides.get(0)).q(), Estimate.exact(0)));
        Optimum best = null;
        for (Optimum optimum : optima) {
            for (int i = 0; i < effort.gridOrders(); i++) {
                double[][] q = optimum.q.clone();
                ascent.toGrid(q, order(), units, effort.sweeps());
                double elbo = ascent.elbo(q);
                best = best == null || elbo > best.elbo() ? new Optimum(q, Estimate.exact(elbo)) : best;
            }
            watch.accept(0.5 + 0.5 * (optima.indexOf(optimum) + 1) / optima.size());
        }
        return found(new Optimum(free, Estimate.exact(ascent.elbo(free))), best);
    }

    private FoundProduct found(Optimum free, Optimum grid) {
        return new FoundProduct(new Product(free.q), free.bound, new Product(grid.q), grid.bound, started);
    }

    /** Keeps the best distinct optima, best first. */
    private void keep(List<Optimum> optima, Optimum optimum) {
        if (optima.stream().noneMatch(known -> Math.abs(known.elbo() - optimum.elbo()) < effort.same())) {
            optima.add(optimum);
            optima.sort(Comparator.comparingDouble(o -> -o.elbo()));
            if (optima.size() > effort.kept()) {
                optima.remove(effort.kept());
            }
        }
    }

    private double[][] start(List<double[][]> given, ProductAscent ascent) {
        int i = started++;
        int[] guide = guides.get(i % guides.size());
        double[][] q;
        if (i < given.size()) {
            q = given.get(i);
        } else if (i == given.size()) {
            q = Product.uniform(space).q();
        } else {
            q = i % 2 == 0 ? Product.delta(space, guide).q() : onSimplex();
        }
        ascent.makePossible(q, guide, order());
        return q;
    }

    /** Uniform on the simplex: normalised exponential numbers. */
    private double[][] onSimplex() {
        double[][] q = new double[space.variables()][];
        Arrays.setAll(q, d -> LogSpace.normalise(IntStream.range(0, space.cardinality(d))
                .mapToDouble(k -> Math.log(-Math.log(1 - random.nextDouble()) + Double.MIN_NORMAL)).toArray()));
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

    private FoundProduct sampled(List<double[][]> given) {
        SampledExpectation rough = samples("rough", effort.roughSamples());
        SampledExpectation middle = samples("middle", effort.middleSamples());
        SampledExpectation fine = samples("fine", effort.fineSamples());
        SampledExpectation judge = samples("judge", effort.judgeSamples());
        List<Optimum> first = new ArrayList<>();
        for (int i = 0; i == 0 || i < given.size() + effort.sampledStarts()
                && rough.evaluations() + middle.evaluations() < effort.blackBox(); i++) {
            first.add(ascended(start(given, new ProductAscent(rough)), rough, middle));
            watch.accept(0.3 * first.size() / (given.size() + effort.sampledStarts()));
        }
        List<Optimum> second = new ArrayList<>();
        for (Optimum optimum : best(first, effort.finalists())) {
            second.add(ascended(optimum.q, middle, fine));
            watch.accept(0.3 + 0.3 * second.size() / effort.finalists());
        }
        // Chosen before the judge's samples are looked at, so that their mean is not the better of two.
        double[][] q = best(second, 1).get(0).q;
        ascend(q, fine, effort.fineSweeps());
        Optimum free = judged(q, false, judge);
        return found(free, judged(q.clone(), true, judge));
    }

    private void ascend(double[][] q, SampledExpectation on, int sweeps) {
        ProductAscent ascent = new ProductAscent(on);
        ascent.makePossible(q, guides.get(0), order());
        ascent.ascend(q, order(), effort.sampledTolerance(), sweeps);
    }

    private Optimum ascended(double[][] q, SampledExpectation on, SampledExpectation judge) {
        ascend(q, on, effort.sampledSweeps());
        return new Optimum(q, Estimate.exact(new ProductAscent(judge).elbo(q)));
    }

    private static List<Optimum> best(List<Optimum> optima, int count) {
        return optima.stream().sorted(Comparator.comparingDouble(o -> -o.elbo())).limit(count).toList();
    }

    /**
     * Moves q on the grid if asked to and measures it on fresh samples, or exactly if its support is small. If they
     * meet an impossible code, q is collapsed and ascends again on more samples.
     */
    private Optimum judged(double[][] q, boolean onGrid, SampledExpectation judge) {
        int samples = effort.fineSamples();
        for (int repair = 0; repair <= effort.repairs(); repair++, samples *= 2) {
            SampledExpectation on = samples("judged" + repair, samples);
            if (repair > 0) {
                new ProductAscent(judge).makePossible(q, guides.get(0), order());
                ascend(q, on, effort.fineSweeps());
            }
            if (onGrid) {
                new ProductAscent(on).toGrid(q, order(), units, effort.fineSweeps());
            }
            Optimum measured = measured(q, judge);
            if (measured.elbo() > Double.NEGATIVE_INFINITY) {
                return measured;
            }
        }
        return measured(Product.delta(space, guides.get(0)).q(), judge);
    }

    private Optimum measured(double[][] q, SampledExpectation judge) {
        Product product = new Product(q);
        if (product.supportSize() <= CodeSpace.LISTABLE) {
            return new Optimum(q, Bound.of(target, product, 2, seed));
        }
        double entropy = product.entropy();
        return new Optimum(q, Estimate.of(Arrays.stream(judge.logJoints(q)).map(value -> value + entropy).toArray()));
    }
}
