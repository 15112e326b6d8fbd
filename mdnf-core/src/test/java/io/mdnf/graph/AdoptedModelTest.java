package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** What users write in SameDiff and Tensor does not: in float a plan takes it for what it is. */
@EnabledIf(value = "io.mdnf.graph.Backend#isCpu",
        disabledReason = "blocks of plain Java are for arrays in the host's memory")
class AdoptedModelTest {

    private interface Written {
        SDVariable of(SameDiff sd, SDVariable x);
    }

    private record Model(String name, Written written, long... shape) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Model> models() {
        return Stream.of(
                new Model("a product with ones, transposed afterwards",
                        (sd, x) -> sd.mmul(x, sd.constant(Nd4j.ones(4, 2)), false, false, true), 2, 6),
                new Model("a product with a small constant, transposed afterwards", (sd, x) -> sd.mmul(x,
                        sd.constant(Nd4j.createFromArray(new float[][] {{1, 0}, {0, 2}, {0, 3}, {4, 0}})),
                        false, false, true), 2, 6),
                new Model("a matrix times a vector",
                        (sd, x) -> sd.mmul(x, sd.constant(Nd4j.ones(DataType.FLOAT, 4))), 6),
                new Model("codes of largest entries that keep their axis",
                        (sd, x) -> sd.oneHot(sd.argmax(x, true, -1), 4, -1, 1, 0, DataType.FLOAT)
                                .mul(sd.reshape(x, 6, 1, 4)), 6, 1, 4),
                new Model("codes of integers", (sd, x) -> sd.oneHot(sd.argmax(x, -1), 4, -1, 1, 0, DataType.INT)
                        .castTo(DataType.FLOAT), 6, 4),
                new Model("softmax without an axis", (sd, x) -> sd.nn.softmax(x), 6, 4),
                new Model("softmax along the first axis", (sd, x) -> sd.nn.softmax(x, 0), 6, 4),
                new Model("a step elsewhere than at 0", (sd, x) -> sd.math.step(x, 0.5), 6, 4),
                new Model("a column added to a row", (sd, x) -> x.sum(true, 0).add(x.sum(true, 1)), 6, 4),
                new Model("a code that other than 1 and 0 make",
                        (sd, x) -> sd.oneHot(sd.argmax(x, -1), 4, -1, 2, -1, DataType.FLOAT), 6, 4),
                new Model("codes of more than the entries",
                        (sd, x) -> sd.oneHot(sd.argmax(x, -1), 5, -1, 1, 0, DataType.FLOAT), 6, 5),
                new Model("entries that lie column by column",
                        (sd, x) -> sd.permute(x, 1, 0).add(1).mul(sd.permute(x, 1, 0)), 4, 6),
                new Model("x by itself", (sd, x) -> x.div(x).add(x.mul(x)), 6, 4));
    }

    @ParameterizedTest
    @MethodSource("models")
    void planEqualsSameDiffsSessionInFloat(Model model) {
        SameDiff sd = SameDiff.create();
        SDVariable x = sd.placeHolder("x", DataType.FLOAT, 6, 4);
        Graph graph = new Graph(sd, Precision.FLOAT);
        Tensor input = graph.placeholder(x);
        double[] values = new Draws(Seed.of(5)).normal("x", 24);
        SDVariable written = model.written().of(sd, x);
        Tensor output = graph.adopt(written, model.shape()).times(2);
        INDArray truth = sd.output(Map.of("x", Nd4j.createFromArray(values).castTo(DataType.FLOAT).reshape(6, 4)),
                List.of(written.name())).get(written.name());
        assertThat(truth.shape()).containsExactly(model.shape());
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, output)) {
            plan.write(input, values);
            plan.run();
            double[] twice = truth.dup('c').castTo(DataType.DOUBLE).muli(2).data().asDouble();
            assertThat(plan.read(output)).containsExactly(twice, within(1e-5));
        }
    }

    /** ND4J's own session has no gradient of a matrix times a vector. */
    static Stream<Model> differentiable() {
        return models().filter(model -> !model.name().equals("a matrix times a vector"));
    }

    @ParameterizedTest
    @MethodSource("differentiable")
    void gradientsEqualSameDiffsSessionInFloat(Model model) {
        SameDiff sd = SameDiff.create();
        SDVariable x = sd.var("x", Nd4j.createFromArray(new Draws(Seed.of(5)).normal("x", 24))
                .castTo(DataType.FLOAT).reshape(6, 4));
        Graph graph = new Graph(sd, Precision.FLOAT);
        Tensor entries = graph.parameter(x);
        Tensor output = graph.adopt(model.written().of(sd, x), model.shape());
        Tensor loss = output.times(output).sum().plus(entries.times(entries).sum());
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss)) {
            plan.load(graph.layout().initial(Seed.of(1)));
            SessionTwin twin = new SessionTwin(graph, loss);
            twin.copy(plan);
            twin.run();
            plan.run();
            assertThat(twin.maxDifference(plan)).isBetween(0.0, 1e-4);
        }
    }
}
