package io.mdnf.mixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.base.Deltas;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.Setting;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.GradientCheck;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Nade;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Flows without number: their average is a softmax, and what is drawn from noise is what is scored. */
class UnlimitedTest {

    private static final CodeSpace SPACE = CodeSpace.of(2, 3, 2);
    private static final int FEATURES = 4;
    private static final int HIDDEN = 5;
    private static final Nade NADE = new Nade(SPACE, 1, FEATURES, HIDDEN);

    private static double[] features(int observation) {
        return new Draws(Seed.of(3).fold(observation)).normal("y", FEATURES);
    }

    private static FlowMixture given(int observation) {
        Mixture mixture = Mixture.unlimited(NADE);
        return new FlowMixture(mixture, mixture.layout().initial(Seed.of(1)), features(observation));
    }

    /** log q by loops over the formula, from the parameters by name. */
    private static double twin(FlowMixture q, double[] y, int[] code) {
        var layout = q.mixture().layout();
        double[] flat = q.parameters();
        String prefix = "flow/shift/";
        double[] rows = layout.read(prefix + "rows", flat);
        double[] out = layout.read(prefix + "weights", flat);
        double[] bias = layout.read(prefix + "bias", flat);
        double[] direct = layout.read(prefix + "features", flat);
        double[] seen = layout.read(prefix + "seen", flat);
        double[] sums = layout.read(prefix + "hiddenBias", flat).clone();
        int width = SPACE.width();
        for (int h = 0; h < HIDDEN; h++) {
            for (int f = 0; f < FEATURES; f++) {
                sums[h] += y[f] * seen[f * HIDDEN + h];
            }
        }
        double logQ = 0;
        for (int d = 0; d < SPACE.variables(); d++) {
            double[] logits = new double[SPACE.cardinality(d)];
            for (int k = 0; k < logits.length; k++) {
                logits[k] = bias[d * width + k];
                for (int f = 0; f < FEATURES; f++) {
                    logits[k] += y[f] * direct[f * SPACE.oneHotLength() + d * width + k];
                }
                for (int h = 0; h < HIDDEN; h++) {
                    logits[k] += Math.max(0, sums[h]) * out[(d * HIDDEN + h) * width + k];
                }
            }
            logQ += logits[code[d]] - Math.log(Arrays.stream(logits).map(Math::exp).sum());
            for (int h = 0; h < HIDDEN; h++) {
                sums[h] += rows[(d * width + code[d]) * HIDDEN + h];
            }
        }
        return logQ;
    }

    @Test
    void theProbabilityIsThatOfTheFormula() {
        try (FlowMixture q = given(0)) {
            int[][] all = SPACE.all(12);
            double[] logQ = q.logProb(all);
            for (int i = 0; i < all.length; i++) {
                assertThat(logQ[i]).isCloseTo(twin(q, features(0), all[i]), within(1e-12));
            }
        }
    }

