package io.mdnf.search;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.TargetModel;
import java.util.Arrays;

/**
 * Batches of codes that follow a posterior, one after the other: what conditionals are learned from. A batch is all
 * that has to be remembered to go on.
 *
 * <p>They are independent draws where the posterior itself is known, else chains. Where the factors are known these
 * sweep once a batch and are offered a jump along them; of a black box only some variables, drawn anew, move a batch.
 *
 * @param target what they follow
 * @param support of the target
 * @param start the posterior itself, or where chains start
 * @param burnIn sweeps before the first batch; 0 if the start is the posterior itself, so that nothing has to move
 * @param evaluations of a target without factors for each code of a batch
 */
public record Examples(TargetModel target, Support support, CodeDistribution start, int burnIn, int evaluations) {

    /** Returns the first batch, [count][D]. */
    public int[][] first(int count, Seed seed) {
        return moved(start.sample(count, seed), burnIn, seed.fold("burn-in"));
    }

    /** Returns the batch after another, [n][D], which is not changed. */
    public int[][] next(int[][] last, Seed seed) {
        return burnIn == 0 ? start.sample(last.length, seed)
                : followFactors() ? moved(last, 1, seed) : partlyMoved(last, new Draws(seed));
    }

    /** Returns whether a batch follows from the last by the factors alone, which any thread may look at. */
    public boolean followFactors() {
        return burnIn > 0 && support.isKnown();
    }

    private int[][] partlyMoved(int[][] codes, Draws draws) {
        CodeSpace space = target.space();
        int[] order = draws.permutation("variables", space.variables());
        int moving = 0;
        for (int left = evaluations; moving < order.length && (moving == 0 || left > 0); moving++) {
            // the category that a chain has is known
            left -= space.cardinality(order[moving]) - 1;
        }
        Chains chains = new Chains(target, codes, draws.stream("chains"));
        chains.sweep(1, Arrays.copyOf(order, moving));
        return chains.codes();
    }

    private int[][] moved(int[][] codes, int times, Seed seed) {
        Chains chains = new Chains(target, codes, seed.fold("chains").generator());
        for (int i = 0; i < times; i++) {
            chains.sweep(1);
            if (support.isKnown()) {
                chains.jump(support);
            }
        }
        return chains.codes();
    }

    /** Returns where the codes come from, in words. */
    @Override
    public String toString() {
        return burnIn == 0 ? "all codes" : "Gibbs chains";
    }
}
