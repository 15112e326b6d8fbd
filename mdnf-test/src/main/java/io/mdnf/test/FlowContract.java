package io.mdnf.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.flow.Flow;
import io.mdnf.flow.Setting;
import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.GradientCheck;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * The promises every flow keeps, on all codes: forward and inverse undo each other exactly, gradients are right and
 * reach every parameter, and the graph does not grow with the number of components.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class FlowContract {

    /** Straight-through codes replaced by their surrogate: the graph is smooth, so gradients can be differenced. */
    static final StraightThrough SOFT =
            (logits, space, inverse) -> StraightThrough.restrict(logits, space).scaledBy(inverse).softmax();

    private static final int B = 2;
    /** The name of the logits from outside. */
    private static final String GIVEN = "given";
    private static final int MOST_CODES = 1000;

    /** The flows to be held to their promises, by name, each for so many components, on at most 1,000 codes. */
    protected abstract Map<String, ? extends Flow> flows(int components);

    private Stream<DynamicTest> forEveryFlow(Consumer<Flow> promise) {
        return flows(B).entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> promise.accept(e.getValue())));
    }

    /** A setting that gives conditional flows a row of logits, the parameter {@link #GIVEN}. */
    private static Setting setting(Graph graph, Flow flow) {
        CodeSpace space = flow.space();
        return flow.isConditional()
                ? Setting.in(graph).given(graph.parameter(new Parameter(
                        GIVEN, Initialiser.normal(1), flow.components(), 1, space.variables(), space.width())))
                : Setting.in(graph);
    }

    /** Runs a map of codes [B, n, D, K] with parameters of seed 1 and returns its result. */
    private static double[] run(Flow flow, Precision precision, double[] codes,
            BiFunction<Setting, Tensor, Tensor> map) {
        int length = flow.space().oneHotLength();
        Graph graph = new Graph(precision);
        Setting setting = setting(graph, flow);
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
        int[][] all = codes.all(MOST_CODES);
        int[][] twice = Stream.concat(Stream.of(all), Stream.of(all)).toArray(int[][]::new);
        return codes.oneHot(twice);
    }

    @TestFactory
    Stream<DynamicTest> inverseUndoesForwardExactlyOnAllCodes() {
        return forEveryFlow(flow -> {
            double[] all = allCodes(flow.space());
            assertThat(run(flow, Precision.FLOAT, all, (s, u) -> flow.inverse(s, flow.forward(s, u))))
                    .containsExactly(all);
            assertThat(run(flow, Precision.FLOAT, all, (s, x) -> flow.forward(s, flow.inverse(s, x))))
                    .containsExactly(all);
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
            if (flow.parameterCount() == 0 && !flow.isConditional()) {
                return;
            }
            double[] codes = flow.space().oneHot(IntStream.range(0, 2 * B).mapToObj(i ->
                    flow.space().code(i * 5L % (long) flow.space().size())).toArray(int[][]::new));
            GradientCheck.check(graph -> {
                Setting setting = setting(graph, flow).with(SOFT);
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
            if (flow.parameterCount() == 0 && !flow.isConditional()) {
                return;
            }
            Graph graph = new Graph(Precision.DOUBLE);
            double[] all = allCodes(flow.space());
            Setting setting = setting(graph, flow);
            Tensor u = graph.constant(all, B, all.length / B / flow.space().oneHotLength(), flow.space().variables(),
                    flow.space().width());
            Tensor x = flow.forward(setting, u);
            double[] w = new Draws(Seed.of(8)).normal("weights", x.size());
            Tensor loss = x.reshape(1, w.length).matmul(graph.constant(w, w.length, 1)).sum();
            try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss)) {
                plan.load(graph.layout().initial(Seed.of(1)));
                plan.write(setting.inverseTemperature(), 0.3);
                plan.run();
                assertThat(graph.layout().parameters()).map(p -> p.name()).filteredOn(name -> !name.equals(GIVEN))
                        .containsExactlyInAnyOrderElementsOf(flow.parameters().stream().map(p -> p.name()).toList());
                for (var p : graph.layout().parameters()) {
                    assertThat(DoubleStream.of(plan.layout().read(p.name(), plan.gradients()))
                            .filter(g -> g != 0).count()).as(p.toString()).isPositive();
                }
            }
        });
    }

    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> operationCountDoesNotDependOnComponents() {
        Map<String, ? extends Flow> one = flows(1);
        List<Map<String, ? extends Flow>> more = List.of(flows(10), flows(100));
        return one.keySet().stream().map(name -> DynamicTest.dynamicTest(name, () -> assertThat(more)
                .extracting(flows -> operations(flows.get(name))).containsOnly(operations(one.get(name)))));
    }

    private static int operations(Flow flow) {
        Graph graph = new Graph(Precision.FLOAT);
        flow.inverse(setting(graph, flow),
                graph.placeholder("x", flow.components(), 2, flow.space().variables(), flow.space().width()));
        return graph.operationCount();
    }

    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> variableWiseFlowsMapZeroToZeroAndSoftVectorsLinearly() {
        return flows(B).entrySet().stream().filter(e -> e.getValue() instanceof VariableWiseFlow).map(e ->
                DynamicTest.dynamicTest(e.getKey(), () -> checkLinear((VariableWiseFlow) e.getValue())));
    }

    private static void checkLinear(VariableWiseFlow flow) {
        CodeSpace space = flow.space();
        int[] last = IntStream.of(space.cardinalities()).map(k -> k - 1).toArray();
        int[] first = new int[last.length];
        double[] code = space.oneHot(new int[][] {last, last});
        double[] other = space.oneHot(new int[][] {first, first});
        double[] blend = new double[code.length];
        Arrays.setAll(blend, i -> 0.25 * code[i] + 0.75 * other[i]);
        // the network looks at a fixed code; only what is carried varies
        BiFunction<Setting, Tensor, Tensor> carry = (s, u) ->
                flow.carry(s, u, s.graph().constant(code, B, 1, space.variables(), space.width()));
        assertThat(run(flow, Precision.DOUBLE, new double[code.length], carry)).containsOnly(0);
        double[] there = run(flow, Precision.DOUBLE, code, carry);
        double[] here = run(flow, Precision.DOUBLE, other, carry);
        double[] blended = run(flow, Precision.DOUBLE, blend, carry);
        for (int i = 0; i < blend.length; i++) {
            assertThat(blended[i]).isEqualTo(0.25 * there[i] + 0.75 * here[i]);
        }
    }

    @TestFactory
    Stream<DynamicTest> textSaysWhatItIs() {
        return forEveryFlow(flow -> assertThat(flow.toString()).doesNotContain("@"));
    }
}
