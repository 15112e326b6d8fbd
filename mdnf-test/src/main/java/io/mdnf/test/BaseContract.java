package io.mdnf.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.base.Base;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.GradientCheck;
import io.mdnf.graph.Graph;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.Arrays;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * The promises every base keeps: probabilities of each variable, the same in a graph as in numbers, what it says of
 * itself is so, and its parameters get their gradient.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class BaseContract {

    /** The bases to be held to their promises, by name. */
    protected abstract Map<String, ? extends Base> bases();

    /** With P as numbers, flat [B, D, K], at first values. */
    private Stream<DynamicTest> forEveryBase(BiConsumer<Base, double[]> promise) {
        return bases().entrySet().stream().map(e -> DynamicTest.dynamicTest(e.getKey(), () -> {
            ParameterLayout layout = new ParameterLayout(e.getValue().parameters());
            promise.accept(e.getValue(),
                    e.getValue().probabilities(new ParameterValues(layout, layout.initial(Seed.of(1)))));
        }));
    }

    private static IntStream rows(Base base) {
        return IntStream.range(0, base.components() * base.space().variables());
    }

    @TestFactory
    Stream<DynamicTest> everyVariableHasProbabilitiesThatSumToOne() {
        return forEveryBase((base, p) -> {
            int width = base.space().width();
            assertThat(p).hasSize(base.components() * base.space().oneHotLength());
            assertThat(Arrays.stream(p).min().getAsDouble()).isNotNegative();
            rows(base).forEach(row -> {
                int end = row * width + base.space().cardinality(row % base.space().variables());
                assertThat(Arrays.stream(p, row * width, end).sum()).isCloseTo(1, Offset.offset(1e-12));
                assertThat(Arrays.stream(p, end, (row + 1) * width).sum()).isZero();
            });
        });
    }

    @TestFactory
    Stream<DynamicTest> inAGraphTheyAreTheSame() {
        return forEveryBase((base, p) -> {
            Graph graph = new Graph(Precision.DOUBLE);
            Tensor tensor = base.probabilities(graph).plus(0);
            assertThat(tensor.shape())
                    .containsExactly(base.components(), base.space().variables(), base.space().width());
            assertThat(graph.layout().parameters()).map(parameter -> parameter.name())
                    .containsExactlyElementsOf(base.parameters().stream().map(parameter -> parameter.name()).toList());
            try (ExecutionPlan plan = ExecutionPlan.forward(graph, tensor)) {
                plan.load(graph.layout().initial(Seed.of(1)));
                plan.run();
                assertThat(plan.read(tensor)).containsExactly(p, Offset.offset(1e-12));
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> whatItSaysOfItselfIsSo() {
        return forEveryBase((base, p) -> {
            boolean delta = Arrays.stream(p).allMatch(value -> value == 0 || value == 1);
            boolean zero = rows(base).allMatch(row -> p[row * base.space().width()] == 1);
            // trained ones may be deltas just now
            assertThat(base.isDelta()).isIn(delta, delta && base.parameters().isEmpty());
            assertThat(base.isZero()).isIn(zero, zero && base.parameters().isEmpty());
            assertThat(base.toString()).doesNotContain("@");
        });
    }

    @TestFactory
    Stream<DynamicTest> gradientsReachEveryParameterAndEqualCentralDifferences() {
        return forEveryBase((base, p) -> {
            if (!base.parameters().isEmpty()) {
                double[] w = new Draws(Seed.of(9)).normal("weights", p.length);
                GradientCheck.check(graph -> base.probabilities(graph).reshape(p.length)
                        .times(graph.constant(w, p.length)).sum());
                ShiftNetworkContract.checkReached(graph -> base.probabilities(graph).reshape(p.length)
                        .times(graph.constant(w, p.length)).sum());
            }
        });
    }
}
