package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.GradientCheck;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.network.DenseLayers;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BatchStatisticsTest {

    private static final int ROWS = 6;
    private static final DenseLayers LAYERS = new DenseLayers("net", 4, 5, 3, 2);
    private static final double[] X = new Draws(Seed.of(2)).normal("x", ROWS * 4);

    private static double[] parameters(Graph graph) {
        // scales and biases other than 1 and 0
        double[] flat = graph.layout().initial(Seed.of(1));
        double[] noise = new Draws(Seed.of(3)).normal("noise", flat.length);
        Arrays.setAll(flat, i -> flat[i] + 0.3 * noise[i]);
        return flat;
    }

    @Test
    void gradientsEqualCentralDifferences() {
        double[] slopes = new Draws(Seed.of(4)).normal("slopes", ROWS * 2);
        GradientCheck.check(graph -> LAYERS.of(graph, new BatchStatistics(true), graph.constant(X, ROWS, 4))
                .times(graph.constant(slopes, ROWS, 2)).sum());
    }

    static Stream<BiFunction<Graph, BatchStatistics, Tensor>> layers() {
        ConvolutionLayers convolution = new ConvolutionLayers(new ImageShape(2, 2), List.of(2, 3));
        return Stream.of((graph, statistics) -> LAYERS.of(graph, statistics, graph.constant(X, ROWS, 4)),
                (graph, statistics) -> convolution.decoded(graph, statistics,
                        convolution.encoded(graph, statistics, graph.constant(X, ROWS, 4))));
    }

    @ParameterizedTest
    @MethodSource("layers")
    void foldedLayersDoToTheBatchWhatNormalisedOnesDo(BiFunction<Graph, BatchStatistics, Tensor> layers) {
        Graph graph = new Graph(Precision.DOUBLE);
        BatchStatistics statistics = new BatchStatistics(true);
        Tensor y = layers.apply(graph, statistics).plus(0);
        Tensor[] outputs = Arrays.copyOf(statistics.outputs(), statistics.outputs().length + 1);
        outputs[outputs.length - 1] = y;
        double[] flat;
        double[] expected;
        Map<String, double[]> averages;
        Map<String, double[]> folded;
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, outputs)) {
            flat = parameters(graph);
            plan.load(flat);
            plan.run();
            expected = plan.read(y);
            // after the first step the averages are those of its batch
            averages = statistics.after(List.of(plan), 0, statistics.first());
            folded = BatchStatistics.folded(plan.layout(), flat, averages);
        }
        Graph plain = new Graph(Precision.DOUBLE);
        Tensor same = layers.apply(plain, new BatchStatistics(false)).plus(0);
        try (ExecutionPlan plan = ExecutionPlan.forward(plain, same)) {
            double[] values = new double[plan.layout().size()];
            plan.layout().parameters().forEach(p -> System.arraycopy(folded.get(p.name()), 0, values,
                    plan.layout().offset(p.name()), p.size()));
            plan.load(values);
            plan.run();
            assertThat(plan.read(same)).containsExactly(expected, within(1e-12));
        }
    }

    @Test
    void averagesMoveATwentiethOfTheWayToTheNewestBatch() {
        Graph graph = new Graph(Precision.DOUBLE);
        BatchStatistics statistics = new BatchStatistics(true);
        Tensor y = LAYERS.of(graph, statistics, graph.constant(X, ROWS, 4)).plus(0);
        Tensor[] outputs = statistics.outputs();
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, outputs)) {
            plan.load(parameters(graph));
            plan.run();
            assertThat(y.rank()).isEqualTo(2);
            Map<String, double[]> before = statistics.first();
            Map<String, double[]> batch = statistics.after(List.of(plan), 0, before);
            Map<String, double[]> late = statistics.after(List.of(plan), 100, before);
            batch.forEach((name, values) -> {
                for (int i = 0; i < values.length; i++) {
                    assertThat(late.get(name)[i])
                            .isCloseTo(0.95 * before.get(name)[i] + 0.05 * values[i], within(1e-12));
                }
            });
        }
    }
}
