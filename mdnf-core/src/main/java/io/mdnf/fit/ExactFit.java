package io.mdnf.fit;

import io.mdnf.distribution.Conditionals;
import io.mdnf.elimination.BucketTree;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.LogTable;
import io.mdnf.elimination.MiniBucketPlan;
import io.mdnf.elimination.MiniBuckets;
import io.mdnf.evaluation.LogEvidence;
import io.mdnf.space.Check;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The posterior of a target with factors by bucket elimination, where its tables are small enough. */
final class ExactFit {

    private ExactFit() {}

    /** Messages for conditionals, and what elimination takes at its worst moment for marginals. */
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
        long start = System.nanoTime();
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
        double[][] marginals = marginals(target, plan, memory);
        Answer answer = new Answer(LogEvidence.exact(messages.upper()), marginals,
                Arrays.stream(marginals).map(row -> new double[row.length]).toArray(double[][]::new),
                Conditionals.of(messages), Optional.empty(), "exact elimination, " + plan,
                (System.nanoTime() - start) / 1e9);
        return new Fitter.Found(Family.EXACT, answer.distribution(), answer.logEvidence().estimate(),
                target.space().variables(), answer.method(), "", 0, Optional.of(answer));
    }

    private static double[][] marginals(TargetModel target, EliminationPlan plan, long memory) {
        BucketTree tree = BucketTree.eliminate(target.space(), target.factors(), plan, memory, "exact inference",
                LogTable::sumOnto);
        LogTable[] beliefs = tree.calibrate();
        double[][] marginals = new double[beliefs.length][];
        for (int b = 0; b < beliefs.length; b++) {
            int variable = tree.variable(b);
            marginals[variable] = LogSpace.normalise(beliefs[b].sumOnto(new int[] {variable}).values());
        }
        return marginals;
    }
}
