package io.mdnf.relaxation;

import static io.mdnf.relaxation.Relaxing.at;
import static io.mdnf.relaxation.Relaxing.constant;
import static io.mdnf.relaxation.Relaxing.distribution;
import static io.mdnf.relaxation.Relaxing.evaluate;
import static io.mdnf.relaxation.Relaxing.graph;
import static io.mdnf.relaxation.Relaxing.temperature;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.GradientCheck;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GumbelSoftmaxTest {

    private static final CodeSpace MIXED = CodeSpace.of(2, 4, 1, 3);
    private static final Draws DRAWS = new Draws(Seed.of(7));
    /** Each statistical assertion of this class fails for a right program once in a million seeds; seeds are fixed. */
    private static final double FALSE_ALARM = 1e-6;

    private static Tensor noise(Graph graph, CodeSpace space, int n) {
        return constant(graph, space, DRAWS.gumbel("noise", n * space.oneHotLength()));
    }

    private static Tensor parameter(Graph graph, String name, CodeSpace space, long rows) {
        return graph.parameter(
                new Parameter(name, Initialiser.normal(1), rows, space.variables(), space.width()));
    }

    /** A loss that weighs every element differently, so that a permuted gradient cannot pass. */
    private static Tensor weigh(Tensor x) {
        double[] w = DRAWS.normal("weights", x.size());
        return x.reshape(1, x.size()).matmul(x.graph().constant(w, x.size(), 1)).sum();
    }

    // ---- the density

    /** In t = log(x_1 / x_2) the integrand is analytic and falls like e^(-tau |t|): the trapezoid rule is exact. */
    @ParameterizedTest
    @ValueSource(doubles = {0.3, 1, 2})
    void densityOfTwoCategoriesIntegratesToOne(double tau) {
        int points = 1601;
        double step = 0.05 / tau;
        CodeSpace space = CodeSpace.of(2);
        double[] logX = new double[2 * points];
        for (int i = 0; i < points; i++) {
            double[] row = Relaxing.logSoftmax((i - points / 2) * step, 0);
            System.arraycopy(row, 0, logX, 2 * i, 2);
        }
        Graph graph = graph();
        double[] log = evaluate(distribution(graph, space, tau, 0.4, -0.9).logDensity(at(graph, space, logX)));
        double integral = 0;
        for (int i = 0; i < points; i++) {
            integral += step * Math.exp(log[i] + logX[2 * i] + logX[2 * i + 1]);
        }
        // e^-40 is cut off at either end
        assertThat(integral).isCloseTo(1, Offset.offset(1e-12));
    }

    /** In t_k = log(x_k / x_3) the volume element is x_1 x_2 x_3; again the trapezoid rule is exact to e^-39. */
    @ParameterizedTest
    @ValueSource(doubles = {0.3, 1, 2})
    void densityOfThreeCategoriesIntegratesToOne(double tau) {
        int points = 161;
        double step = 0.5 / tau;
        CodeSpace space = CodeSpace.of(3);
        double[] logX = new double[3 * points * points];
        for (int i = 0; i < points; i++) {
            for (int j = 0; j < points; j++) {
                double[] row = Relaxing.logSoftmax((i - points / 2) * step, (j - points / 2) * step, 0);
                System.arraycopy(row, 0, logX, 3 * (i * points + j), 3);
            }
        }
        Graph graph = graph();
        double[] log = evaluate(distribution(graph, space, tau, 0.4, -0.9, 0.2).logDensity(at(graph, space, logX)));
        double integral = 0;
        for (int i = 0; i < log.length; i++) {
            integral += step * step * Math.exp(log[i] + logX[3 * i] + logX[3 * i + 1] + logX[3 * i + 2]);
        }
        assertThat(integral).isCloseTo(1, Offset.offset(1e-11));
    }

    /** Variables alone, with a code width of their own, against all of them side by side; and the paper's formula. */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2})
    void densityOfMixedCardinalitiesEqualsTheFormulaPerVariable(double tau) {
        int n = 5;
        int width = MIXED.width();
        double[] logits = DRAWS.normal("logits", MIXED.oneHotLength());
        double[] logX = DRAWS.normal("x", n * MIXED.oneHotLength());
        for (int row = 0; row < n * MIXED.variables(); row++) {
            int k = MIXED.cardinality(row % MIXED.variables());
            double[] part = Relaxing.logSoftmax(Arrays.copyOfRange(logX, row * width, row * width + k));
            System.arraycopy(part, 0, logX, row * width, k);
        }
        Graph graph = graph();
        GumbelSoftmax q = distribution(graph, MIXED, tau, logits);
        RelaxedSample sample = at(graph, MIXED, logX);
        double[] perVariable = evaluate(q.logDensityPerVariable(sample));
        double[] summed = evaluate(q.logDensity(sample));
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int d = 0; d < MIXED.variables(); d++) {
                int k = MIXED.cardinality(d);
                int row = (i * MIXED.variables() + d) * width;
                double[] l = Arrays.copyOfRange(logits, d * width, d * width + k);
                double[] log = Arrays.copyOfRange(logX, row, row + k);
                double[] x = DoubleStream.of(log).map(Math::exp).toArray();
                double naive = Math.log(Relaxing.density(Relaxing.softmax(l), x, tau));
                Graph own = graph();
                CodeSpace alone = CodeSpace.of(k);
                double single = evaluate(distribution(own, alone, tau, l).logDensity(at(own, alone, log)))[0];
                double joint = perVariable[i * MIXED.variables() + d];
                assertThat(joint).isCloseTo(naive, Offset.offset(1e-12 * (1 + Math.abs(naive))));
                assertThat(joint).isCloseTo(single, Offset.offset(1e-13 * (1 + Math.abs(single))));
                sum += naive;
            }
            assertThat(summed[i]).isCloseTo(sum, Offset.offset(1e-12 * (1 + Math.abs(sum))));
        }
    }

    @Test
    void logitsPerRowEqualSharedLogits() {
        int n = 3;
        double[] shared = DRAWS.normal("logits", MIXED.oneHotLength());
        double[] repeated = new double[n * shared.length];
        for (int i = 0; i < repeated.length; i++) {
            repeated[i] = shared[i % shared.length];
        }
        Graph graph = graph();
        GumbelSoftmax one = distribution(graph, MIXED, 0.6, shared);
        GumbelSoftmax many = distribution(graph, MIXED, 0.6, repeated);
        Tensor noise = noise(graph, MIXED, n);
        assertThat(evaluate(many.sample(noise).logValue())).containsExactly(evaluate(one.sample(noise).logValue()));
        assertThat(evaluate(many.logDensity(many.sample(noise))))
                .containsExactly(evaluate(one.logDensity(one.sample(noise))));
    }

    @Test
    void relaxedPriorOfProbabilitiesEqualsThatOfTheirLogarithms() {
        double[] p = {0.2, 0.8, 0, 0, 0.1, 0.2, 0.3, 0.4, 1, 0, 0, 0, 0.5, 0.25, 0.25, 0};
        double[] logits = DoubleStream.of(p).map(v -> v == 0 ? -77 : Math.log(v)).toArray();
        Graph graph = graph();
        Tensor probabilities = constant(graph, MIXED, p);
        GumbelSoftmax prior =
                new GumbelSoftmax(MIXED, probabilities.log(1e-300), temperature(graph, 1.5));
        RelaxedSample sample = distribution(graph, MIXED, 0.7, logits).sample(noise(graph, MIXED, 4));
        double[] expected = evaluate(distribution(graph, MIXED, 1.5, logits).logDensity(sample));
        assertThat(evaluate(prior.logDensity(sample))).containsExactly(expected, Offset.offset(1e-12));
    }

    /** A draw's density is computed from its noise; the same point from elsewhere takes the general formula. */
    @ParameterizedTest
    @ValueSource(doubles = {0.05, 1, 3})
    void densityOfADrawEqualsThatOfTheSamePointFromElsewhere(double tau) {
        double[][] values = new double[2][];
        double[][] gradients = new double[2][];
        for (int general = 0; general < 2; general++) {
            Graph graph = graph();
            GumbelSoftmax q = new GumbelSoftmax(
                    MIXED, parameter(graph, "logits", MIXED, 1), temperature(graph, tau));
            RelaxedSample draw = q.sample(noise(graph, MIXED, 6));
            RelaxedSample sample = general == 0 ? draw : new RelaxedSample(MIXED, draw.logValue(), draw.code());
            Tensor logDensity = q.logDensityPerVariable(sample);
            try (ExecutionPlan plan = ExecutionPlan.compile(graph, weigh(logDensity), logDensity)) {
                plan.load(graph.layout().initial(Seed.of(1)));
                plan.run();
                values[general] = plan.read(logDensity);
                gradients[general] = plan.gradients();
            }
        }
        // the gradient is of the order of 1 / tau, rounding grows with it
        assertThat(values[0]).containsExactly(values[1], Offset.offset(1e-11));
        assertThat(gradients[0]).containsExactly(gradients[1], Offset.offset(1e-11));
    }

    @Test
    void densityUnderAnotherTemperatureIsNotThatOfADraw() {
        Graph graph = graph();
        double[] logits = DRAWS.normal("logits", MIXED.oneHotLength());
        GumbelSoftmax q = distribution(graph, MIXED, 0.6, logits);
        RelaxedSample draw = q.sample(noise(graph, MIXED, 2));
        GumbelSoftmax warmer = new GumbelSoftmax(MIXED, q.logits(), temperature(graph, 1.2));
        RelaxedSample point = new RelaxedSample(MIXED, draw.logValue(), draw.code());
        assertThat(evaluate(warmer.logDensity(draw))).containsExactly(evaluate(warmer.logDensity(point)));
    }

    // ---- extremes

    @ParameterizedTest
    @EnumSource(Precision.class)
    void valueAndGradientAreFiniteAtLowTemperatureAndManyCategories(Precision precision) {
        CodeSpace space = CodeSpace.of(100, 60, 2);
        Graph graph = new Graph(precision);
        Tensor logits = graph.parameter(new Parameter("logits", Initialiser.normal(3), 1, 3, 100));
        Tensor tau = graph.placeholder("tau", 1, 1);
        GumbelSoftmax q = new GumbelSoftmax(space, logits, tau);
        GumbelSoftmax prior = new GumbelSoftmax(space, graph.ones(1, 3, 100), tau);
        RelaxedSample sample = q.straightThrough(noise(graph, space, 50));
        Tensor logDensity = q.logDensity(sample);
        Tensor loss = new RelaxedObjective.RelaxedPrior(prior).divergence(q, sample).sum().plus(weigh(sample.code()));
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss, logDensity, sample.logValue())) {
            plan.load(graph.layout().initial(Seed.of(1)));
            plan.write(tau, 0.01);
            plan.run();
            assertThat(DoubleStream.of(plan.read(logDensity))).allMatch(Double::isFinite);
            assertThat(DoubleStream.of(plan.read(sample.logValue()))).allMatch(Double::isFinite);
            assertThat(plan.value(loss)).isFinite();
            assertThat(DoubleStream.of(plan.gradients())).allMatch(Double::isFinite).anyMatch(g -> g != 0);
        }
    }

    /** Scores 7.45 below the best give x_k = 0 in double at tau = 0.01; the twin is plain Java from log x. */
    @Test
    void densityKeepsItsDigitsWhereTheSampleUnderflows() {
        int k = 100;
        double tau = 0.01;
        CodeSpace space = CodeSpace.of(k);
        double[] l = DoubleStream.of(DRAWS.normal("logits", k)).map(z -> 5 * z).toArray();
        Graph graph = graph();
        GumbelSoftmax q = distribution(graph, space, tau, l);
        RelaxedSample sample = q.sample(noise(graph, space, 1));
        double[] logX = evaluate(sample.logValue());
        assertThat(DoubleStream.of(logX).map(Math::exp).filter(x -> x == 0).count()).isGreaterThan(50);
        double[] g = DRAWS.gumbel("noise", k);
        double[] scores = new double[k];
        for (int j = 0; j < k; j++) {
            scores[j] = (l[j] + g[j]) / tau;
        }
        double[] expectedLogX = Relaxing.logSoftmax(scores);
        double[] z = new double[k];
        double expected = (k - 1) * Math.log(tau);
        for (int j = 0; j < k; j++) {
            assertThat(logX[j]).isCloseTo(expectedLogX[j], Offset.offset(1e-12 * (1 + Math.abs(expectedLogX[j]))));
            z[j] = l[j] - tau * expectedLogX[j];
            expected += Math.log(Math.max(1, j)) - expectedLogX[j];
        }
        expected += DoubleStream.of(Relaxing.logSoftmax(z)).sum();
        assertThat(evaluate(q.logDensity(sample))[0]).isCloseTo(expected, Offset.offset(1e-10 * Math.abs(expected)));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 1, 1e6})
    void impossibleCategoriesAreExactlyZeroAndGetNoGradient(double tau) {
        Graph graph = graph();
        Tensor logits = parameter(graph, "logits", MIXED, 1);
        GumbelSoftmax q = new GumbelSoftmax(MIXED, logits, temperature(graph, tau));
        RelaxedSample sample = q.sample(noise(graph, MIXED, 6));
        Tensor discretised = q.discretised();
        Tensor loss = weigh(sample.code()).plus(weigh(q.logDensity(sample))).plus(weigh(discretised));
        double[] valid = MIXED.validity();
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss, sample.code(), discretised)) {
            plan.load(graph.layout().initial(Seed.of(1)));
            plan.run();
            double[] code = plan.read(sample.code());
            double[] p = plan.read(discretised);
            double[] gradient = plan.gradients();
            for (int i = 0; i < code.length; i++) {
                int at = i % valid.length;
                if (valid[at] == 0) {
                    assertThat(code[i]).isZero();
                    assertThat(p[at]).isZero();
                    assertThat(gradient[at]).isZero();
                }
            }
            for (int row = 0; row < code.length; row += MIXED.width()) {
                assertThat(DoubleStream.of(code).skip(row).limit(MIXED.width()).sum())
                        .isCloseTo(1, Offset.offset(1e-13));
            }
        }
    }

    // ---- samples

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.7, 100})
    @Tag("slow")
    void argmaxOfASampleHasTheDiscretisedLaw(double tau) {
        int n = 20_000;
        CodeSpace space = CodeSpace.of(2, 5, 3);
        double[] logits = DRAWS.normal("logits", space.oneHotLength());
        Graph graph = graph();
        GumbelSoftmax q = distribution(graph, space, tau, logits);
        Tensor gumbel = constant(graph, space, DRAWS.gumbel("argmax" + tau, n * space.oneHotLength()));
        double[] p = evaluate(q.discretised());
        double[] logX = evaluate(q.sample(gumbel).logValue());
        int[][] drawn = space.indices(logX);
        assertThat(space.indices(evaluate(q.straightThrough(gumbel).code()))).isDeepEqualTo(drawn);
        for (int d = 0; d < space.variables(); d++) {
            int k = space.cardinality(d);
            double[] expected = Arrays.copyOfRange(p, d * space.width(), d * space.width() + k);
            assertThat(expected).containsExactly(
                    Relaxing.softmax(Arrays.copyOfRange(logits, d * space.width(), d * space.width() + k)),
                    Offset.offset(1e-15));
            long[] counts = new long[k];
            for (int[] code : drawn) {
                counts[code[d]]++;
            }
            assertThat(ChiSquareTest.withDefaults().test(expected, counts).getPValue())
                    .as("variable %d", d).isGreaterThan(FALSE_ALARM);
        }
    }

    /** The q that is sampled is the q that is scored: frequencies of log(x_1 / x_2) against the integrated density. */
    @ParameterizedTest
    @ValueSource(doubles = {0.3, 1, 2})
    void samplesFollowTheDensity(double tau) {
        int n = 20_000;
        int cells = 20;
        int perCell = 50;
        CodeSpace space = CodeSpace.of(2);
        double[] logits = {0.4, -0.9};
        double width = 0.6 / tau;
        double low = -cells * width / 2;
        // the midpoint rule inside each cell; the two open ends take what is left of the total
        double[] logX = new double[2 * cells * perCell];
        for (int i = 0; i < cells * perCell; i++) {
            double[] row = Relaxing.logSoftmax(low + (i + 0.5) * width / perCell, 0);
            System.arraycopy(row, 0, logX, 2 * i, 2);
        }
        Graph graph = graph();
        GumbelSoftmax q = distribution(graph, space, tau, logits);
        double[] log = evaluate(q.logDensity(at(graph, space, logX)));
        double[] expected = new double[cells + 1];
        expected[cells] = 1;
        for (int i = 0; i < log.length; i++) {
            double mass = width / perCell * Math.exp(log[i] + logX[2 * i] + logX[2 * i + 1]);
            expected[i / perCell] += mass;
            expected[cells] -= mass;
        }
        double[] drawn = evaluate(q.sample(constant(graph, space, DRAWS.gumbel("density" + tau, 2 * n))).logValue());
        long[] counts = new long[cells + 1];
        for (int i = 0; i < n; i++) {
            int cell = (int) Math.floor((drawn[2 * i] - drawn[2 * i + 1] - low) / width);
            counts[cell < 0 || cell >= cells ? cells : cell]++;
        }
        assertThat(ChiSquareTest.withDefaults().test(expected, counts).getPValue()).isGreaterThan(FALSE_ALARM);
    }

    @ParameterizedTest
    @CsvSource({"FLOAT, 0.01", "FLOAT, 1", "FLOAT, 100", "DOUBLE, 0.01", "DOUBLE, 1", "DOUBLE, 100"})
    void straightThroughIsExactlyOneHotWithTheGradientOfTheRelaxedSample(Precision precision, double tau) {
        int n = 40;
        double[][] gradients = new double[2][];
        for (int hard = 0; hard < 2; hard++) {
            Graph graph = new Graph(precision);
            Tensor logits = parameter(graph, "logits", MIXED, 1);
            GumbelSoftmax q = new GumbelSoftmax(MIXED, logits, temperature(graph, tau));
            Tensor noise = noise(graph, MIXED, n);
            RelaxedSample sample = hard == 1 ? q.straightThrough(noise) : q.sample(noise);
            try (ExecutionPlan plan = ExecutionPlan.compile(graph, weigh(sample.code()), sample.code())) {
                plan.load(graph.layout().initial(Seed.of(1)));
                plan.run();
                gradients[hard] = plan.gradients();
                double[] code = plan.read(sample.code());
                if (hard == 1) {
                    assertThat(code).containsExactly(MIXED.oneHot(MIXED.indices(code)));
                }
            }
        }
        assertThat(gradients[1]).containsExactly(gradients[0]);
    }

    // ---- gradients

    @ParameterizedTest
    @CsvSource({"1, 0.4", "3, 0.4", "1, 2", "3, 2"})
    void gradientsEqualCentralDifferences(long rows, double tau) {
        GradientCheck.check(g -> {
            GumbelSoftmax q =
                    new GumbelSoftmax(MIXED, parameter(g, "logits", MIXED, rows), temperature(g, tau));
            RelaxedSample x = q.sample(noise(g, MIXED, 3));
            return weigh(q.logDensityPerVariable(x)).plus(weigh(x.code())).plus(weigh(q.discretised()))
                    .plus(weigh(q.logDiscretised()));
        });
    }

    /** The logits appear in the sample and in the density; here the density's two arguments vary apart. */
    @Test
    void gradientsOfTheDensityEqualCentralDifferencesInLogitsProbabilitiesAndPoint() {
        GradientCheck.check(g -> {
            Tensor point = parameter(g, "point", MIXED, 3);
            RelaxedSample x = new RelaxedSample(MIXED, point, point.exp());
            Tensor tau = temperature(g, 0.7);
            GumbelSoftmax q = new GumbelSoftmax(MIXED, parameter(g, "logits", MIXED, 3), tau);
            Tensor soft = parameter(g, "probabilities", MIXED, 1).softmax();
            GumbelSoftmax p = new GumbelSoftmax(MIXED, soft.log(1e-15), tau);
            return weigh(q.logDensity(x)).plus(weigh(p.logDensityPerVariable(x)));
        });
    }

    // ---- wrong use

    @Test
    void shapesThatDoNotFitAreRefusedByName() {
        Graph graph = graph();
        Tensor tau = temperature(graph, 1);
        assertThatThrownBy(() -> new GumbelSoftmax(MIXED, graph.ones(4, 4), tau))
                .hasMessageContaining("logits").hasMessageContaining("[n, 4, 4]");
        GumbelSoftmax q = new GumbelSoftmax(MIXED, graph.ones(2, 4, 4), tau);
        assertThatThrownBy(() -> q.sample(graph.ones(3, 4, 4)))
                .hasMessageContaining("logits").hasMessageContaining("number of samples, 3");
        assertThatThrownBy(() -> q.straightThrough(graph.ones(2, 4, 3))).hasMessageContaining("noise");
        RelaxedSample other = at(graph, CodeSpace.uniform(4, 4), new double[32]);
        assertThatThrownBy(() -> q.logDensity(other))
                .hasMessageContaining("CodeSpace(D=4, K=4)").hasMessageContaining("CodeSpace(K=[2, 4, 1, 3])");
        assertThatThrownBy(() -> new RelaxedSample(MIXED, graph.ones(2, 4, 4), graph.ones(3, 4, 4)))
                .hasMessageContaining("number of samples");
        assertThat(q.toString()).contains("CodeSpace(K=[2, 4, 1, 3])");
    }
}
