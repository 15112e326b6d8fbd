package io.mdnf.search;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.random.Seed;
import io.mdnf.target.TargetModel;

/**
 * Batches of codes that follow a posterior, one after the other: what conditionals are learned from. A batch is all
 * that has to be remembered to go on.
 *
 * <p>They are independent draws where the posterior itself is known, else chains that sweep once a batch and, where the
 * factors are known, are offered a jump along them.
 *
 * @param target what they follow
 * @param support of the target
 * @param start the posterior itself, or where chains start
 * @param burnIn sweeps before the first batch; 0 if the start is the posterior itself, so that nothing has to move
 */
public record Examples(TargetModel target, Support support, CodeDistribution start, int burnIn) {

    /** Returns the first batch, [count][D]. */
    public int[][] first(int count, Seed seed) {
        return moved(start.sample(count, seed), burnIn, seed.fold("burn-in"));
    }

    /** Returns the batch after another, [n][D], which is not changed. */
    public int[][] next(int[][] last, Seed seed) {
        return burnIn == 0 ? start.sample(last.length, seed) : moved(last, 1, seed);
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
