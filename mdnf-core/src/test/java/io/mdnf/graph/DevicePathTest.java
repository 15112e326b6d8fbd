package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.random.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plans that run as on a device give what they give on the CPU; the profile emulated-gpu runs them on CUDA's backend.
 */
class DevicePathTest {

    static Stream<ExecutionPlanTest.Model> models() {
        return Stream.concat(ExecutionPlanTest.models(), Stream.concat(
                Stream.of(Precision.values()).map(DevicePathTest::batches),
                Stream.of(Precision.values()).map(DevicePathTest::numbers)));
    }

    /** Parameters of one number beside others, and one of three matrices: ND4J copies and cuts these otherwise. */
    private static ExecutionPlanTest.Model numbers(Precision precision) {
        Graph g = new Graph(precision);
        Tensor a = g.parameter(new Parameter("a", Initialiser.normal(0.7), 1));
        Tensor w = g.parameter(new Parameter("w", Initialiser.normal(0.7), 3));
        Tensor b = g.parameter(new Parameter("b", Initialiser.normal(0.7), 1, 1));
        Tensor c = g.parameter(new Parameter("c", Initialiser.normal(0.7), 1));
        Tensor squares = w.times(w).sum().reshape(1);
        Tensor middle = g.parameter(new Parameter("m", Initialiser.normal(0.7), 3, 3, 4)).slice(0, 1, 1).reshape(12);
        Tensor product = c.repeatAt(0, 3).reshape(3).times(w).sum().plus(middle.times(middle).sum()).reshape(1);
        return new ExecutionPlanTest.Model("numbers", g,
                squares.plus(a).minus(b.reshape(1)).plus(product).sum(), List.of());
    }

    /** Batches of products, transposed too, of what nobody else reads; joined codes and products; quotients. */
    private static ExecutionPlanTest.Model batches(Precision precision) {
        Graph g = new Graph(precision);
        Tensor a = g.parameter(new Parameter("a", Initialiser.normal(0.7), 3, 4, 2));
        Tensor b = g.parameter(new Parameter("b", Initialiser.normal(0.7), 3, 5, 2));
        Tensor w = g.parameter(new Parameter("w", Initialiser.normal(0.7), 4, 3));
        Tensor scores = a.times(a).matmulTransposed(b.times(b)).matmul(b.times(b.exp()));
        Tensor rows = scores.reshape(4, 6);
        Tensor joined = Tensor.concat(1, rows.slice(1, 0, 4).matmul(w), rows.argmaxOneHot(), rows);
        Tensor quotient = joined.times(joined).over(joined.exp().plus(1));
        return new ExecutionPlanTest.Model("batches", g, quotient.sum(1).repeatAt(1, 3).times(w).sum(), List.of());
    }

    static <T> T asOnDevice(Supplier<T> body) {
        System.setProperty(Backend.AS_ON_DEVICE, "true");
        try {
            return body.get();
        } finally {
            System.clearProperty(Backend.AS_ON_DEVICE);
        }
    }

    private static double[] trained(ExecutionPlanTest.Model model, int steps) {
        try (ExecutionPlan plan = ExecutionPlan.compile(model.graph(), model.loss())) {
            plan.load(model.graph().layout().initial(Seed.of(1)));
            ExecutionPlanTest.fill(model, plan);
            for (int i = 0; i < steps; i++) {
                plan.run();
                plan.update(new Optimiser.Sgd(), 1e-3);
                assertThat(plan.isFinite()).isTrue();
            }
            double[] all = Arrays.copyOf(plan.gradients(), 2 * plan.layout().size() + 1);
            System.arraycopy(plan.parameters(), 0, all, plan.layout().size(), plan.layout().size());
            all[all.length - 1] = plan.loss();
            return all;
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void lossGradientsAndUpdatesAreThoseOfTheHost(ExecutionPlanTest.Model model) {
        double[] host = trained(model, 3);
        double[] device = asOnDevice(() -> trained(model, 3));
        double largest = Arrays.stream(host).map(Math::abs).max().orElseThrow();
        double rounding = model.graph().precision() == Precision.FLOAT ? 1e-5 : 1e-13;
        assertThat(device).hasSameSizeAs(host);
        for (int i = 0; i < host.length; i++) {
            assertThat(device[i]).isCloseTo(host[i], Offset.offset(rounding * largest));
        }
    }

    @Test
    void aPlanWithoutParametersOrPlaceholdersRuns() {
        double[] sum = asOnDevice(() -> {
            Graph graph = new Graph(Precision.FLOAT);
            Tensor two = graph.ones(2, 2).sum();
            try (ExecutionPlan plan = ExecutionPlan.forward(graph, two)) {
                plan.run();
                return new double[] {plan.value(two), plan.parameters().length};
            }
        });
        assertThat(sum).containsExactly(4, 0);
    }
}
