package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

class OptimiserTest {

    static Stream<Optimiser> rules() {
        return Stream.of(new Optimiser.Sgd(), new Optimiser.RmsProp(), new Optimiser.RmsProp(0.9, 1e-7, 3),
                new Optimiser.Adam(), new Optimiser.RAdam());
    }

    /** The three ways each rule is written agree: float within float's rounding, ND4J within double's. */
    @ParameterizedTest
    @MethodSource("rules")
    void hostAndDeviceVariantsAgree(Optimiser rule) {
        int n = 50;
        double[] w = new Draws(Seed.of(1)).normal("w", n);
        float[] wf = new float[n];
        for (int i = 0; i < n; i++) {
            wf[i] = (float) w[i];
        }
        INDArray wa = Nd4j.createFromArray(w);
        double[][] s = new double[rule.slots()][n];
        float[][] sf = new float[rule.slots()][n];
        INDArray[] sa = new INDArray[rule.slots()];
        for (int i = 0; i < sa.length; i++) {
            sa[i] = Nd4j.zeros(DataType.DOUBLE, n);
        }
        INDArray ga = Nd4j.zeros(DataType.DOUBLE, n);
        DeviceUpdate update = new DeviceUpdate(rule, vectors(wa, ga, sa));
        for (int step = 1; step <= 30; step++) {
            double[] g = new Draws(Seed.of(step)).normal("g", n);
            float[] gf = new float[n];
            for (int i = 0; i < n; i++) {
                gf[i] = (float) g[i];
            }
            rule.update(vectors(w, g, s), n, 0.01, step);
            rule.update(vectors(wf, gf, sf), n, 0.01, step);
            ga.assign(Nd4j.createFromArray(g));
            update.run(0.01, step);
        }
        assertThat(update.isFinite()).isTrue();
        update.close();
        for (int i = 0; i < n; i++) {
            assertThat(wa.getDouble(i)).isCloseTo(w[i], Offset.offset(1e-12));
            assertThat((double) wf[i]).isCloseTo(w[i], Offset.offset(1e-5));
        }
    }

    private static <T> T[] vectors(T w, T g, T[] slots) {
        T[] all = Arrays.copyOf(slots, slots.length + 2);
        System.arraycopy(slots, 0, all, 2, slots.length);
        all[0] = w;
        all[1] = g;
        return all;
    }

    /** 20,000 parameters are several blocks, whose size is no multiple of 3. */
    @Test
    void blocksDoNotPartNeighboursThatShareAScale() {
        int n = 20_000;
        double[] c = new Draws(Seed.of(2)).normal("c", n);
        Optimiser rule = new Optimiser.RmsProp(0.9, 1e-7, 3);
        double[] w = new double[n];
        double[] v = new double[n];
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor loss = graph.parameter(new Parameter("w", Initialiser.constant(0), n)).times(graph.constant(c, n)).sum();
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss)) {
            plan.load(w);
            for (int step = 1; step <= 3; step++) {
                plan.run();
                plan.update(rule, 0.01);
                rule.update(new double[][] {w, c, v}, n, 0.01, step);
            }
            double[] trained = plan.parameters();
            assertThat(IntStream.range(0, n).mapToDouble(i -> Math.abs(trained[i] - w[i])).max().orElseThrow())
                    .isLessThan(1e-12);
        }
    }

    @Test
    void rmsPropIsKerass() {
        double[] w = {1};
        double[][] v = {{0}};
        new Optimiser.RmsProp().update(new double[][] {w, {2}, v[0]}, 1, 0.01, 1);
        // v = 0.1 * 4 = 0.4, w = 1 - 0.01 * 2 / (sqrt(0.4) + 1e-7)
        assertThat(v[0][0]).isCloseTo(0.4, Offset.offset(1e-15));
        assertThat(w[0]).isCloseTo(1 - 0.02 / (Math.sqrt(0.4) + 1e-7), Offset.offset(1e-15));
    }

    @Test
    void firstAdamStepMovesByTheRate() {
        double[] w = {1};
        new Optimiser.Adam().update(new double[][] {w, {-3}, {0}, {0}}, 1, 0.01, 1);
        // the bias corrections cancel: m / sqrt(v) is the gradient's sign, up to epsilon
        assertThat(w[0]).isCloseTo(1.01, Offset.offset(1e-7));
    }

    /** Eight steps at rate 0.1 with gradients t / 2 - 2 and 1 / t, of which PyTorch rectifies the last three. */
    @Test
    void rectifiedAdamIsPyTorchs() {
        double[][] vectors = {{1, -2}, null, {0, 0}, {0, 0}};
        for (int step = 1; step <= 8; step++) {
            vectors[1] = new double[] {0.5 * step - 2, 1.0 / step};
            new Optimiser.RAdam().update(vectors, 2, 0.1, step);
            if (step == 5) {
                assertThat(vectors[0]).containsExactly(new double[] {1.478128564787901, -2.323340492490739},
                        Offset.offset(1e-14));
            }
        }
        // printed by torch.optim.RAdam in double
        assertThat(vectors[0]).containsExactly(new double[] {1.475999798206475, -2.330062853183440},
                Offset.offset(1e-14));
    }
}
