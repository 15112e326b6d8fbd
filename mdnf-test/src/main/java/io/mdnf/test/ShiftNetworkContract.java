package io.mdnf.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.GradientCheck;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.network.Dependence;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * The promises every shift network keeps: logits of the right shape from its own parameters, which look at those
 * variables only that its dependence allows, and gradients that are right.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ShiftNetworkContract {

    private static final int ROWS = 2;

    /** The networks to be held to their promises, by name; each looks, if it does, at codes of its own space. */
    protected abstract Map<String, ? extends ShiftNetwork> networks();

    private Stream<DynamicTest> forEveryNetwork(Consumer<ShiftNetwork> promise) {
        return networks().entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> promise.accept(e.getValue())));
    }

    private static Tensor logits(ShiftNetwork network, Graph graph, Tensor code) {
        return network.logits(graph, inputs(network, graph, code));
    }

    private static ShiftNetwork.Inputs inputs(ShiftNetwork network, Graph graph, Tensor code) {
        CodeSpace space = network.space();
        if (network.features() > 0) {
            return new ShiftNetwork.Inputs(code, graph.constant(new Draws(Seed.of(5)).normal("given",
                    ROWS * network.features()), ROWS, network.features()));
        }
        Tensor given = network.isConditional() ? graph.constant(new Draws(Seed.of(5)).normal("given",
                network.components() * ROWS * space.oneHotLength()), network.components(), ROWS, space.variables(),
                space.width()) : null;
        return new ShiftNetwork.Inputs(network.dependence() == Dependence.NONE ? null : code, given);
    }

    /** Runs a function of codes with parameters of seed 1. */
    private static double[] run(long[] shape, double[] codes, BiFunction<Graph, Tensor, Tensor> function) {
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor y = function.apply(graph, graph.constant(codes, shape)).plus(0);
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, y)) {
            plan.load(graph.layout().initial(Seed.of(1)));
            plan.run();
            return plan.read(y);
        }
    }

    private static long[] shape(ShiftNetwork network) {
        return new long[] {network.components(), ROWS, network.space().variables(), network.space().width()};
    }

    /** Numbers in the place of codes [B, n, D, K], the same for every component. */
    private static double[] common(ShiftNetwork network) {
        double[] one = new Draws(Seed.of(2)).normal("x", ROWS * network.space().oneHotLength());
        double[] all = new double[network.components() * one.length];
        Arrays.setAll(all, i -> one[i % one.length]);
        return all;
    }

    @TestFactory
    Stream<DynamicTest> logitsHaveTheirShapeAndComeFromItsParameters() {
        return forEveryNetwork(network -> {
            Graph graph = new Graph(Precision.DOUBLE);
            Tensor logits = logits(network, graph, graph.placeholder("x", shape(network)));
            boolean looks = network.dependence() != Dependence.NONE || network.isConditional();
            assertThat(logits.shape()).containsExactly(network.components(), looks ? ROWS : 1,
                    network.space().variables(), network.space().width());
            assertThat(graph.layout().parameters()).map(Parameter::name).containsExactlyInAnyOrderElementsOf(
                    network.parameters().stream().map(Parameter::name).toList());
            assertThat(network.toString()).doesNotContain("@");
        });
    }

    @TestFactory
    Stream<DynamicTest> codesOfAllComponentsMayBeGivenOnce() {
        return forEveryNetwork(network -> {
            if (network.dependence() != Dependence.NONE) {
                double[] all = common(network);
                long[] shape = shape(network);
                double[] each = run(shape, all, (graph, x) -> logits(network, graph, x));
                double[] once = run(Arrays.copyOfRange(shape, 1, 4), Arrays.copyOf(all, all.length / (int) shape[0]),
                        (graph, x) -> logits(network, graph, x));
                assertThat(once).containsExactly(each, Offset.offset(1e-12));
            }
        });
    }

    /** Variable j reaches d if a change of x_j changes the logits of d, for numbers drawn in the place of codes. */
    @TestFactory
    Stream<DynamicTest> looksOnlyAtWhatItsDependenceAllows() {
        return forEveryNetwork(network -> {
            if (network.dependence() != Dependence.NONE) {
                BitSet[] reaches = reaches(network);
                if (network.dependence() == Dependence.BIPARTITE) {
                    checkPassing(network, reaches);
                } else {
                    checkOrdered(reaches);
                }
            }
        });
    }

    private static BitSet[] reaches(ShiftNetwork network) {
        int variables = network.space().variables();
        int width = network.space().width();
        double[] x = common(network);
        double[] before = run(shape(network), x, (graph, code) -> logits(network, graph, code));
        BitSet[] reaches = new BitSet[variables];
        for (int j = 0; j < variables; j++) {
            int moving = j;
            double[] moved = x.clone();
            Arrays.setAll(moved, i -> i / width % variables == moving ? 1 - 3 * x[i] : x[i]);
            double[] after = run(shape(network), moved, (graph, code) -> logits(network, graph, code));
            reaches[j] = new BitSet();
            for (int i = 0; i < after.length; i++) {
                if (after[i] != before[i]) {
                    reaches[j].set(i / width % variables);
                }
            }
        }
        return reaches;
    }

    /** What is looked at is not moved: its logits are looked at by nobody and have category 0 on top. */
    private static void checkPassing(ShiftNetwork network, BitSet[] reaches) {
        int[][] shifts = network.space().indices(
                run(shape(network), common(network), (graph, code) -> logits(network, graph, code)));
        for (int j = 0; j < reaches.length; j++) {
            if (!reaches[j].isEmpty()) {
                int passing = j;
                assertThat(reaches).as("what reaches %d", j).noneMatch(other -> other.get(passing));
                assertThat(Arrays.stream(shifts)).allMatch(shift -> shift[passing] == 0);
            }
        }
    }

    /** There is an order in which every variable is reached by earlier ones only. */
    private static void checkOrdered(BitSet[] reaches) {
        BitSet left = new BitSet();
        left.set(0, reaches.length);
        while (!left.isEmpty()) {
            int free = left.stream().filter(d -> left.stream().noneMatch(j -> reaches[j].get(d))).findFirst()
                    .orElse(-1);
            assertThat(free).as("a variable that none of %s reaches: %s", left, Arrays.toString(reaches))
                    .isNotNegative();
            left.clear(free);
        }
    }

    @TestFactory
    Stream<DynamicTest> gradientsReachEveryParameterAndEqualCentralDifferences() {
        return forEveryNetwork(network -> {
            if (!network.parameters().isEmpty()) {
                Function<Graph, Tensor> loss = graph -> {
                    Tensor logits = logits(network, graph, graph.constant(common(network), shape(network)));
                    double[] w = new Draws(Seed.of(9)).normal("weights", logits.size());
                    return logits.times(graph.constant(w, logits.shape())).sum();
                };
                GradientCheck.check(loss);
                checkReached(loss);
            }
        });
    }

    /** Checks that some entry of every parameter has a gradient. */
    static void checkReached(Function<Graph, Tensor> model) {
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor loss = model.apply(graph);
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss)) {
            plan.load(graph.layout().initial(Seed.of(1)));
            plan.run();
            for (Parameter parameter : graph.layout().parameters()) {
                assertThat(DoubleStream.of(plan.layout().read(parameter.name(), plan.gradients())).filter(g -> g != 0)
                        .count()).as(parameter.toString()).isPositive();
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> ofTwoCategoriesTheDifferenceIsThatOfTheLogits() {
        return forEveryNetwork(network -> {
            if (network.space().isBinary()) {
                double[] differences = run(shape(network), common(network),
                        (graph, x) -> network.differences(graph, inputs(network, graph, x)));
                double[] expected = run(shape(network), common(network),
                        (graph, x) -> StraightThrough.differences(logits(network, graph, x)));
                assertThat(differences).containsExactly(expected, Offset.offset(1e-12));
            }
        });
    }
}
