package io.mdnf.fit;

import io.mdnf.distribution.Conditionals;
import io.mdnf.distribution.Expanded;
import io.mdnf.elimination.BucketTree;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.Reduction;
import io.mdnf.evaluation.LogEvidence;
import io.mdnf.space.Check;
import io.mdnf.target.TargetModel;
import java.util.Arrays;
import java.util.Optional;

/** The posterior of a target with factors by bucket elimination, where its tables are small enough. */
final class ExactFit {

    private ExactFit() {}

    static boolean isFeasible(TargetModel target, long memory) {
        return !target.factors().isEmpty() && target.reduction().plan().bytes() <= memory;
    }

    static Fitter.Found of(TargetModel target, long memory) {
        long start = System.nanoTime();
        Check.that(!target.factors().isEmpty(), target.space(), " has too many codes to list, and ", target,
                " no factors; fit a family instead");
        return of(target, target.reduction(), memory, start);
    }

    /** The same of what a reduction leaves of the target, begun at some nanoseconds. */
    static Fitter.Found of(TargetModel target, Reduction reduction, long memory, long start) {
        EliminationPlan plan = reduction.plan();
        Check.that(plan.bytes() <= memory, "exact inference on ", target, " (", plan, ") needs ",
                EliminationPlan.size(plan.bytes()), ", may take ", EliminationPlan.size(memory),
                "; fit a family instead");
        BucketTree tree = reduction.eliminate(memory, "exact inference", false);
        Check.that(tree.value() > Double.NEGATIVE_INFINITY, "every code of ", target, " has probability 0");
        double[][] marginals = reduction.codes().spread(tree.marginals(), 1);
        Answer answer = new Answer(LogEvidence.exact(tree.value()), marginals,
                Arrays.stream(marginals).map(row -> new double[row.length]).toArray(double[][]::new),
                Expanded.of(Conditionals.of(tree), reduction.codes()), Optional.empty(), "exact elimination, " + plan,
                (System.nanoTime() - start) / 1e9);
        return new Fitter.Found(Family.EXACT, answer, answer.logEvidence().estimate(), "");
    }
}
