package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIf;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * ND4J operations that {@link Tensor} avoids because their value or gradient is wrong in 1.0.0-M2.1. When a new ND4J
 * mends one, its test here fails, and the detour can go.
 */
@EnabledIf(value = "io.mdnf.graph.Backend#isCpu", disabledReason = "defects of the CPU's backend")
class KnownNd4jDefectsTest {

    private static final Map<String, BiFunction<SameDiff, SDVariable, SDVariable>> DEFECTS = Map.ofEntries(
            entry("division by a trainable scalar", (sd, x) -> grid(sd).div(x.sum().reshape(1, 1))),
            entry("gather", (sd, x) -> sd.gather(x, sd.constant(Nd4j.createFromArray(2, 0, 2)), 1)),
            entry("logSumExp along an axis", (sd, x) -> sd.math().logSumExp(x, 1)),
            entry("tensorMmul", (sd, x) -> sd.tensorMmul(x, x, new int[] {0}, new int[] {0})),
            entry("cumsum along the last axis", (sd, x) -> sd.cumsum(x, false, false, 1)),
            entry("cumprod", (sd, x) -> sd.cumprod(x, false, false, 1)),
            entry("clipByNorm along an axis", (sd, x) -> sd.math().clipByNorm(x, 0.5, 1).mul(grid(sd))),
            entry("mod", (sd, x) -> sd.math().mod(grid(sd), x)),
            entry("floorMod", (sd, x) -> sd.math().floorMod(grid(sd), x)),
            entry("preciseGelu", (sd, x) -> sd.nn().preciseGelu(x.mul(3)).mul(grid(sd))),
            entry("cross", (sd, x) -> sd.linalg().cross(x.reshape(4, 3), grid(sd).reshape(4, 3))),
            entry("matrixInverse", (sd, x) -> sd.math().matrixInverse(x.mmul(x.permute(1, 0)).add(
                    sd.constant(Nd4j.eye(3).castTo(DataType.DOUBLE))))),
            entry("a scaled loss of sd.loss()", (sd, x) -> sd.loss().sigmoidCrossEntropy(
                    sd.constant(Nd4j.ones(DataType.DOUBLE, 3, 4)), x, null).mul(3.0)));

    private static Map.Entry<String, BiFunction<SameDiff, SDVariable, SDVariable>> entry(String name,
            BiFunction<SameDiff, SDVariable, SDVariable> operation) {
        return Map.entry(name, operation);
    }

    /** 1 to 12, [3, 4]. */
    private static SDVariable grid(SameDiff sd) {
        return sd.constant(Nd4j.linspace(1, 12, 12).castTo(DataType.DOUBLE).reshape(3, 4));
    }

    /** ND4J says itself that it cannot. */
    private static final Map<String, BiFunction<SameDiff, SDVariable, SDVariable>> FAILURES = Map.of(
            "matmul of different ranks", (sd, x) ->
                    sd.linalg().mmul(x.reshape(1, 3, 4), x.permute(1, 0), false, false, false),
            "matmul of 1 x 1", (sd, x) ->
                    sd.linalg().mmul(x.sum().reshape(1, 1), x.sum().reshape(1, 1), false, false, false));

    @TestFactory
    Stream<DynamicTest> gradientIsStillWrongOrMissing() {
        return Stream.of(DEFECTS, FAILURES).flatMap(all -> all.entrySet().stream()).map(e -> DynamicTest.dynamicTest(
                e.getKey(), () -> assertThat(gradientError(e.getValue())).as("largest gradient error of %s", e.getKey())
                        .isGreaterThan(1e-3)));
    }

    /** sum y^2 of an operation y on x [3, 4], as a user's graph would have it. */
    private static Tensor loss(Graph graph, Tensor x, BiFunction<SameDiff, SDVariable, SDVariable> operation) {
        SDVariable y = operation.apply(graph.sameDiff(), x.variable());
        return graph.adopt(y.mul(y).sum());
    }

