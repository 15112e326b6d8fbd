package io.mdnf.search;

import io.mdnf.distribution.Atoms;
import io.mdnf.mixture.Weighting;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.TargetModel;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The most probable codes that are known.
 *
 * @param space the space
 * @param codes possible codes, the most probable first, [n][D]
 * @param logJoint their exact log p(D, x), [n]
 * @param evaluations how many log joints were evaluated to find them
 * @param areAll whether these are all possible codes, so that their weights are the posterior
 * @param stable whether the search ended because nothing better turned up, not because its budget did
 */
public record FoundCodes(CodeSpace space, int[][] codes, double[] logJoint, long evaluations, boolean areAll,
        boolean stable) {

    /** All possible codes of a space that can be listed. */
    static FoundCodes listed(TargetModel target) {
        CodeSpace space = target.space();
        int[][] all = space.all();
        double[] values = target.logJoint(all);
        int[] possible = IntStream.range(0, all.length).filter(i -> values[i] > Double.NEGATIVE_INFINITY).boxed()
                .sorted(Comparator.comparingDouble(i -> -values[i])).mapToInt(i -> i).toArray();
        Check.that(possible.length > 0, "every code of ", target, " has probability 0");
        return new FoundCodes(space, IntStream.of(possible).mapToObj(i -> all[i]).toArray(int[][]::new),
                IntStream.of(possible).mapToDouble(i -> values[i]).toArray(), all.length, true, true);
    }

    /** Returns the atoms with the highest bound that B components, at least 1, can make of these codes. */
    public Atoms atoms(int components, Weighting weighting) {
        return Atoms.best(space, codes, logJoint, components, weighting);
    }

    /** Returns all codes as atoms, weighted by their probability. */
    public Atoms atoms() {
        return atoms(codes.length, Weighting.FREE);
    }

    @Override
    public String toString() {
        return "FoundCodes(" + codes.length + (areAll ? ", all there are" : stable ? "" : ", budget spent") + ")";
    }
}
