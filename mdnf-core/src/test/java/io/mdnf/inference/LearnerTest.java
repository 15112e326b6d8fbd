package io.mdnf.inference;

import static org.assertj.core.api.Assertions.assertThat;

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
        Examples both = new Examples() {
            @Override
            public int[][] first(int count, Seed seed) {
                int[][] codes = new int[count][];
                for (int i = 0; i < count; i++) {
                    codes[i] = new int[] {i % 2, i % 2, i / 2 % 2, i / 2 % 2};
                }
                return codes;
            }

            @Override
            public int[][] next(int[][] last, Seed seed) {
                return last;
            }
        };
        try (GradientTraining<FlowMixture> learner = new GradientTraining<>(
                new Learner(copies, support, 20, b -> Made.with(space, b).hidden(), both, 30))) {
            TrainingState state = learner.finish(learner.init(Seed.of(1)));
            assertThat(learner.info(state).elbo()).as("before the repair").isEqualTo(Double.NEGATIVE_INFINITY);
            try (FlowMixture q = learner.result(state)) {
                double[] table = q.table();
                for (int i = 0; i < table.length; i++) {
                    boolean possible = i == 0 || i == 3 || i == 12 || i == 15;
                    assertThat(table[i]).as("code %d", i).isBetween(possible ? 0.15 : 0, possible ? 0.35 : 0);
                }
            }
        }
    }
}
