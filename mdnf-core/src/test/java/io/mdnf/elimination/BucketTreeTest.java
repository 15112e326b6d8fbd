package io.mdnf.elimination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BucketTreeTest {

    @Test
    void sumsMaximaAndMarginalsAreThoseOfAllCodesInAnyOrder() {
        Random random = new Random(3);
        for (int trial = 0; trial < 300; trial++) {
            RandomFactors drawn = RandomFactors.draw(random, 7, 0.2 * (trial % 3));
            double[] logJoint = drawn.logJoint();
            EliminationPlan plan = EliminationPlan.of(drawn.space(), drawn.scopes(), drawn.anyOrder(random));
            BucketTree tree = tree(drawn, plan, true);
            assertThat(tree.value()).isCloseTo(drawn.logSum(), within(1e-10));
            assertThat(tree(drawn, plan, false).value())
                    .isCloseTo(Arrays.stream(logJoint).max().orElseThrow(), within(1e-10));
            LogTable[] beliefs = tree.calibrate();
            double[] p = LogSpace.normalise(logJoint);
            for (int b = 0; b < beliefs.length; b++) {
                int variable = tree.variable(b);
                double[] marginal = new double[drawn.space().cardinality(variable)];
                for (int i = 0; i < p.length; i++) {
                    marginal[drawn.space().code(i)[variable]] += p[i];
                }
                assertThat(LogSpace.normalise(beliefs[b].sumOnto(new int[] {variable}).values()))
                        .containsExactly(marginal, within(1e-10));
            }
        }
    }

    private static BucketTree tree(RandomFactors drawn, EliminationPlan plan, boolean sum) {
        return BucketTree.eliminate(drawn.space(), drawn.factors(), plan, Long.MAX_VALUE, "a test",
                sum ? LogTable::sumOnto : LogTable::maximumOnto);
    }

    /** What is eliminated leaves its neighbours linked: the cost by a graph that is taken apart link by link. */
    @Test
    void thePlanCostsWhatTheGraphSays() {
        Random random = new Random(4);
        for (int trial = 0; trial < 100; trial++) {
            RandomFactors drawn = RandomFactors.draw(random, 9, 0);
            int[] order = trial % 2 == 0 ? drawn.anyOrder(random)
                    : EliminationOrder.MIN_FILL.of(drawn.space(), drawn.scopes());
            int n = order.length;
            boolean[][] linked = new boolean[n][n];
            drawn.scopes().forEach(scope -> Arrays.stream(scope).forEach(
                    a -> Arrays.stream(scope).forEach(b -> linked[a][b] = true)));
            double total = 0;
            for (int v : order) {
                linked[v][v] = true;
                double size = 1;
                for (int a = 0; a < n; a++) {
                    size *= linked[v][a] ? drawn.space().cardinality(a) : 1;
                    for (int b = 0; b < n; b++) {
                        linked[a][b] |= linked[v][a] && linked[v][b];
                    }
                }
                for (int a = 0; a < n; a++) {
                    linked[a][v] = false;
                    linked[v][a] = false;
                }
                total += size;
            }
            assertThat(EliminationPlan.of(drawn.space(), drawn.scopes(), order).totalEntries()).isEqualTo(total);
        }
    }
}
