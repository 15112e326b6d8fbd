package io.mdnf.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.network.Made;
import io.mdnf.random.Seed;
import io.mdnf.search.Effort;
import io.mdnf.search.Examples;
import io.mdnf.search.Support;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FunctionTarget;
import io.mdnf.training.Algorithm;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LearnerTest {

    /** A black box of two pairs of copies: after few steps the network still gives other codes much mass. */
    @Test
    void impossibleCodesAreRepairedByLeavingUnlikelyCategoriesOut() {
        CodeSpace space = CodeSpace.uniform(4, 2);
        FunctionTarget copies = new FunctionTarget(space,
                x -> x[1] == x[0] && x[3] == x[2] ? 0 : Double.NEGATIVE_INFINITY);
        Support support = Support.of(copies);
        int[][] possible = {{0, 0, 0, 0}, {0, 0, 1, 1}, {1, 1, 0, 0}, {1, 1, 1, 1}};
        Atoms posterior = new Atoms(space, possible, new double[] {0.25, 0.25, 0.25, 0.25});
        Examples all = new Examples(copies, support, posterior, 0, 1);
        try (GradientTraining<FlowMixture> learner = new GradientTraining<>(
                new Learner(copies, support, 20, b -> Made.with(space, b).hidden(), all, 30,
                        Effort.standard().learning()))) {
            TrainingState state = learner.finish(learner.init(Seed.of(1)));
            assertThat(learner.info(state).elbo()).as("before the repair").isEqualTo(Double.NEGATIVE_INFINITY);
            try (FlowMixture q = learner.result(state)) {
                double[] table = q.table();
                for (int i = 0; i < table.length; i++) {
                    boolean right = i == 0 || i == 3 || i == 12 || i == 15;
                    assertThat(table[i]).as("code %d", i).isBetween(right ? 0.15 : 0, right ? 0.35 : 0);
                }
            }
        }
    }

    /** A plot of what is reported shall move: the bound at the last evaluation, not the best so far again and again. */
    @Test
    void whatIsReportedIsTheBoundAtTheLastEvaluation() {
        CodeSpace space = CodeSpace.uniform(3, 3);
        FunctionTarget target = new FunctionTarget(space, x -> 0.5 * x[0] * x[1] - x[2]);
        Support support = Support.of(target);
        double[] weights = LogSpace.weights(target.logJoint(space.all(27)));
        Examples all = new Examples(target, support, new Atoms(space, space.all(27), weights), 0, 1);
        try (GradientTraining<FlowMixture> learner = new GradientTraining<>(
                new Learner(target, support, 20, b -> Made.with(space, b).hidden(8), all, 600,
                        Effort.standard().learning()))) {
            List<Algorithm.Info> infos = new ArrayList<>();
            TrainingState state = learner.init(Seed.of(1));
            while (!learner.isFinished(state)) {
                state = learner.advance(state, 20);
                infos.add(learner.info(state));
            }
            // evaluated 10 times, and a bound does not only rise
            assertThat(infos.stream().filter(info -> info.elbo() > Double.NEGATIVE_INFINITY).map(Algorithm.Info::elbo)
                    .distinct().count()).isBetween(8L, 10L);
            assertThat(infos).anyMatch(info -> info.elbo() < info.bestElbo());
            assertThat(infos).allMatch(info -> info.elbo() <= info.bestElbo());
        }
    }
}