    /**
     * 60,000 draws in the graph for two observations in turn: 5 standard errors for 24 frequencies, by chance less than
     * once in 50,000 runs.
     */
    @ParameterizedTest
    @EnumSource(value = Estimator.class, names = {"AVERAGED", "SECOND_ORDER"})
    void whatIsDrawnInTheGraphIsWhatIsScored(Estimator estimator) {
        int n = 600;
        int steps = 50;
        Graph graph = new Graph(Precision.FLOAT);
        double[] y = new double[n * FEATURES];
        for (int i = 0; i < n; i++) {
            System.arraycopy(features(i % 2), 0, y, i * FEATURES, FEATURES);
        }
        Setting setting = Setting.in(graph).given(graph.constant(y, n, FEATURES));
        Mixture mixture = Mixture.unlimited(NADE);
        Sampling sampling = mixture.in(setting).sample(n, estimator);
        Tensor codes = sampling.codes().plus(0);
        double[][] frequency = new double[2][12];
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, codes)) {
            plan.load(mixture.layout().initial(Seed.of(1)));
            plan.write(setting.inverseTemperature(), 1 / 3.0);
            for (int step = 0; step < steps; step++) {
                sampling.draw(plan, new Draws(Seed.of(7).fold(step)));
                plan.run();
                int[][] drawn = SPACE.indices(plan.read(codes));
                for (int i = 0; i < n; i++) {
                    frequency[i % 2][(int) SPACE.rank(drawn[i])] += 2.0 / n / steps;
                }
            }
        }
        for (int o = 0; o < 2; o++) {
            try (FlowMixture q = given(o)) {
                double[] table = q.table();
                for (int i = 0; i < table.length; i++) {
                    double error = Math.sqrt(table[i] * (1 - table[i]) / (n * steps / 2));
                    assertThat(frequency[o][i]).isCloseTo(table[i], within(5 * error));
                }
            }
        }
    }

    @Test
    void manyFlowsWithGumbelOffsetsApproachIt() {
        CodeSpace one = CodeSpace.of(3);
        int flows = 20_000;
        double[] logits = {0.3, -1, 1.2};
        Mixture finite = new Mixture(Structure.PER_VARIABLE, new ShiftFlow(new DirectLogits(one, flows)),
                Deltas.zero(one, flows), Weighting.EQUAL);
        double[] offsets = new Draws(Seed.of(2)).gumbel("offsets", 3 * flows);
        Arrays.setAll(offsets, i -> offsets[i] + logits[i % 3]);
        Mixture limit = Mixture.unlimited(new DirectLogits(one, 1));
        double[] expected = new FlowMixture(limit, logits).table();
        double[] counted = new FlowMixture(finite, offsets).product().q()[0];
        for (int k = 0; k < 3; k++) {
            // 5 standard errors of 20,000 flows
            assertThat(counted[k]).isCloseTo(expected[k], within(5 * Math.sqrt(0.25 / flows)));
        }
    }

    @Test
    void entropyAndDivergenceHaveTheirGradient() {
        int n = 3;
        int[][] codes = {{0, 2, 1}, {1, 0, 0}, {1, 1, 1}};
        double[] prior = new Draws(Seed.of(6)).normal("prior", n * SPACE.oneHotLength());
        GradientCheck.check(graph -> {
            Setting setting = Setting.in(graph).given(graph.constant(
                    new Draws(Seed.of(4)).normal("y", n * FEATURES), n, FEATURES));
            Tables tables = Mixture.unlimited(NADE).in(setting)
                    .tables(graph.constant(SPACE.oneHot(codes), n, 3, SPACE.width()));
            return tables.divergence(graph.constant(prior, n, 3, SPACE.width()))
                    .times(graph.constant(new double[] {1, -2, 0.5}, n)).sum();
        });
    }

    /** The gradient that a function with slope g at the drawn code sends to the logits, by the formula. */
    @ParameterizedTest
    @EnumSource(value = Estimator.class, names = {"AVERAGED", "SECOND_ORDER"})
    void aDrawnCodeCarriesTheGradientOfItsOrder(Estimator estimator) {
        CodeSpace one = CodeSpace.of(3);
        double[] logits = {0.5, -0.7, 0.1};
        double[] g = {1.5, -0.3, 0.8};
        double tau = 3;
        Graph graph = new Graph(Precision.DOUBLE);
        Setting setting = Setting.in(graph);
        Mixture mixture = Mixture.unlimited(new DirectLogits(one, 1));
        Tensor z = graph.constant(new double[] {0, 1, 0}, 1, 1, 3);
        Tensor code = mixture.in(setting).tables(null).carriedBy(z, estimator);
        Tensor loss = code.times(graph.constant(g, 1, 1, 3)).sum();
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss)) {
            plan.load(logits);
            plan.write(setting.inverseTemperature(), 1 / tau);
            plan.run();
            assertThat(plan.loss()).isEqualTo(g[1]);
            double[] p = softmax(logits, 1);
            double[] soft = softmax(logits, tau);
            double[] middle = {soft[0] / 2, (soft[1] + 1) / 2, soft[2] / 2};
            double[] first = jacobian(soft, g);
            double[] expected = new double[3];
            Arrays.setAll(expected, k -> estimator == Estimator.AVERAGED ? first[k] / tau
                    : 2 * jacobian(middle, g)[k] - jacobian(p, g)[k] / 2);
            assertThat(plan.gradients()).containsExactly(expected, within(1e-12));
        }
    }

    private static double[] softmax(double[] logits, double tau) {
        double sum = Arrays.stream(logits).map(l -> Math.exp(l / tau)).sum();
        return Arrays.stream(logits).map(l -> Math.exp(l / tau) / sum).toArray();
    }

    private static double[] jacobian(double[] p, double[] g) {
        double mean = 0;
        for (int k = 0; k < p.length; k++) {
            mean += p[k] * g[k];
        }
        double[] result = new double[p.length];
        for (int k = 0; k < p.length; k++) {
            result[k] = p[k] * (g[k] - mean);
        }
        return result;
    }

    @Test
    void whatCannotBeWithoutNumberIsRefused() {
        assertThatThrownBy(() -> new Mixture(Structure.JOINT, new ShiftFlow(new DirectLogits(SPACE, 1)),
                Deltas.zero(SPACE, 1), Weighting.UNLIMITED)).hasMessageContaining("PER_VARIABLE shifts");
        assertThatThrownBy(() -> Mixture.unlimited(new DirectLogits(SPACE, 2))).hasMessageContaining("one network");
        Graph graph = new Graph(Precision.DOUBLE);
        assertThatThrownBy(() -> Mixture.unlimited(new DirectLogits(SPACE, 1)).in(Setting.in(graph))
                .sample(5, Estimator.CHOSEN)).hasMessageContaining("averaged or second-order");
    }
}
