package io.mdnf.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.graph.ParameterLayout;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.network.Made;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import org.junit.jupiter.api.Test;

class SharedFlowsTest {

    private static final CodeSpace CODES = CodeSpace.of(2, 3, 4);

    /** q of every code for networks whose logits are constants, [D, K] flat. */
    private static double[] table(int components, double[] logits, double... reach) {
        return table(components, logits, new double[0][], reach);
    }

    private static double[] table(int components, double[] logits, double[][] examples, double... reach) {
        SharedFlows flows = SharedFlows.of(Made.with(CODES, components).hidden().sharedWeights().build());
        ParameterLayout one = new ParameterLayout(Made.with(CODES, 1).hidden().build().parameters());
        double[] trained = one.with("bias", logits, new double[one.size()]);
        try (FlowMixture q = new FlowMixture(flows.mixture(), flows.parameters(one, trained, reach, examples))) {
            return q.table();
        }
    }

    private static double[] softmaxes(double[] logits) {
        double[] table = new double[24];
        for (int i = 0; i < table.length; i++) {
            table[i] = 1;
            for (int d = 0; d < 3; d++) {
                double sum = 0;
                for (int k = 0; k < CODES.cardinality(d); k++) {
                    sum += Math.exp(logits[d * 4 + k]);
                }
                table[i] *= Math.exp(logits[d * 4 + CODES.code(i)[d]]) / sum;
            }
        }
        return table;
    }

    private static double meanKl(int components, boolean adjusted) {
        double sum = 0;
        for (int seed = 1; seed <= 20; seed++) {
            double[] logits = new Draws(Seed.of(seed)).normal("logits", 12);
            double[] other = new Draws(Seed.of(seed)).normal("other", 12);
            double[] q = table(components, logits,
                    adjusted ? new double[][] {logits, other} : new double[0][], 50, 50, 50);
            double[] p = softmaxes(logits);
            for (int i = 0; i < q.length; i++) {
                sum += q[i] > 0 ? q[i] * Math.log(q[i] / p[i]) / 20 : 0;
            }
        }
        return sum;
    }

    @Test
    void flowsThatShareANetworkHaveNearlyItsSoftmaxAndTheMoreTheCloser() {
        // equal atoms drawn at random would have about (1 + 2 + 3) / (2 B), 0.06 for B = 48 and 0.002 for B = 1500
        assertThat(meanKl(48, false)).isBetween(0.0, 0.03);
        assertThat(meanKl(300, false)).isBetween(0.0, 0.005);
        assertThat(meanKl(1500, false)).isBetween(0.0, 0.001);
    }

    @Test
    void fewFlowsAreAdjustedToWhatTheyMeet() {
        assertThat(meanKl(20, true)).isBetween(0.0, meanKl(20, false) / 5);
    }

    @Test
    void whatIsOutOfReachHasProbabilityZero() {
        double[] logits = {0, -4, 0, 0, 0, -1, -9, 0, -7, 0, -7, -7};
        double[] q = table(48, logits, 5, 5, 5);
        double[] second = new double[4];
        double total = 0;
        for (int i = 0; i < q.length; i++) {
            int[] code = CODES.code(i);
            second[code[1]] += q[i];
            total += q[i];
            assertThat(q[i] == 0).isEqualTo(code[1] == 2 || code[2] != 1);
        }
        assertThat(total).isCloseTo(1, within(1e-12));
        // softmax(0, -1) of the second variable's remaining categories
        assertThat(second[1]).isCloseTo(1 / (1 + Math.E), within(0.06));
    }

    @Test
    void withoutReachOnlyTheBestCategoryIsLeft() {
        double[] logits = {0, 1, 0, 0, 2, 0, 1, 0, 0, 0, 3, 1};
        for (int components : new int[] {1, 2, 48}) {
            double[] q = table(components, logits, 0, 0, 0);
            // (1, 0, 2) is 1 * 12 + 0 * 4 + 2
            assertThat(q[14]).isCloseTo(1, within(1e-12));
        }
    }
}
