package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.distribution.Product;
import io.mdnf.graph.Optimiser;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.LogSpace;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingSettings;
import io.mdnf.training.TrainingState;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GumbelFitTest {

    private static final int SAMPLES = 7;
    private static final double TAU = 0.6;
    private static final double PRIOR_TAU = 0.8;
    private static final Seed SEED = Seed.of(3);

    /** a (2) and b (3) are latent, c (2) sees both and is observed; b sees a. Widths differ. */
    private static NetworkTarget target() {
        return target(0.2);
    }

    private static NetworkTarget target(double rare) {
        BayesianNetwork network = BayesianNetwork.of("three", List.of(
                new Node("a", List.of("0", "1"), List.of(), new double[] {0.3, 0.7}),
                new Node("b", List.of("0", "1", "2"), List.of("a"), new double[] {0.2, 0.5, 0.3, 0.6, 0.3, 0.1}),
                new Node("c", List.of("0", "1"), List.of("a", "b"),
                        new double[] {0.9, 0.1, 0.4, 0.6, 1 - rare, rare, 0.25, 0.75, 0.5, 0.5, 0.15, 0.85})));
        return new NetworkTarget(Evidence.parse(network, "c=1"));
    }

    private static GumbelFit fit(boolean straightThrough, Optimiser optimiser, double rate,
            GumbelTemperatures... cells) {
        return new GumbelFit(target(),
                new GumbelSettings(straightThrough, SAMPLES, TrainingSettings.of(optimiser, rate)),
                List.of(cells));
    }

    private static GradientTraining<List<Product>> training(GumbelFit fit) {
        return new GradientTraining<>(fit);
    }

    private static TrainingState advanced(GumbelFit fit, int steps) {
        return training(fit).advance(training(fit).init(SEED), steps);
    }

    /** The published objective by plain loops over [a0 a1 -, b0 b1 b2], given codes for each sample. */
    private static double prior(double[][] codes) {
        NetworkTarget target = target();
        double sum = 0;
        for (double[] x : codes) {
            double seen = 0;
            double[] b = new double[3];
            for (int i = 0; i < 2; i++) {
                for (int j = 0; j < 3; j++) {
                    b[j] += x[i] * target.evidence().network().node(1).probability(i, j);
                    seen += x[i] * x[3 + j] * target.evidence().network().node(2).probability(3 * i + j, 1);
                }
            }
            sum += Math.log(seen + 1e-15);
            sum += density(new double[] {x[0], x[1]}, new double[] {0.3, 0.7}, PRIOR_TAU, 1e-10);
            sum += density(new double[] {x[3], x[4], x[5]}, b, PRIOR_TAU, 1e-10);
        }
        return sum / codes.length;
    }

    private static double density(double[] x, double[] p, double tau, double floor) {
        int k = x.length;
        double total = 0;
        double value = (k == 3 ? Math.log(2) : 0) + (k - 1) * Math.log(tau);
        for (int i = 0; i < k; i++) {
            total += (p[i] + 1e-15) * Math.pow(x[i] + floor, -tau);
        }
        for (int i = 0; i < k; i++) {
            value += Math.log(p[i] + 1e-15) - (tau + 1) * Math.log(x[i] + floor) - Math.log(total);
        }
        return value;
    }

    private static double entropy(double[] logits, double[][] noise) {
        double sum = 0;
        double[][] q = ProductFigures.softmax(target().space(), logits, 0);
        for (double[] x : soft(logits, noise)) {
            sum -= density(new double[] {x[0], x[1]}, q[0], TAU, 1e-31);
            sum -= density(new double[] {x[3], x[4], x[5]}, q[1], TAU, 1e-31);
        }
        return sum / noise.length;
    }

    /** softmax((l + g) / tau) of each variable; position 2 belongs to no category of a. */
    private static double[][] soft(double[] logits, double[][] noise) {
        return Arrays.stream(noise).map(g -> {
            double[] scaled = new double[6];
            Arrays.setAll(scaled, i -> (logits[i] + g[i]) / TAU);
            double[][] rows = ProductFigures.softmax(target().space(), scaled, 0);
            return new double[] {rows[0][0], rows[0][1], 0, rows[1][0], rows[1][1], rows[1][2]};
        }).toArray(double[][]::new);
    }

    private static double[][] hard(double[][] soft) {
        return Arrays.stream(soft).map(x -> {
            int b = x[3] >= x[4] && x[3] >= x[5] ? 3 : x[4] >= x[5] ? 4 : 5;
            double[] one = new double[6];
            one[x[0] >= x[1] ? 0 : 1] = 1;
            one[b] = 1;
            return one;
        }).toArray(double[][]::new);
    }

    private static double[][] noise(Seed seed) {
        double[] flat = new Draws(seed).gumbel("noise", SAMPLES * 6);
        double[][] rows = new double[SAMPLES][];
        Arrays.setAll(rows, s -> Arrays.copyOfRange(flat, s * 6, s * 6 + 6));
        return rows;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void objectiveEqualsPlainLoops(boolean straightThrough) {
        GumbelTemperatures cell = GumbelTemperatures.constant(TAU, PRIOR_TAU);
        try (GumbelFit fit = fit(straightThrough, new Optimiser.Sgd(), 1e-3, cell)) {
            TrainingState state = training(fit).init(SEED);
            double[][] noise = noise(SEED.fold("objective").fold(0).fold(0));
            double[][] x = soft(state.parameters(), noise);
            double expected = prior(straightThrough ? hard(x) : x) + entropy(state.parameters(), noise);
            assertThat(fit.objective(state, 1)[0]).isCloseTo(expected, within(1e-9));
        }
    }

    /** Plain descent with rate 1 moves by the gradient. */
    @Test
    @Tag("slow")
    void gradientEqualsCentralDifferences() {
        try (GumbelFit fit = fit(false, new Optimiser.Sgd(), 1, GumbelTemperatures.constant(TAU, PRIOR_TAU))) {
            TrainingState state = training(fit).init(SEED);
            double[] start = state.parameters();
            double[][] noise = noise(SEED.fold("step").fold(0));
            double[] after = training(fit).advance(state, 1).parameters();
            for (int i = 0; i < start.length; i++) {
                double expected = difference(start, i, 1e-5, l -> prior(soft(l, noise)) + entropy(l, noise));
                assertThat(after[i] - start[i]).as("logit " + i).isCloseTo(expected, within(1e-7));
            }
        }
    }

    /** The codes are one-hot, their gradient is that of the soft ones: chain rule by hand. */
    @Test
    void straightThroughGradientIsThatOfTheHardCodesCarriedToTheSoftOnes() {
        try (GumbelFit fit = fit(true, new Optimiser.Sgd(), 1, GumbelTemperatures.constant(TAU, PRIOR_TAU))) {
            TrainingState state = training(fit).init(SEED);
            double[] start = state.parameters();
            double[][] noise = noise(SEED.fold("step").fold(0));
            double[][] codes = hard(soft(start, noise));
            double[][] slopes = new double[SAMPLES][6];
            for (int s = 0; s < SAMPLES; s++) {
                for (int i : new int[] {0, 1, 3, 4, 5}) {
                    int sample = s;
                    // beside the floor 1e-10 a step must be tiny, at 1 it must not be
                    slopes[s][i] = difference(codes[s], i, codes[s][i] == 0 ? 1e-14 : 1e-6, x -> {
                        double[][] changed = codes.clone();
                        changed[sample] = x;
                        return prior(changed);
                    });
                }
            }
            double[] after = training(fit).advance(state, 1).parameters();
            for (int i = 0; i < start.length; i++) {
                double expected = difference(start, i, 1e-5, l -> {
                    double[][] x = soft(l, noise);
                    double linear = 0;
                    for (int s = 0; s < SAMPLES; s++) {
                        for (int j = 0; j < 6; j++) {
                            linear += slopes[s][j] * x[s][j];
                        }
                    }
                    return linear;
                });
                // slopes reach 1e10; the central differences behind them are good to five digits
                assertThat(after[i] - start[i]).as("logit " + i)
                        .isCloseTo(expected, within(1e-5 * Math.abs(expected) + 10));
            }
        }
    }

    private static double difference(double[] at, int i, double h, ToDoubleFunction<double[]> f) {
        double[] up = at.clone();
        double[] down = at.clone();
        up[i] += h;
        down[i] -= h;
        return (f.applyAsDouble(up) - f.applyAsDouble(down)) / (up[i] - down[i]);
    }

    @Test
    void figuresEqualEnumeration() {
        NetworkTarget target = new NetworkTarget(Evidence.parse(BuiltInNetworks.open("sachs"), "Akt=HIGH"));
        try (GumbelFit fit = new GumbelFit(target, GumbelSettings.published(false),
                List.of(GumbelTemperatures.constant(1, 1), GumbelTemperatures.constant(0.5, 2)))) {
            TrainingState state = advanced(fit, 20);
            double[][] q = fit.product(state, 1);
            int[][] all = target.space().all(100_000);
            double[] logQ = new double[all.length];
            for (int i = 0; i < all.length; i++) {
                for (int d = 0; d < q.length; d++) {
                    logQ[i] += Math.log(q[d][all[i][d]]);
                }
            }
            double[] logJoint = target.logJoint(all);
            double elbo = IntStream.range(0, all.length)
                    .mapToDouble(i -> Math.exp(logQ[i]) * (logJoint[i] - logQ[i])).sum();
            double kl = LogSpace.sumExp(logJoint) - elbo;
            assertThat(fit.figures(state, 1).elbo()).isCloseTo(elbo, within(1e-9));
            assertThat(fit.figures(state, 1).kl()).isCloseTo(kl, within(1e-9));
            // no table of this network has a zero
            assertThat(fit.figures(state, 1).flooredKl()).isCloseTo(kl, within(1e-9));
        }
    }

    @Test
    void impossibleCodesCostInfinityOrTheFloor() {
        NetworkTarget target = target(0);
        double[][] q = {{0.5, 0.5}, {0.25, 0.25, 0.5}};
        ProductFigures figures = new ProductFigures.Judge(target).of(q);
        assertThat(figures.kl()).isInfinite();
        double expected = 0;
        for (int[] code : target.space().all(10)) {
            double p = q[0][code[0]] * q[1][code[1]];
            double logJoint = target.logJoint(new int[][] {code})[0];
            expected += p * (Double.isInfinite(logJoint) ? 2 * Math.log(0.3) + Math.log(1e-15) : logJoint);
            expected -= p * Math.log(p);
        }
        // the floor changes possible entries by 1e-15 of themselves only
        assertThat(figures.flooredElbo()).isCloseTo(expected, within(1e-12));
    }

    @Test
    void cellsOfABatchAreFitsOfTheirOwn() {
        GumbelTemperatures[] cells = {GumbelTemperatures.constant(0.1, 3), GumbelTemperatures.constant(1, 1),
            GumbelTemperatures.constant(10, 0.3)};
        try (GumbelFit together = fit(true, new Optimiser.RmsProp(), 0.01, cells)) {
            TrainingState all = advanced(together, 30);
            for (int c = 0; c < cells.length; c++) {
                try (GumbelFit alone = fit(true, new Optimiser.RmsProp(), 0.01, cells[c])) {
                    double[] own = advanced(alone, 30).parameters();
                    assertThat(Arrays.copyOfRange(all.parameters(), c * 6, c * 6 + 6))
                            .containsExactly(own, within(1e-9));
                }
            }
        }
    }

    @Test
    void goingOnFromAStateChangesNothing() {
        GumbelTemperatures cell = GumbelTemperatures.constant(1, 1);
        try (GumbelFit one = fit(false, new Optimiser.RmsProp(), 0.01, cell);
                GumbelFit other = fit(false, new Optimiser.RmsProp(), 0.01, cell)) {
            TrainingState half = advanced(one, 10);
            assertThat(training(other).advance(half, 10).parameters())
                    .containsExactly(training(one).advance(half, 10).parameters());
        }
    }

    /** The published notebook ends at objective -2.985 and KL 1.407 here, estimated from samples, with its own seed. */
    @Test
    void earthquakeEndsWhereThePublishedRunEnds() {
        NetworkTarget target = new NetworkTarget(Evidence.parse(BuiltInNetworks.open("earthquake"), "MaryCalls=True"));
        try (GumbelFit fit = new GumbelFit(target, GumbelSettings.published(false),
                List.of(GumbelTemperatures.constant(1, 1)))) {
            TrainingState state = advanced(fit, 1000);
            assertThat(fit.objective(state, 20)[0]).isCloseTo(-2.985, within(0.1));
            assertThat(fit.figures(state, 0).kl()).isCloseTo(1.407, within(0.1));
        }
    }

    @Test
    void wrongSettingsAreNamed() {
        assertThatThrownBy(() -> GumbelTemperatures.constant(1, 0)).hasMessageContaining("prior = 0.0");
        assertThatThrownBy(() -> GumbelTemperatures.constant(-1, 1)).hasMessageContaining("tau = -1.0");
        assertThatThrownBy(() -> new GumbelSettings(true, 0, TrainingSettings.of(new Optimiser.Sgd(), 1)))
                .hasMessageContaining("samples = 0");
        assertThatThrownBy(() -> fit(false, new Optimiser.Sgd(), 1)).hasMessageContaining("cells is empty");
    }
}
