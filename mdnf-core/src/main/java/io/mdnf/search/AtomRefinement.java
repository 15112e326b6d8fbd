package io.mdnf.search;

import io.mdnf.distribution.Atoms;
import io.mdnf.mixture.Weighting;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.TargetModel;
import java.util.List;

/**
 * Finds the B atoms with the highest ELBO, from any start, good or poor.
 *
 * <p>Under free weights the best atoms are the B most probable codes; under equal weights they are an allocation of B
 * components over some of them ({@link Atoms#best}). Either way the task is to find the most probable codes, and the
 * search below does that with nothing but {@code logJoint} and {@code neighbours}, so a black box will do. A space
 * small enough is enumerated, which is exact; otherwise a {@linkplain AtomSearch search} runs until the best B stay
 * the same. The effort needs no setting: it adapts, under a limit that grows with B and the number of categories.
 *
 * <pre>{@code
 * Atoms atoms = AtomRefinement.of(target, 100, Weighting.EQUAL).refine(fitted, Seed.of(1)).atoms();
 * }</pre>
 *
 * @param target what to approximate
 * @param components B, at least 1
 * @param weighting equal or free
 * @param budget how many evaluations of the log joint the search may use; passed only to finish a step under way
 */
public record AtomRefinement(TargetModel target, int components, Weighting weighting, long budget) {

    /** Spaces up to this size are enumerated when the budget allows. */
    static final int ENUMERABLE = 1 << 16;

    /**
     * What a refinement found.
     *
     * @param atoms the atoms, at most B, the most probable first
     * @param elbo their ELBO, exact
     * @param evaluations how many log joints were evaluated
     * @param exhaustive whether every code was looked at, so that the atoms are the optimum for certain
     * @param stable whether the search ended because nothing better turned up, not because the budget did
     */
    public record Result(Atoms atoms, double elbo, long evaluations, boolean exhaustive, boolean stable) {
    }

    /** Checks the settings. */
    public AtomRefinement {
        if (components < 1) {
            throw new IllegalArgumentException("components = " + components + ", expected at least 1");
        }
        if (budget < 1) {
            throw new IllegalArgumentException("budget = " + budget + " evaluations, expected at least 1");
        }
    }

    /**
     * A refinement with the default budget, 32 (B + 256) sum_d K_d evaluations and at least the enumerable size.
     *
     * @param target what to approximate
     * @param components B, at least 1
     * @param weighting equal or free
     * @return the refinement
     */
    public static AtomRefinement of(TargetModel target, int components, Weighting weighting) {
        long categories = 0;
        for (int k : target.space().cardinalities()) {
            categories += k;
        }
        return new AtomRefinement(target, components, weighting,
                Math.max(ENUMERABLE, 32 * (components + 256L) * categories));
    }

    /**
     * The same refinement under another limit.
     *
     * @param evaluations how many log joints may be evaluated, at least 1
     * @return a new refinement
     */
    public AtomRefinement withBudget(long evaluations) {
        return new AtomRefinement(target, components, weighting, evaluations);
    }

    /**
     * Searches from random codes only.
     *
     * @param seed the same seed gives the same atoms
     * @return the best atoms found
     */
    public Result refine(Seed seed) {
        return refine(new int[0][], seed);
    }

    /**
     * Searches from given atoms and from random codes.
     *
     * @param start indices [n][D], any number, repeated or impossible ones allowed: the result is never worse
     * @param seed the same seed gives the same atoms
     * @return the best atoms found
     * @throws IllegalStateException if no code of positive probability turned up
     */
    public Result refine(int[][] start, Seed seed) {
        CodeSpace space = target.space();
        for (int[] code : start) {
            space.check(code);
        }
        boolean exhaustive = space.size() <= Math.min(ENUMERABLE, budget);
        AtomSearch search = new AtomSearch(target, components, budget, seed.fold("atoms").generator());
        boolean stable = exhaustive ? search.enumerate() : search.run(start);
        List<CodePool.Entry> found = search.best();
        if (found.isEmpty()) {
            throw new IllegalStateException("no code of positive probability among " + search.evaluations()
                    + " evaluated; give a start that is possible");
        }
        int[][] codes = found.stream().map(entry -> entry.code).toArray(int[][]::new);
        // Neighbours may have been computed incrementally: the reported bound uses the exact log joint.
        double[] values = target.logJoint(codes);
        Atoms atoms = Atoms.best(target.space(), codes, values, components, weighting);
        return new Result(atoms, atoms.elbo(target.logJoint(atoms.codes())), search.evaluations() + codes.length + atoms.size(), exhaustive,
                stable);
    }
}
