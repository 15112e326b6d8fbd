package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import java.util.stream.Stream;

class TensorTest {

    private static Tensor parameter(Graph g, String name, long... shape) {
        return g.parameter(new Parameter(name, Initialiser.normal(1), shape));
    }

    /** A loss that weighs every element differently, so that a permuted gradient cannot pass. */
    static Tensor weigh(Tensor x) {
        double[] w = new Draws(Seed.of(9)).normal("weights", x.size());
        return x.reshape(1, x.size()).matmul(x.graph().constant(w, x.size(), 1)).sum();
    }

    /** Every operation that other packages can reach, applied to a parameter x of shape [2, 3, 4]. */
    private static final Map<String, UnaryOperator<Tensor>> OPERATIONS = new TreeMap<>(Map.ofEntries(
            Map.entry("plus", x -> x.plus(parameter(x.graph(), "y", 2, 3, 4))),
            Map.entry("minus", x -> x.minus(parameter(x.graph(), "y", 2, 3, 4))),
            Map.entry("times", x -> x.times(parameter(x.graph(), "y", 2, 3, 4))),
            Map.entry("times itself", x -> x.times(x)),
            Map.entry("over", x -> x.over(parameter(x.graph(), "y", 2, 3, 4).exp())),
            Map.entry("plus a number", x -> x.plus(2.5).exp()),
            Map.entry("times a number", x -> x.times(2.5).exp()),
            Map.entry("scaledBy", x -> x.scaledBy(parameter(x.graph(), "s", 1, 1))),
            Map.entry("plusRow", x -> x.reshape(6, 4).plusRow(parameter(x.graph(), "r", 1, 4)).exp()),
            Map.entry("exp", Tensor::exp),
            Map.entry("log", x -> x.exp().log()),
            Map.entry("log with floor", x -> x.times(x).log(1e-3)),
            Map.entry("relu", Tensor::relu),
            Map.entry("sigmoid", Tensor::sigmoid),
            Map.entry("tanh", Tensor::tanh),
            Map.entry("softplus", Tensor::softplus),
            Map.entry("softmax", Tensor::softmax),
            Map.entry("logSoftmax", Tensor::logSoftmax),
            Map.entry("logSoftmax of rank 1", x -> x.times(30).reshape(24).logSoftmax()),
            Map.entry("logSoftmax over extent 1", x -> x.times(x.reshape(24, 1).logSoftmax().reshape(2, 3, 4))),
            Map.entry("matmul", x -> x.matmul(parameter(x.graph(), "m", 2, 4, 5))),
            Map.entry("matmulTransposed", x -> x.matmulTransposed(parameter(x.graph(), "m", 2, 5, 4))),
            Map.entry("matmul rank 2", x -> x.reshape(6, 4).matmul(parameter(x.graph(), "m", 4, 2))),
            Map.entry("matmul 1 x 1", x -> x.sum().reshape(1, 1).matmul(parameter(x.graph(), "m", 1, 1))),
            Map.entry("matmul column by row", x -> x.reshape(24, 1).matmul(parameter(x.graph(), "m", 1, 5))),
            Map.entry("matmul column by 1 x 1", x -> x.reshape(24, 1).matmul(parameter(x.graph(), "m", 1, 1))),
            Map.entry("matmul 1 x 1 by row", x -> parameter(x.graph(), "m", 1, 1).matmul(x.reshape(1, 24))),
            Map.entry("matmul row by column", x -> x.reshape(1, 24).matmul(parameter(x.graph(), "m", 24, 1))),
            Map.entry("batched matmul of 1 x 1", x -> x.reshape(24, 1, 1).matmul(parameter(x.graph(), "m", 24, 1, 1))),
            Map.entry("batched row by column", x -> x.reshape(6, 1, 4).matmul(parameter(x.graph(), "m", 6, 4, 1))),
            Map.entry("repeat once", x -> x.repeatLeading(1).repeatAt(2, 1).exp()),
            Map.entry("sums over extent 1", x -> x.reshape(1, 24, 1).exp().sum(2).sum(0)),
            Map.entry("matmul of permuted", x -> x.permute(1, 0, 2).matmul(parameter(x.graph(), "m", 3, 4, 2))),
            Map.entry("sum of all", x -> x.times(x).sum().reshape(1)),
            Map.entry("sum over first", x -> x.exp().sum(0)),
            Map.entry("sum over middle", x -> x.exp().sum(1)),
            Map.entry("sum over last", x -> x.exp().sum(-1)),
            Map.entry("logSumExp", x -> x.times(30).logSumExp()),
            Map.entry("reshape", x -> x.exp().reshape(4, 6)),
            Map.entry("permute", x -> x.exp().permute(2, 0, 1)),
            Map.entry("repeatLeading", x -> x.repeatLeading(3).exp()),
            Map.entry("repeatAt middle", x -> x.repeatAt(1, 5).exp()),
            Map.entry("repeatAt last", x -> x.repeatAt(3, 5).exp()),
            Map.entry("concat", x -> Tensor.concat(1, x.exp(), x, parameter(x.graph(), "z", 2, 2, 4))),
            Map.entry("slice", x -> x.exp().slice(-1, 1, 2)),
            Map.entry("stopGradient", x -> x.times(2).plus(x.graph().ones(2, 3, 4).stopGradient()))));

    @TestFactory
    Stream<DynamicTest> gradientEqualsCentralDifferences() {
        return OPERATIONS.entrySet().stream().map(entry -> DynamicTest.dynamicTest(entry.getKey(), () ->
                GradientCheck.check(g -> weigh(entry.getValue().apply(parameter(g, "x", 2, 3, 4))))));
    }

