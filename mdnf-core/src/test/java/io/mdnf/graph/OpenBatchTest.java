package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** One graph for batches of any size gives what a graph made for that size gives, values and gradients. */
class OpenBatchTest {

    private static final int COLUMNS = 12;
    private static final CodeSpace CODES = CodeSpace.of(2, 3);

    /** Operations on [n, 12] that work row by row. */
    private static final Map<String, UnaryOperator<Tensor>> OPERATIONS = Map.ofEntries(
            Map.entry("matmul", x -> x.matmul(constant(x, 12, 5))),
            Map.entry("plusRow", x -> x.plusRow(constant(x, 1, 12)).exp()),
            Map.entry("scaledBy", x -> x.scaledBy(constant(x, 1, 1)).exp()),
            Map.entry("reshape", x -> x.reshape(2 * x.extent(0), 6).matmul(constant(x, 6, 2))),
            Map.entry("softmax", x -> x.reshape(x.extent(0), 3, 4).softmax()),
            Map.entry("logSumExp", x -> x.reshape(x.extent(0), 3, 4).logSumExp()),
            Map.entry("sum over the middle", x -> x.reshape(x.extent(0), 3, 4).exp().sum(1)),
            Map.entry("sum over the last", x -> x.reshape(x.extent(0), 3, 4).exp().sum(2)),
            Map.entry("sum over one", x -> x.reshape(x.extent(0), 1, 12).exp().sum(1)),
            Map.entry("slice", x -> x.exp().slice(1, 3, 5)),
            Map.entry("straight-through", x -> StraightThrough.FIRST_ORDER.oneHot(
                    x.reshape(2 * x.extent(0), 2, 3), CODES, x.graph().constant(new double[] {0.5}, 1, 1))));

    private static double[] numbers(String name, long size) {
        return new Draws(Seed.of(3)).normal(name, (int) size);
    }

    private static Tensor constant(Tensor x, long rows, long columns) {
        return x.graph().constant(numbers("constant", rows * columns), rows, columns);
    }

    @TestFactory
    Stream<DynamicTest> valuesAndGradientsAreThoseOfAClosedGraph() {
        return OPERATIONS.entrySet().stream().map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
            Run open = new Run(-1, entry.getValue());
            for (int n : new int[] {4, 1, 3}) {
                Run closed = new Run(n, entry.getValue());
                double[] x = numbers("x", (long) n * COLUMNS);
                // the closed graph adds in another order
                assertThat(open.output(x)).containsExactly(closed.output(x), Offset.offset(1e-13));
                assertThat(open.gradient(x)).containsExactly(closed.gradient(x), Offset.offset(1e-13));
            }
        }));
    }

    @Test
    void whatNeedsTheNumberOfRowsIsRefused() {
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor x = graph.adopt(graph.sameDiff().placeHolder("x", DataType.DOUBLE, -1, 4), -1, 4);
        assertThat(x.isOpen()).isTrue();
        assertThatThrownBy(() -> x.reshape(-1, 3)).hasMessageContaining("reshape");
        assertThatThrownBy(() -> x.reshape(-2, -2)).hasMessageContaining("more than one open extent");
        assertThatThrownBy(() -> x.plus(graph.ones(3, 4))).hasMessageContaining("plus");
        assertThatThrownBy(() -> x.sum(0)).hasMessageContaining("[1, -1]");
        assertThatThrownBy(() -> graph.ones(-1, 4)).hasMessageContaining("[-1, 4]");
    }

    /** A squared operation as loss, in SameDiff's own session. */
    private static final class Run {
        private final SameDiff model = SameDiff.create();
        private final Tensor output;

        Run(long n, UnaryOperator<Tensor> operation) {
            SDVariable input = model.placeHolder("x", DataType.DOUBLE, n, COLUMNS);
            output = operation.apply(new Graph(model, Precision.of(input)).adopt(input, n, COLUMNS));
            QuietAutodiff.gradientGraph(model, output.times(output).plus(output).sum().variable(), new String[] {"x"});
        }

        double[] output(double[] x) {
            return flat(model.outputSingle(Map.of("x", batch(x)), output.name()));
        }

        double[] gradient(double[] x) {
            return flat(model.calculateGradients(Map.of("x", batch(x)), "x").get("x"));
        }

        private static INDArray batch(double[] x) {
            return Nd4j.createFromArray(x).reshape(x.length / COLUMNS, COLUMNS);
        }

        private static double[] flat(INDArray array) {
            return array.dup('c').reshape(array.length()).toDoubleVector();
        }
    }
}
