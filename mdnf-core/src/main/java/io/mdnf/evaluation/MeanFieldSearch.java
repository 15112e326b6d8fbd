package io.mdnf.evaluation;

import io.mdnf.distribution.Product;
import io.mdnf.evaluation.ProductExpectation.End;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Coordinate ascent on products: q_d proportional to exp E[log p | x_d], variable after variable, from many starts.
 *
 * <p>Impossible codes (log p = -infinity) would make every update of a q with full support impossible. So they first
 * get a very low but finite value; what little mass is left on them at the end is removed and the ascent goes on with
 * the true table.
 */
final class MeanFieldSearch {

    /** A guard: an ascent ends by itself when nothing moves. */
    private static final int MOST_SWEEPS = 5000;
    /** Optima that are refined: the best one of coarse ascents is not always the best. */
    private static final int MOST_OPTIMA = 16;
    /** Where coarse ascents end, and where the last ends: rounding. */
    private static final double COARSE = 1e-6;
    private static final double FINE = 1e-12;
    /** Nats below the least possible code: far beyond any gain in entropy. */
    private static final double BELOW = 30;
    /** Marginals below this in the first phase are what the finite penalty let through. */
    private static final double NEGLIGIBLE = 1e-5;

    private final CodeSpace space;
    private final double[] logPosterior;
    /** The same with a finite value for impossible codes; the same array if there are none. */
    private final double[] floored;

    MeanFieldSearch(CodeSpace space, double[] logPosterior) {
        this.space = space;
        this.logPosterior = logPosterior;
        this.floored = floored(logPosterior);
    }

    private static double[] floored(double[] table) {
        double least = Arrays.stream(table).filter(v -> v > Double.NEGATIVE_INFINITY).reduce(0, Math::min);
        return Arrays.stream(table).noneMatch(v -> v == Double.NEGATIVE_INFINITY) ? table
                : Arrays.stream(table).map(v -> Math.max(v, least - BELOW)).toArray();
    }

    /** The distinct optima, best first; starts are the given modes and random products. */
    List<End> run(int[][] modes, int restarts, Seed seed) {
        List<End> ends = new ArrayList<>(IntStream.range(0, modes.length + restarts).parallel()
                .mapToObj(s -> s < modes.length
                        ? ascend(logPosterior, Product.delta(space, modes[s]).q(), COARSE)
                        : ascendFromInside(random(seed.fold("restart").fold(s - modes.length), s)))
                .toList());
        ends.sort(Comparator.comparingDouble(End::kl));
        List<End> optima = new ArrayList<>();
        int from = 0;
        while (from < ends.size() && optima.size() < MOST_OPTIMA && ends.get(from).kl() < Double.POSITIVE_INFINITY) {
            int to = from + 1;
            while (to < ends.size() && ends.get(to).kl() - ends.get(from).kl() < 1e-5) {
                to++;
            }
            optima.add(ascend(logPosterior, ends.get(from).q(), FINE));
            from = to;
        }
        optima.sort(Comparator.comparingDouble(End::kl));
        return optima;
    }

    private End ascendFromInside(double[][] start) {
        End end = ascend(floored, start, COARSE);
        if (floored == logPosterior) {
            return end;
        }
        double[][] q = end.q();
        for (double[] marginal : q) {
            double[] kept = Arrays.stream(marginal).map(p -> p < NEGLIGIBLE ? 0 : p).toArray();
            double sum = Arrays.stream(kept).sum();
            Arrays.setAll(marginal, k -> kept[k] / sum);
        }
        return ascend(logPosterior, q, COARSE);
    }

    private End ascend(double[] table, double[][] start, double tolerance) {
        return new ProductExpectation(space, table).descend(start, LogSpace::normalise, tolerance, MOST_SWEEPS);
    }

    /** Uniform on the simplex, every other start sharper. */
    private double[][] random(Seed seed, int start) {
        UniformRandomProvider rng = seed.generator();
        double[][] q = new double[space.variables()][];
        for (int d = 0; d < q.length; d++) {
            // the logarithm of an exponential number
            q[d] = LogSpace.normalise(IntStream.range(0, space.cardinality(d)).mapToDouble(k ->
                    (start % 2 == 0 ? 1 : 3) * Math.log(-Math.log1p(-rng.nextDouble()) + 1e-12)).toArray());
        }
        return q;
    }
}
