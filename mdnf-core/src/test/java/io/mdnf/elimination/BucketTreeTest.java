package io.mdnf.elimination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
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
            double[][] marginals = tree.marginals();
            double[] p = LogSpace.normalise(logJoint);
            for (int d = 0; d < marginals.length; d++) {
                double[] marginal = new double[drawn.space().cardinality(d)];
                for (int i = 0; i < p.length; i++) {
                    marginal[drawn.space().code(i)[d]] += p[i];
                }
                assertThat(marginals[d]).containsExactly(marginal, within(1e-10));
            }
        }
    }

    /** A ring of 17 variables and a table of 15: 2^17 codes, several blocks and both parts. */
    @Test
    void tablesOfManyBlocksGiveTheSame() {
        Random random = new Random(7);
        CodeSpace space = CodeSpace.uniform(17, 2);
        List<Factor> factors = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            factors.add(new Factor(new int[] {(i + 1) % 17, i}, random.doubles(4, -2, 2).toArray()));
        }
        int[] most = {7, 3, 12, 0, 1, 2, 16, 15, 8, 9, 4, 5, 6, 10, 11};
        factors.add(new Factor(most,
                random.doubles(1 << 15).map(u -> u < 0.3 ? Double.NEGATIVE_INFINITY : u).toArray()));
        RandomFactors drawn = new RandomFactors(space, factors);
        double[] logJoint = new FactorTarget(space, factors).logJoint(space.all(1 << 17));
        BucketTree tree = tree(drawn, EliminationPlan.of(space, drawn.scopes(), drawn.anyOrder(random)), true);
        assertThat(tree.value()).isCloseTo(LogSpace.sumExp(logJoint), within(1e-10));
        double[][] marginals = tree.marginals();
        double[] p = LogSpace.normalise(logJoint);
        for (int d = 0; d < 17; d++) {
            int variable = d;
            assertThat(marginals[d][1]).isCloseTo(IntStream.range(0, p.length)
                    .filter(i -> (i >> 16 - variable & 1) == 1).mapToDouble(i -> p[i]).sum(), within(1e-10));
        }
    }

    private static BucketTree tree(RandomFactors drawn, EliminationPlan plan, boolean sum) {
        return BucketTree.eliminate(drawn.space(), drawn.factors(), plan, Long.MAX_VALUE, "a test",
                !sum);
    }

    /** What is eliminated leaves its neighbours linked: the cost by a graph that is taken apart link by link. */
    @Test
    void thePlanCostsWhatTheGraphSays() {
        Random random = new Random(4);
        for (int trial = 0; trial < 100; trial++) {
            RandomFactors drawn = RandomFactors.draw(random, 9, 0);
            int[] order = trial % 2 == 0 ? drawn.anyOrder(random)
                    : new MinFill(drawn.space(), drawn.scopes()).order();
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
