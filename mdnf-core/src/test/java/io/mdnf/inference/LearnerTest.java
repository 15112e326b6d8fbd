package io.mdnf.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.network.Made;
import io.mdnf.random.Seed;
import io.mdnf.search.Examples;
import io.mdnf.search.Support;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.FunctionTarget;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
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
                new Learner(copies, support, 20, b -> Made.with(space, b).hidden(), all, 30))) {
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
}
