package io.mdnf.mixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.base.Deltas;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.network.DirectLogits;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LargestRemainderTest {

    @Test
    void atomsApproximateAnyCategoricalWithinOneOverB() {
        CodeSpace space = CodeSpace.of(3, 2, 2);
        for (int components : new int[] {1, 2, 5, 17, 100}) {
            for (int seed = 0; seed < 20; seed++) {
                double[] p = new Draws(Seed.of(seed)).dirichlet("p", 12, 0.3);
                int[] counts = LargestRemainder.counts(p, components);
                int[][] atoms = LargestRemainder.repeat(space.all(12), counts);
                Mixture mixture = new Mixture(Structure.JOINT,
                        new ShiftFlow(new DirectLogits(space, components, LargestRemainder.logits(space, atoms, 1))),
                        Deltas.zero(space, components), Weighting.EQUAL);
                try (FlowMixture q = new FlowMixture(mixture, mixture.layout().initial(Seed.of(0)))) {
                    double[] table = q.table();
                    for (int i = 0; i < 12; i++) {
                        assertThat(Math.abs(table[i] - p[i])).isLessThan(1.0 / components);
                    }
                }
            }
        }
    }

    @Test
    void columnsReproduceAProductOfMultiplesExactly() {
        CodeSpace space = CodeSpace.of(2, 3);
        double[][] q = {{0.3, 0.7}, {0.1, 0.2, 0.7}};
        int[][] atoms = LargestRemainder.columns(q, 10);
        Mixture mixture = new Mixture(Structure.PER_VARIABLE,
                new ShiftFlow(new DirectLogits(space, 10, LargestRemainder.logits(space, atoms, 1))),
                Deltas.zero(space, 10), Weighting.EQUAL);
        try (FlowMixture posterior = new FlowMixture(mixture, mixture.layout().initial(Seed.of(0)))) {
            double[] table = posterior.table();
            for (int i = 0; i < 6; i++) {
                assertThat(table[i]).isCloseTo(q[0][i / 3] * q[1][i % 3], Offset.offset(1e-15));
            }
            double[][] marginals = posterior.marginals(1, Seed.of(0)).probabilities();
            assertThat(marginals[0][0]).isCloseTo(0.3, Offset.offset(1e-12));
            assertThat(posterior.mostProbable(1).get(0).code()).containsExactly(1, 2);
        }
    }

    @Test
    void countsSumToBEvenWhereRoundingIsTight() {
        assertThat(LargestRemainder.counts(new double[] {0.1, 0.2, 0.7}, 10)).containsExactly(1, 2, 7);
        assertThat(Arrays.stream(LargestRemainder.counts(new double[] {1 / 3.0, 1 / 3.0, 1 / 3.0}, 100)).sum()).isEqualTo(100);
        assertThatThrownBy(() -> LargestRemainder.counts(new double[] {0.5, 0.4}, 3)).hasMessageContaining("sum to 1");
    }
}