    private static double[] values(int n) {
        return new Draws(Seed.of(3)).normal("values", n);
    }

    private static double[] evaluate(UnaryOperator<Tensor> operation, double[] input, long... shape) {
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor x = graph.placeholder("x", shape);
        Tensor y = operation.apply(x).plus(0.0);
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, y)) {
            plan.write(x, input);
            plan.run();
            return plan.read(y);
        }
    }

    @Test
    void logSumExpEqualsItsDefinitionEvenForLargeNumbers() {
        double[] x = {1000, 1001, -1000, 3, 2, 1};
        double[] y = evaluate(Tensor::logSumExp, x, 2, 3);
        assertThat(y[0]).isCloseTo(1001 + Math.log1p(Math.exp(-1)), org.assertj.core.data.Offset.offset(1e-12));
        assertThat(y[1]).isCloseTo(
                Math.log(Math.exp(3) + Math.exp(2) + Math.exp(1)), org.assertj.core.data.Offset.offset(1e-12));
    }

    /** A softmax taken first would be 0 two thousand below the peak, and its logarithm -infinity. */
    @Test
    void logSoftmaxKeepsEntriesFarBelowTheLargest() {
        assertThat(evaluate(Tensor::logSoftmax, new double[] {-2000, 0, -1e30, 1000, 1000, 5}, 2, 3))
                .containsExactly(-2000, 0, -1e30, -Math.log(2), -Math.log(2), -995 - Math.log(2));
    }

    @Test
    void softmaxIsRightForVerySmallAndVeryLargeLogits() {
        double[] p = {Math.exp(-1) / (1 + Math.exp(-1)), 1 / (1 + Math.exp(-1))};
        for (double offset : new double[] {-1e5, -2000, -746, 0, 746, 1e5}) {
            double[] y = evaluate(Tensor::softmax, new double[] {offset - 1, offset}, 1, 2);
            assertThat(y[0]).as("offset %s", offset).isCloseTo(p[0], org.assertj.core.data.Offset.offset(1e-10));
            assertThat(y[1]).as("offset %s", offset).isCloseTo(p[1], org.assertj.core.data.Offset.offset(1e-10));
        }
    }

    @Test
    void logWithFloorIsFiniteAtZero() {
        assertThat(evaluate(x -> x.log(1e-300), new double[] {0, 1}, 2)).containsExactly(Math.log(1e-300), 0);
    }

    @Test
    void repetitionAndReductionEqualLoops() {
        double[] x = values(24);
        double[] repeated = evaluate(t -> t.repeatAt(1, 5), x, 2, 3, 4);
        double[] leading = evaluate(t -> t.repeatLeading(5), x, 2, 3, 4);
        double[] sums = evaluate(t -> t.sum(1), x, 2, 3, 4);
        double[] joined = evaluate(t -> Tensor.concat(2, t, t.slice(2, 1, 2)), x, 2, 3, 4);
        for (int a = 0; a < 2; a++) {
            for (int c = 0; c < 4; c++) {
                double sum = 0;
                for (int b = 0; b < 3; b++) {
                    double value = x[(a * 3 + b) * 4 + c];
                    sum += value;
                    for (int r = 0; r < 5; r++) {
                        assertThat(repeated[((a * 5 + r) * 3 + b) * 4 + c]).isEqualTo(value);
                        assertThat(leading[((r * 2 + a) * 3 + b) * 4 + c]).isEqualTo(value);
                    }
                    assertThat(joined[(a * 3 + b) * 6 + c]).isEqualTo(value);
                    if (c == 1 || c == 2) {
                        assertThat(joined[(a * 3 + b) * 6 + 3 + c]).isEqualTo(value);
                    }
                }
                assertThat(sums[a * 4 + c]).isCloseTo(sum, org.assertj.core.data.Offset.offset(1e-14));
            }
        }
    }

    @Test
    void argmaxOneHotTakesTheFirstOnTies() {
        assertThat(evaluate(Tensor::argmaxOneHot, new double[] {1, 3, 3, 5, 5, 4}, 2, 3))
                .containsExactly(0, 1, 0, 1, 0, 0);
    }

    @Test
    void shapesThatDoNotFitAreRefusedByName() {
        Graph g = new Graph(Precision.DOUBLE);
        Tensor x = g.placeholder("x", 2, 3);
        assertThatThrownBy(() -> x.plus(g.ones(3, 2))).hasMessageContaining("[2, 3]").hasMessageContaining("[3, 2]");
        assertThatThrownBy(() -> x.matmul(g.ones(2, 3))).hasMessageContaining("matmul");
        assertThatThrownBy(() -> x.reshape(5)).hasMessageContaining("6 elements");
        assertThatThrownBy(() -> x.slice(1, 2, 2)).hasMessageContaining("slice");
        assertThatThrownBy(() -> x.log(0)).hasMessageContaining("floor = 0.0");
        assertThatThrownBy(() -> x.sum(2)).hasMessageContaining("axis = 2");
        assertThatThrownBy(() -> g.placeholder("x", 4)).hasMessageContaining("placeholder x");
        assertThatThrownBy(() -> g.constant(new double[3], 2, 2)).hasMessageContaining("3 given");
        assertThatThrownBy(() -> new Parameter("w", Initialiser.glorot(), 0, 2)).hasMessageContaining("[0, 2]");
    }
}
