package io.mdnf.search;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.random.Seed;
import io.mdnf.target.TargetModel;

/**
 * Batches of codes that follow a posterior, one after the other: what conditionals are learned from. A batch is all that
 * has to be remembered to go on.
 */
public interface Examples {

    /**
     * The first batch.
     *
     * @param count how many codes
     * @param seed where they come from
     * @return [count][D]
     */
    int[][] first(int count, Seed seed);

    /**
     * The batch after another.
     *
     * @param last the batch before, [n][D]; not changed
     * @param seed where it comes from
     * @return [n][D]
     */
    int[][] next(int[][] last, Seed seed);

    /**
     * Independent draws.
     *
     * @param posterior the posterior itself
     * @return its samples
     */
    static Examples drawn(CodeDistribution posterior) {
        return new Examples() {
            @Override
            public int[][] first(int count, Seed seed) {
                return posterior.sample(count, seed);
            }

            @Override
            public int[][] next(int[][] last, Seed seed) {
                return posterior.sample(last.length, seed);
            }

            @Override
            public String toString() {
                return "all codes";
            }
        };
    }

    /**
     * Chains that sweep once a batch, and where the factors are known are offered a jump along them.
     *
     * @param target what they follow
     * @param support of the target
     * @param start where they start, burnt in before the first batch
     * @param burnIn sweeps before the first batch
     * @return the chains
     */
    static Examples chains(TargetModel target, Support support, CodeDistribution start, int burnIn) {
        return new Examples() {
            @Override
            public int[][] first(int count, Seed seed) {
                return moved(start.sample(count, seed), burnIn, seed.fold("burn-in"));
            }

            @Override
            public int[][] next(int[][] last, Seed seed) {
                return moved(last, 1, seed);
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

            @Override
            public String toString() {
                return "Gibbs chains";
            }
        };
    }
}
