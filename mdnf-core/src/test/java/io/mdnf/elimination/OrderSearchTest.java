package io.mdnf.elimination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OrderSearchTest {

    static List<int[]> grid(int side) {
        List<int[]> scopes = new ArrayList<>();
        for (int i = 0; i < side * side; i++) {
            if (i % side > 0) {
                scopes.add(new int[] {i - 1, i});
            }
            if (i >= side) {
                scopes.add(new int[] {i - side, i});
            }
        }
        return scopes;
    }

    /** Min-fill finds 29; no order has less than 20. */
    @Test
    @Tag("slow")
    void aGridOfTwentyByTwentyHasWidthTwenty() {
        CodeSpace space = CodeSpace.uniform(400, 2);
        int[] order = OrderSearch.order(space, grid(20), 100_000_000, Seed.of(1));
        assertThat(EliminationPlan.of(space, grid(20), order).width()).isEqualTo(20);
    }

    @Test
    void ordersAreWholeAndNeverCostMoreThanMinFill() {
        Random random = new Random(5);
        for (int trial = 0; trial < 200; trial++) {
            RandomFactors drawn = RandomFactors.draw(random, 9, 0);
            int[] order = OrderSearch.order(drawn.space(), drawn.scopes(), 1_000_000, Seed.of(trial));
            assertThat(Arrays.stream(order).sorted().toArray())
                    .isEqualTo(IntStream.range(0, drawn.space().variables()).toArray());
            int[] greedy = new MinFill(drawn.space(), drawn.scopes()).order();
            assertThat(cost(drawn, order)).isLessThanOrEqualTo(cost(drawn, greedy));
        }
    }

    /** 1,500 variables, each linked to about three others: no order makes that feasible. */
    @Test
    void ordersOfHopelessGraphsAreWholeToo() {
        CodeSpace space = CodeSpace.uniform(1500, 2);
        Random random = new Random(7);
        List<int[]> scopes = new ArrayList<>();
        for (int i = 0; i < 2250; i++) {
            scopes.add(random.ints(0, 1500).distinct().limit(2).toArray());
        }
        int[] greedy = new MinFill(space, scopes).order();
        assertThat(EliminationPlan.of(space, scopes, greedy).width()).isGreaterThan(128);
        for (int[] order : List.of(greedy, OrderSearch.order(space, scopes, 1_000_000, Seed.of(1)))) {
            assertThat(Arrays.stream(order).sorted().toArray()).isEqualTo(IntStream.range(0, 1500).toArray());
        }
    }

    /** Words of bits: 34 million by fill, 0.2 by size; orders to the end took 109 and 19 million. */
    @Test
    void greedyOrdersEndWhereTablesAreNeverHeld() {
        Random random = new Random(7);
        long[][] links = new long[1500][24];
        for (int i = 0; i < 2250; i++) {
            int[] pair = random.ints(0, 1500).distinct().limit(2).toArray();
            links[pair[0]][pair[1] >> 6] |= 1L << pair[1];
            links[pair[1]][pair[0] >> 6] |= 1L << pair[0];
        }
        for (LinkedVariables.Criterion criterion : LinkedVariables.Criterion.values()) {
            LinkedVariables linked = new LinkedVariables(links, new double[1500]);
            assertThat(linked.greedy(criterion, 0.1, Seed.of(1).generator())).isEmpty();
            assertThat(linked.work()).as("%s", criterion).isLessThan(switch (criterion) {
                case SIZE, SWEEP -> 1_000_000;
                case FILL, WEIGHTED_FILL -> 50_000_000;
            });
        }
    }

    private static double cost(RandomFactors drawn, int[] order) {
        return EliminationPlan.of(drawn.space(), drawn.scopes(), order).totalEntries();
    }

    @Test
    void rowsOfBitsCountWhatThePlanCounts() {
        Random random = new Random(6);
        for (int trial = 0; trial < 200; trial++) {
            RandomFactors drawn = RandomFactors.draw(random, 9, 0);
            int n = drawn.space().variables();
            long[][] links = new long[n][1];
            drawn.scopes().forEach(scope -> Arrays.stream(scope).forEach(a -> Arrays.stream(scope).filter(b -> b != a)
                    .forEach(b -> links[a][0] |= 1L << b)));
            LinkedVariables linked = new LinkedVariables(links,
                    Arrays.stream(drawn.space().cardinalities()).mapToDouble(Math::log).toArray());
            for (LinkedVariables.Criterion criterion : LinkedVariables.Criterion.values()) {
                int[] order = linked.greedy(criterion, 0.1, Seed.of(trial).generator()).orElseThrow();
                assertThat(linked.cost(order, Double.POSITIVE_INFINITY))
                        .isCloseTo(Math.log(cost(drawn, order)), within(1e-12));
            }
        }
    }
}
