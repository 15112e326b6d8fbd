package io.mdnf.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.GradientCheck;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The promises every flow keeps, for every flow on every network. */
class FlowContractTest {

    private static final int B = 2;
    private static final List<CodeSpace> SPACES = List.of(CodeSpace.of(2, 3, 2), CodeSpace.uniform(3, 4));

    private static Stream<DynamicTest> forEveryFlow(java.util.function.Consumer<Flow> promise) {
        return SPACES.stream().flatMap(codes -> Flows.all(codes, B).entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(e.getKey() + " on " + codes, () -> promise.accept(e.getValue()))));
    }

    /** Runs a map of codes [B, n, D, K] with parameters of seed 1 and returns its result. */
    private static double[] run(Flow flow, Precision precision, double[] codes,
            BiFunction<Setting, Tensor, Tensor> map) {
        int length = flow.space().oneHotLength();
        Graph graph = new Graph(precision);
        Setting setting = Flows.setting(graph, flow);
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

    private static double[] allCodes(CodeSpace codes) {
        int[][] all = codes.all(1000);
        int[][] twice = Stream.concat(Stream.of(all), Stream.of(all)).toArray(int[][]::new);
        return codes.oneHot(twice);
    }

    @TestFactory
    Stream<DynamicTest> inverseUndoesForwardExactlyOnAllCodes() {
        return forEveryFlow(flow -> {
            double[] all = allCodes(flow.space());
            assertThat(run(flow, Precision.FLOAT, all, (s, u) -> flow.inverse(s, flow.forward(s, u)))).containsExactly(all);
            assertThat(run(flow, Precision.FLOAT, all, (s, x) -> flow.forward(s, flow.inverse(s, x)))).containsExactly(all);
        });
    }

    @TestFactory
    Stream<DynamicTest> forwardIsABijectionOfValidCodes() {
        return forEveryFlow(flow -> {
            double[] all = allCodes(flow.space());
            double[] images = run(flow, Precision.DOUBLE, all, flow::forward);
            int[][] indices = flow.space().indices(images);
            assertThat(flow.space().oneHot(indices)).containsExactly(images);
            for (int b = 0; b < B; b++) {
                Set<Long> seen = new HashSet<>();
                for (int i = 0; i < indices.length / B; i++) {
                    seen.add(flow.space().rank(indices[b * indices.length / B + i]));
                }
                assertThat(seen).hasSize(indices.length / B);
            }
        });
    }

    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> gradientsOfTheSurrogateEqualCentralDifferences() {
        return forEveryFlow(flow -> {
            double[] codes = flow.space().oneHot(IntStream.range(0, 2 * B).mapToObj(i ->
                    flow.space().code(i * 5L % (long) flow.space().size())).toArray(int[][]::new));
            GradientCheck.check(graph -> {
                Setting setting = Flows.setting(graph, flow).with(Flows.SOFT);
                Tensor u = graph.constant(codes, B, 2, flow.space().variables(), flow.space().width());
                Tensor there = flow.forward(setting, u);
                Tensor back = flow.inverse(setting, u);
                double[] w = new Draws(Seed.of(9)).normal("weights", 2 * there.size());
                return Tensor.concat(0, there, back).reshape(1, w.length)
                        .matmul(graph.constant(w, w.length, 1)).sum();
            }, plan -> { }, 1e-6);
        });
    }

    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> everyParameterReceivesAGradient() {
        return forEveryFlow(flow -> {
            Graph graph = new Graph(Precision.DOUBLE);
            double[] all = allCodes(flow.space());
            Setting setting = Flows.setting(graph, flow);
            Tensor u = graph.constant(all, B, all.length / B / flow.space().oneHotLength(), flow.space().variables(),
                    flow.space().width());
            Tensor x = flow.forward(setting, u);
            double[] w = new Draws(Seed.of(8)).normal("weights", x.size());
            Tensor loss = x.reshape(1, w.length).matmul(graph.constant(w, w.length, 1)).sum();
            try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss)) {
                plan.load(graph.layout().initial(Seed.of(1)));
                plan.write(setting.inverseTemperature(), 0.3);
                plan.run();
                assertThat(graph.layout().parameters()).map(p -> p.name()).filteredOn(name -> !name.equals(Flows.GIVEN))
                        .containsExactlyInAnyOrderElementsOf(flow.parameters().stream().map(p -> p.name()).toList());
                for (var p : graph.layout().parameters()) {
                    assertThat(java.util.stream.DoubleStream.of(plan.layout().read(p.name(), plan.gradients()))
                            .filter(g -> g != 0).count()).as(p.toString()).isPositive();
                }
            }
        });
    }

    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> operationCountDoesNotDependOnComponents() {
        return Flows.all(SPACES.get(1), 1).keySet().stream().map(name -> DynamicTest.dynamicTest(name, () -> {
            long distinct = IntStream.of(1, 10, 100).map(b -> {
                Graph graph = new Graph(Precision.FLOAT);
                Flow flow = Flows.all(SPACES.get(1), b).get(name);
                flow.inverse(Flows.setting(graph, flow), graph.placeholder("x", b, 2, 3, 4));
                return graph.operationCount();
            }).distinct().count();
            assertThat(distinct).isEqualTo(1);
        }));
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
    @Tag("slow")
    void variableWiseFlowsMapZeroToZeroAndSoftVectorsLinearly() {
        CodeSpace codes = SPACES.get(0);
        for (Map.Entry<String, VariableWiseFlow> e : Flows.variableWise(codes, B).entrySet()) {
            VariableWiseFlow flow = e.getValue();
            int length = codes.oneHotLength();
            double[] code = codes.oneHot(new int[][] {{1, 2, 0}, {1, 2, 0}});
            double[] other = codes.oneHot(new int[][] {{0, 1, 1}, {0, 1, 1}});
            double[] blend = new double[2 * length];
            for (int i = 0; i < blend.length; i++) {
                blend[i] = 0.25 * code[i] + 0.75 * other[i];
            }
            // the network looks at a fixed code; only what is carried varies
            BiFunction<Setting, Tensor, Tensor> carry = (s, u) ->
                    flow.carry(s, u, s.graph().constant(code, B, 1, codes.variables(), codes.width()));
            assertThat(run(flow, Precision.DOUBLE, new double[2 * length], carry)).as(e.getKey()).containsOnly(0);
            double[] there = run(flow, Precision.DOUBLE, code, carry);
            double[] here = run(flow, Precision.DOUBLE, other, carry);
            double[] blended = run(flow, Precision.DOUBLE, blend, carry);
            for (int i = 0; i < blend.length; i++) {
                assertThat(blended[i]).as(e.getKey()).isEqualTo(0.25 * there[i] + 0.75 * here[i]);
            }
        }
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
        assertThatThrownBy(() -> new LocationScaleFlow(direct, new DirectLogits(codes, 3))).hasMessageContaining("components");
        assertThatThrownBy(() -> new LocationScaleFlow(direct, Made.with(codes, 2).build())).hasMessageContaining("AUTOREGRESSIVE");
        assertThatThrownBy(() -> new VariablePermutation(codes, 2, 1, 0, 2)).hasMessageContaining("different numbers");
        assertThatThrownBy(() -> new VariablePermutation(codes, 2, 0, 0, 2)).hasMessageContaining("not a permutation");
        assertThatThrownBy(() -> new FlowStack(List.of())).hasMessageContaining("at least one");
        assertThatThrownBy(() -> new FlowStack(List.of(new ShiftFlow(direct), new ShiftFlow(new DirectLogits(codes, 3)))))
                .hasMessageContaining("B = 3");
        assertThatThrownBy(() -> Made.with(codes, 2).order(0, 1)).hasMessageContaining("not a permutation");
        assertThatThrownBy(() -> Made.with(codes, 2).hidden(0)).hasMessageContaining("[0]");
        assertThatThrownBy(() -> new Bipartite(codes, 2, new int[] {0, 1, 2})).hasMessageContaining("must move");
        assertThatThrownBy(() -> new Bipartite(codes, 2, new int[] {3})).hasMessageContaining("[3]");
        assertThatThrownBy(() -> new Recurrent(codes, 2, Recurrent.Cell.GRU, 0)).hasMessageContaining("state = 0");
        assertThatThrownBy(() -> SortingNetwork.bubble(codes, 1, Initialiser.constant(0))).hasMessageContaining("equal variables");
    }
}
