package io.mdnf.fit;

import io.mdnf.distribution.Conditionals;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.MiniBucketPlan;
import io.mdnf.elimination.MiniBuckets;
import io.mdnf.space.Check;
import io.mdnf.space.Estimate;
import io.mdnf.space.Factor;
import io.mdnf.target.TargetModel;
import java.util.List;

/** The posterior of a target with factors by bucket elimination, where its tables are small enough. */
final class ExactFit {

    private ExactFit() {}

    /** What elimination takes at its worst moment, and the tables once more for marginals. */
    private static double bytes(EliminationPlan plan) {
        return plan.bytes() + Double.BYTES * plan.totalEntries();
    }

    private static EliminationPlan plan(TargetModel target) {
        return EliminationPlan.minFill(target.space(), target.factors());
    }

    static boolean isFeasible(TargetModel target, long memory) {
        return !target.factors().isEmpty() && bytes(plan(target)) <= memory;
    }

    static Fitter.Found of(TargetModel target, long memory) {
        Check.that(!target.factors().isEmpty(), target.space(), " has too many codes to list, and ", target,
                " no factors; fit a family instead");
        EliminationPlan plan = plan(target);
        Check.that(bytes(plan) <= memory, "exact inference on ", target, " (", plan, ") needs ",
                EliminationPlan.size(bytes(plan)), ", may take ", EliminationPlan.size(memory),
                "; fit a family instead");
        List<int[]> scopes = target.factors().stream().map(Factor::variables).toList();
        MiniBuckets messages = new MiniBuckets(target.space(), target.factors(),
                MiniBucketPlan.of(target.space(), scopes, plan.order(), Double.POSITIVE_INFINITY));
        Check.that(messages.upper() > Double.NEGATIVE_INFINITY, "no code of ", target, " is possible");
        return new Fitter.Found(Family.EXACT, Conditionals.of(messages), Estimate.exact(messages.upper()),
                target.space().variables(), "exact elimination, " + plan, "", 0);
    }
}
