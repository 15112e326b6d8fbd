package io.mdnf.search;

import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.FactorisedExpectation;
import io.mdnf.target.TargetModel;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the best factorised posterior q(x) = prod_d q_d(x_d), both freely and with B equally weighted components per
 * variable, whose q_d are multiples of 1 / B.
 *
 * <p>Coordinate ascent from many starts (uniform, random points of the simplex, single codes drawn by annealed chains,
 * and any that are given) finds the modes of the ELBO; it goes on until the best one has been met several times. The
 * best few are then moved on the grid, where each variable's exact best counts given the others are found in turn.
 *
 * <p>The expectation is exact for a {@link FactorisedExpectation} and for a space small enough to tabulate. Any other
 * target is a black box, sampled with growing numbers of samples; the ELBO then comes with a standard error, and so
 * small a mass on impossible codes that no sample met it can go unseen.
 *
 * <pre>{@code
 * FactorisedRefinement.Result fit = new FactorisedRefinement(target, 100).refine(Seed.of(1));
 * fit.counts();   // [D][K_d], rows sum to 100
 * }</pre>
 *
 * @param target what to approximate
 * @param components B, at least 1
 */
public record FactorisedRefinement(TargetModel target, int components) {

    /**
     * What a refinement found. The arrays belong to the caller.
     *
     * @param counts [D][K_d], how many of the B components of variable d sit on category k
     * @param q counts / B
     * @param elbo E_q[log p(D, x)] + H(q)
     * @param standardError of the ELBO; 0 when it is exact
     * @param meanField the best q without the grid, [D][K_d]
     * @param meanFieldElbo its ELBO
     * @param meanFieldStandardError of that; 0 when it is exact
     * @param starts how many starts were tried
     * @param evaluations how many log joints were evaluated; exact expectations are not counted
     */
    public record Result(int[][] counts, double[][] q, double elbo, double standardError, double[][] meanField,
            double meanFieldElbo, double meanFieldStandardError, int starts, long evaluations) {
    }

    /** Checks the settings. */
    public FactorisedRefinement {
        if (components < 1) {
            throw new IllegalArgumentException("components = " + components + ", expected at least 1");
        }
    }

    /**
     * Refines from the built-in starts.
     *
     * @param seed the same seed gives the same result
     * @return the best found
     */
    public Result refine(Seed seed) {
        return refine(List.of(), seed);
    }

    /**
     * Refines from given posteriors and from the built-in starts.
     *
     * @param starts each [D][K_d] with rows that are distributions; not changed
     * @param seed the same seed gives the same result
     * @return the best found
     * @throws IllegalStateException if no code of positive probability turned up
     */
    public Result refine(List<double[][]> starts, Seed seed) {
        starts.forEach(this::check);
        return new FactorisedSearch(target, components, seed).result(starts);
    }

    private void check(double[][] q) {
        CodeSpace space = target.space();
        if (q.length != space.variables()) {
            throw new IllegalArgumentException("start has " + q.length + " rows, expected " + space.variables());
        }
        for (int d = 0; d < q.length; d++) {
            if (q[d].length != space.cardinality(d) || !(Arrays.stream(q[d]).min().getAsDouble() >= 0)
                    || !(Math.abs(Arrays.stream(q[d]).sum() - 1) < 1e-6)) {
                throw new IllegalArgumentException("start[" + d + "] = " + Arrays.toString(q[d])
                        + ", expected a distribution on " + space.cardinality(d) + " categories");
            }
        }
    }
}
