package io.mdnf.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.network.Bipartite;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Made;
import io.mdnf.network.Narrowed;
import io.mdnf.network.Recurrent;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What single flows promise beyond the contract of all, which is in mdnf-test. */
class FlowTest {

    private static final int B = 2;
    /** Runs a map of codes [B, n, D, K] with parameters of seed 1 and returns its result. */
    private static double[] run(Flow flow, Precision precision, double[] codes,
            BiFunction<Setting, Tensor, Tensor> map) {
        int length = flow.space().oneHotLength();
        Graph graph = new Graph(precision);
        Setting setting = Setting.in(graph);
        Tensor x = graph.placeholder("x", B, codes.length / length / B, flow.space().variables(), flow.space().width());
        Tensor y = map.apply(setting, x).plus(0);
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, y)) {
            plan.load(graph.layout().initial(Seed.of(1)));
            plan.write(setting.inverseTemperature(), 1);
            plan.write(x, codes);
            plan.run();
            return plan.read(y);
        }
    }

    @Test
    @Tag("slow")
    void depthFiftyOnSeventeenVariablesOfTwentyThreeCategoriesStaysExact() {
        CodeSpace codes = CodeSpace.uniform(17, 23);
        List<VariableWiseFlow> layers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            layers.add(i % 2 == 0
                    ? new ShiftFlow(new DirectLogits(codes, B))
                    : new LocationScaleFlow(new DirectLogits(codes, B), new DirectLogits(codes, B)));
        }
        Flow flow = new VariableWiseStack(layers);
        int[][] spots = new int[2 * B][];
        for (int i = 0; i < spots.length; i++) {
            spots[i] = new Draws(Seed.of(i)).uniform("code", 17, 23);
        }
        double[] u = codes.oneHot(spots);
        double[] x = run(flow, Precision.FLOAT, u, flow::forward);
        assertThat(x).isNotEqualTo(u);
        assertThat(codes.oneHot(codes.indices(x))).containsExactly(x);
        assertThat(run(flow, Precision.FLOAT, x, flow::inverse)).containsExactly(u);
    }

    @Test
    void sortingNetworksSortEveryPermutation() {
        for (int k = 2; k <= 7; k++) {
            for (List<int[]> pairs : List.of(SortingNetwork.bubblePairs(k), SortingNetwork.bitonicPairs(k))) {
                // by the 0-1 principle a network that sorts all 0-1 sequences sorts everything
                for (int bits = 0; bits < 1 << k; bits++) {
                    int[] a = new int[k];
                    for (int i = 0; i < k; i++) {
                        a[i] = bits >> i & 1;
                    }
                    for (int[] pair : pairs) {
                        if (a[pair[0]] > a[pair[1]]) {
                            int t = a[pair[0]];
                            a[pair[0]] = a[pair[1]];
                            a[pair[1]] = t;
                        }
                    }
                    assertThat(a).isSorted();
                }
            }
        }
        assertThat(SortingNetwork.bubblePairs(7)).hasSize(21);
        assertThat(SortingNetwork.bitonicPairs(8)).hasSize(24);
    }

    @Test
    void badArgumentsAreNamed() {
        CodeSpace codes = CodeSpace.of(2, 3, 2);
        DirectLogits direct = new DirectLogits(codes, 2);
        assertThatThrownBy(() -> new PartialFlow(codes, new DirectLogits(CodeSpace.uniform(3, 2), 2), 0, 2))
                .hasMessageContaining("[0, 2]").hasMessageContaining("0 .. 1");
        assertThatThrownBy(() -> new PartialFlow(codes, new DirectLogits(CodeSpace.uniform(3, 3), 2), 0, 1))
                .hasMessageContaining("the subset needs");
        assertThatThrownBy(() -> new PartialFlow(codes, Made.with(CodeSpace.uniform(3, 2), 2).build(), 0, 1))
                .hasMessageContaining("other categories than the subset");
        assertThatThrownBy(() -> new PartialFlow(codes, direct, 0, 1, 2)).hasMessageContaining("categories = 3");
        ShiftNetwork narrowed = new Narrowed(Made.with(codes, 2).build(), 2);
        assertThatThrownBy(() -> new PartialFlow(CodeSpace.uniform(3, 3), new ShiftFlow(narrowed), 0, 1))
                .hasMessageContaining("narrow it");
        Graph graph = new Graph(Precision.DOUBLE);
        assertThatThrownBy(() -> new ShiftFlow(narrowed).inverse(Setting.in(graph), graph.ones(2, 1, 3, 2)))
                .hasMessageContaining("for a partial flow");
        assertThatThrownBy(() -> new LocationScaleFlow(direct, new DirectLogits(codes, 3)))
                .hasMessageContaining("components");
        assertThatThrownBy(() -> new LocationScaleFlow(direct, Made.with(codes, 2).build()))
                .hasMessageContaining("AUTOREGRESSIVE");
        assertThatThrownBy(() -> new VariablePermutation(codes, 2, 1, 0, 2)).hasMessageContaining("different numbers");
        assertThatThrownBy(() -> new VariablePermutation(codes, 2, 0, 0, 2)).hasMessageContaining("not a permutation");
        assertThatThrownBy(() -> new FlowStack(List.of())).hasMessageContaining("at least one");
        assertThatThrownBy(() -> new FlowStack(List.of(new ShiftFlow(direct),
                new ShiftFlow(new DirectLogits(codes, 3)))))
                .hasMessageContaining("B = 3");
        assertThatThrownBy(() -> Made.with(codes, 2).order(0, 1)).hasMessageContaining("not a permutation");
        assertThatThrownBy(() -> Made.with(codes, 2).hidden(0)).hasMessageContaining("[0]");
        assertThatThrownBy(() -> new Bipartite(codes, 2, new int[] {0, 1, 2})).hasMessageContaining("must move");
        assertThatThrownBy(() -> new Bipartite(codes, 2, new int[] {3})).hasMessageContaining("[3]");
        assertThatThrownBy(() -> new Recurrent(codes, 2, Recurrent.Cell.GRU, 0)).hasMessageContaining("state = 0");
        assertThatThrownBy(() -> SortingNetwork.bubble(codes, 1, Initialiser.constant(0)))
                .hasMessageContaining("equal variables");
    }
}
