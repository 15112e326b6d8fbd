package io.mdnf.search;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.Conditionals;
import io.mdnf.distribution.Expanded;
import io.mdnf.elimination.MiniBucketPlan;
import io.mdnf.elimination.MiniBuckets;
import io.mdnf.elimination.Reduction;
import io.mdnf.random.Seed;
import io.mdnf.space.Factor;
import io.mdnf.target.TargetModel;

/**
 * Codes along the factors of a target: drawn from what elimination with small tables leaves. They give a search its
 * start among zeros: of a network whose tables are mostly deterministic hardly one random code in 10^9 is possible, and
 * no chain finds it. Where tables had to be split, some draws may be impossible.
 *
 * <p>Example: {@code Support.of(target).draw(8, Seed.of(1))}.
 */
public final class Support {

    /** That a table may have: a few milliseconds. */
    private static final double ENTRIES = 1 << 14;

    private final TargetModel target;
    /** Made when first asked for: most fits never do. */
    private CodeDistribution along;

    private Support(TargetModel target) {
        this.target = target;
    }

    /** The support of a target. */
    public static Support of(TargetModel target) {
        return new Support(target);
    }

    /** Returns whether the target has factors to follow. */
    public boolean isKnown() {
        return !target.factors().isEmpty();
    }

    /** Draws codes [count][D] along the factors. */
    public synchronized int[][] draw(int count, Seed seed) {
        if (along == null) {
            Reduction reduced = target.reduction();
            along = Expanded.of(Conditionals.of(new MiniBuckets(reduced.space(), reduced.factors(),
                    MiniBucketPlan.of(reduced.space(), reduced.factors().stream().map(Factor::variables).toList(),
                            reduced.plan().order(), ENTRIES))), reduced.codes());
        }
        return along.sample(count, seed);
    }

    @Override
    public String toString() {
        return "Support of " + target;
    }
}