    @TestFactory
    Stream<DynamicTest> aUsersGraphWithAWrongGradientIsRefused() {
        return DEFECTS.entrySet().stream().map(e -> DynamicTest.dynamicTest(e.getKey(), () -> {
            Graph graph = new Graph(Precision.DOUBLE);
            Tensor x = graph.parameter(new Parameter("x", Initialiser.normal(1), 3, 4));
            Tensor loss = loss(graph, x, e.getValue());
            assertThatThrownBy(() -> ExecutionPlan.compile(graph, loss)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has a wrong gradient in ND4J 1.0.0-M2.1: ");
        }));
    }

    @Test
    void whatNd4jCannotDifferentiateIsSaidInASentence() {
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor x = graph.parameter(new Parameter("x", Initialiser.normal(1), 3, 4));
        Tensor loss = loss(graph, x, (sd, v) -> sd.nn().logSoftmax(v, 1));
        assertThatThrownBy(() -> ExecutionPlan.compile(graph, loss)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("ND4J 1.0.0-M2.1 cannot differentiate an operation of this graph (")
                .hasMessageContaining("LogSoftMax").hasMessageEndingWith("use the operations of Tensor in its place");
    }

    @Test
    void randomNumbersThatRepeatAreRefusedInAUsersGraph() {
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor x = graph.parameter(new Parameter("x", Initialiser.normal(1), 3, 4));
        Tensor loss = loss(graph, x, (sd, v) -> v.mul(sd.random().exponential(1, DataType.DOUBLE, 3, 4)));
        assertThatThrownBy(() -> ExecutionPlan.compile(graph, loss)).hasMessageContaining("draw outside");
    }

    /** What is given, or stopped, has no gradient that could be wrong; values are right everywhere. */
    @TestFactory
    Stream<DynamicTest> whereNoGradientPassesNothingIsRefused() {
        return DEFECTS.entrySet().stream().filter(e -> !e.getKey().startsWith("tensorMmul")).map(e ->
                DynamicTest.dynamicTest(e.getKey(), () -> {
                    Graph graph = new Graph(Precision.DOUBLE);
                    Tensor trained = graph.parameter(new Parameter("w", Initialiser.normal(1), 3, 4));
                    Tensor given = loss(graph, graph.placeholder("x", 3, 4), e.getValue());
                    Tensor loss = trained.times(trained).sum().plus(given);
                    ExecutionPlan.compile(graph, loss).close();
                    ExecutionPlan.forward(graph, loss(graph, trained, e.getValue())).close();
                }));
    }

    @Test
    void logSoftmaxStillUnderflows() {
        SameDiff sd = SameDiff.create();
        SDVariable x = sd.var("x", Nd4j.createFromArray(new double[][] {{-2000, 0}}));
        assertThat(sd.nn().logSoftmax(x).eval().getDouble(0)).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @Test
    void softmaxInDoubleIsStillNanBelowMinus745() {
        INDArray x = Nd4j.createFromArray(-800.0, -801.0, -800.0, -801.0).reshape(2, 2);
        SameDiff sd = SameDiff.create();
        assertThat(sd.nn().softmax(sd.constant(x), 1).eval().getDouble(0)).isNaN();
        SameDiff narrow = SameDiff.create();
        assertThat(narrow.nn().softmax(narrow.constant(x.castTo(DataType.FLOAT)), 1).eval().getDouble(0))
                .isGreaterThan(0.5);
    }

    /** The same probe finds nothing wrong with a sound operation, so it can tell. */
    @TestFactory
    Stream<DynamicTest> probeAcceptsSoundOperations() {
        Map<String, BiFunction<SameDiff, SDVariable, SDVariable>> sound = Map.of(
                "square", (sd, x) -> x.mul(x),
                "softmax", (sd, x) -> sd.nn().softmax(x, 1),
                "matmul", (sd, x) -> x.mmul(x.permute(1, 0)));
        return sound.entrySet().stream().map(e -> DynamicTest.dynamicTest(e.getKey(), () ->
                assertThat(gradientError(e.getValue())).isLessThan(1e-7)));
    }

    /** Largest difference between SameDiff's gradient and central differences; infinite if SameDiff gives up. */
    private static double gradientError(BiFunction<SameDiff, SDVariable, SDVariable> operation) {
        INDArray at = Nd4j.linspace(DataType.DOUBLE, 0.3, 0.13, 12).reshape(3, 4);
        SameDiff sd = SameDiff.create();
        SDVariable x = sd.var("x", at.dup());
        double worst = 0;
        try {
            SDVariable y = operation.apply(sd, x);
            SDVariable loss = y.mul(y).sum();
            QuietAutodiff.gradientGraph(sd, loss, new String[] {"x"});
            INDArray gradient = sd.calculateGradients(Map.of(), "x").get("x");
            for (int i = 0; i < 12; i++) {
                double h = 1e-6;
                double up = value(operation, at, i, h);
                double down = value(operation, at, i, -h);
                worst = Math.max(worst, Math.abs(gradient.getDouble(i / 4, i % 4) - (up - down) / (2 * h)));
            }
        } catch (RuntimeException gaveUp) {
            return Double.POSITIVE_INFINITY;
        }
        return worst;
    }

    private static double value(BiFunction<SameDiff, SDVariable, SDVariable> operation, INDArray at, int i, double h) {
        SameDiff sd = SameDiff.create();
        INDArray moved = at.dup();
        moved.putScalar(i / 4, i % 4, moved.getDouble(i / 4, i % 4) + h);
        SDVariable y = operation.apply(sd, sd.var("x", moved));
        return y.mul(y).sum().eval().getDouble(0);
    }
}
