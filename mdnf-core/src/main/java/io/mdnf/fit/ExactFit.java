package io.mdnf.fit;

import io.mdnf.distribution.Conditionals;
import io.mdnf.elimination.BucketTree;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.evaluation.LogEvidence;
import io.mdnf.space.Check;
import io.mdnf.target.TargetModel;
import java.util.Arrays;
import java.util.Optional;

/** The posterior of a target with factors by bucket elimination, where its tables are small enough. */
final class ExactFit {

    private ExactFit() {}

    static boolean isFeasible(TargetModel target, long memory) {
        return !target.factors().isEmpty() && target.elimination().bytes() <= memory;
    }

    static Fitter.Found of(TargetModel target, long memory) {
        long start = System.nanoTime();
        Check.that(!target.factors().isEmpty(), target.space(), " has too many codes to list, and ", target,
                " no factors; fit a family instead");
        return of(target, target.elimination(), memory, start);
    }

    /** The same in the order of a plan, begun at some nanoseconds. */
    static Fitter.Found of(TargetModel target, EliminationPlan plan, long memory, long start) {
        Check.that(plan.bytes() <= memory, "exact inference on ", target, " (", plan, ") needs ",
                EliminationPlan.size(plan.bytes()), ", may take ", EliminationPlan.size(memory),
                "; fit a family instead");
        BucketTree tree = BucketTree.eliminate(target.space(), target.factors(), plan, memory,
                "exact inference", false);
        Check.that(tree.value() > Double.NEGATIVE_INFINITY, "every code of ", target, " has probability 0");
        double[][] marginals = tree.marginals();
        Answer answer = new Answer(LogEvidence.exact(tree.value()), marginals,
                Arrays.stream(marginals).map(row -> new double[row.length]).toArray(double[][]::new),
                Conditionals.of(tree), Optional.empty(), "exact elimination, " + plan,
                (System.nanoTime() - start) / 1e9);
        return new Fitter.Found(Family.EXACT, answer, answer.logEvidence().estimate(), "");
    }
}
