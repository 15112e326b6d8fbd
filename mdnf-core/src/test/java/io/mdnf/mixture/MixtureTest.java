package io.mdnf.mixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.base.Base;
import io.mdnf.base.Deltas;
import io.mdnf.base.FixedBase;
import io.mdnf.base.TrainableBase;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.Flow;
import io.mdnf.flow.FlowStack;
import io.mdnf.flow.Setting;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.network.Activation;
import io.mdnf.network.Bipartite;
import io.mdnf.network.Conditioned;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Given;
import io.mdnf.network.Made;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What single mixtures promise beyond the contract of all, which is in mdnf-test. */
class MixtureTest {

    private static final int B = 3;
    private static final CodeSpace CODES = CodeSpace.of(2, 3, 2);
    /** Parameters that make the weights unequal too. */
    private static double[] parameters(Mixture mixture) {
        double[] flat = mixture.layout().initial(Seed.of(1));
        if (mixture.weighting() == Weighting.FREE) {
            double[] logits = new Draws(Seed.of(4)).normal("weights", mixture.weightLogits().size());
            flat = mixture.layout().with("weights", logits, flat);
        }
        return flat;
    }

    /** With S a multiple of B, equal weights and deltas, every draw gives the exact sum over atoms. */
    @Test
    void dealtSamplesOfAtomsHaveNoVariance() {
        Mixture mixture = Mixture.atoms(CODES, 5);
        double[] parameters = mixture.layout().initial(Seed.of(6));
        double exact = 0;
        try (FlowMixture q = new FlowMixture(mixture, parameters)) {
            for (double weight : q.atoms().weights()) {
                exact -= weight * Math.log(weight);
            }
        }
        for (int samples : new int[] {5, 10, 50}) {
            Graph graph = new Graph(Precision.DOUBLE);
            Setting setting = Setting.in(graph);
            MixtureGraph q = mixture.in(setting);
            Sampling sampling = q.sample(samples, Estimator.CHOSEN);
            Tensor estimate = q.logProb(sampling.codes(), graph.precision().tiny()).times(sampling.weights()).sum()
                    .times(-1);
            Tensor entropy = q.entropy();
            try (ExecutionPlan plan = ExecutionPlan.forward(graph, estimate, entropy)) {
                plan.load(parameters);
                plan.write(setting.inverseTemperature(), 1);
                for (int i = 0; i < 3; i++) {
                    sampling.draw(plan, new Draws(Seed.of(i)));
                    plan.run();
                    assertThat(plan.value(estimate)).isCloseTo(exact, Offset.offset(1e-12));
                    assertThat(plan.read(entropy)[0]).isCloseTo(exact, Offset.offset(1e-12));
                }
            }
        }
    }

    @Test
    void exactEntropyEqualsEnumeration() {
        for (Mixture mixture : List.of(Mixture.factorised(CODES, 7), Mixture.atoms(CODES, 6, Weighting.FREE),
                new Mixture(Structure.PER_VARIABLE, new ShiftFlow(new DirectLogits(CODES, 3)),
                        new TrainableBase(CODES, 3),
                        Weighting.FREE))) {
            double[] parameters = parameters(mixture);
            double exact = 0;
            try (FlowMixture q = new FlowMixture(mixture, parameters)) {
                for (double p : q.table()) {
                    exact -= p > 0 ? p * Math.log(p) : 0;
                }
            }
            Graph graph = new Graph(Precision.DOUBLE);
            Setting setting = Setting.in(graph);
            Tensor entropy = mixture.in(setting).entropy();
            try (ExecutionPlan plan = ExecutionPlan.forward(graph, entropy)) {
                plan.load(parameters);
                plan.write(setting.inverseTemperature(), 1);
                plan.run();
                assertThat(plan.read(entropy)[0]).isCloseTo(exact, Offset.offset(1e-12));
            }
        }
    }

    /** The averaged estimator's gradient is that of the tables, whatever was sampled. */
    @Test
    void averagedGradientIsThatOfTheDistribution() {
        for (Mixture mixture : List.of(Mixture.factorised(CODES, 4), Mixture.autoregressive(CODES, 3))) {
            double[] w = new Draws(Seed.of(1)).normal("w", 5 * 9);
            double[][] gradients = new double[2][];
            for (int way = 0; way < 2; way++) {
                Graph graph = new Graph(Precision.DOUBLE);
                Setting setting = Setting.in(graph);
                MixtureGraph q = mixture.in(setting);
                Sampling sampling = q.sample(5, Estimator.AVERAGED);
                Tensor code = mixture.looksAtCode() ? graph.placeholder("sample/code", 5, 3, 3) : null;
                Tensor value = way == 0 ? sampling.codes() : q.tables(code).q().spread(0, 5);
                Tensor loss = value.times(graph.constant(w, 5, 3, 3)).sum();
                try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss, sampling.codes())) {
                    plan.load(mixture.layout().initial(Seed.of(1)));
                    plan.write(setting.inverseTemperature(), 0.5);
                    sampling.draw(plan, new Draws(Seed.of(3)));
                    plan.run();
                    gradients[way] = plan.gradients();
                }
            }
            for (int i = 0; i < gradients[0].length; i++) {
                assertThat(gradients[0][i] - gradients[1][i]).isZero();
            }
            assertThat(Arrays.stream(gradients[0]).map(Math::abs).max().getAsDouble()).isGreaterThan(1e-3);
        }
    }

    /** Two categories: the second entry alone, counted, against all entries of one-hot codes. */
    @Test
    void twoCategoriesAreDecidedByDifferencesAlone() {
        CodeSpace space = CodeSpace.uniform(3, 2);
        StraightThrough general = (logits, codes, inverse) ->
                StraightThrough.FIRST_ORDER.oneHot(logits, codes, inverse);
        for (ShiftNetwork network : List.of(new Given(space, 4), new Conditioned(new DirectLogits(space, 4)),
                new Conditioned(Made.with(space, 4).hidden(5).build()), new DirectLogits(space, 4))) {
            Mixture mixture = new Mixture(Structure.PER_VARIABLE, new ShiftFlow(network), Deltas.zero(space, 4),
                    Weighting.EQUAL);
            List<double[]> found = new ArrayList<>();
            for (int way = 0; way < 3; way++) {
                Graph graph = new Graph(Precision.DOUBLE);
                Tensor given = graph.parameter(new Parameter("given", Initialiser.normal(1), 4, 5, 3, 2));
                // as logits in the general way, as logits, as differences
                Tensor handed = way < 2 ? given : StraightThrough.differences(given).reshape(4, 5, 3, 1);
                Setting setting = Setting.in(graph).given(handed)
                        .with(way == 0 ? general : StraightThrough.FIRST_ORDER);
                Tensor x = graph.constant(space.oneHot(Arrays.copyOf(space.all(8), 5)), 5, 3, 2);
                Tensor q = mixture.in(setting).tables(x).q();
                Tensor loss = q.times(graph.constant(new Draws(Seed.of(3)).normal("w", q.size()), q.shape())).sum()
                        .plus(given.sum().times(0.1));
                try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss, q)) {
                    plan.load(graph.layout().initial(Seed.of(1)));
                    plan.write(setting.inverseTemperature(), 0.7);
                    plan.run();
                    found.add(java.util.stream.DoubleStream.concat(
                            Arrays.stream(plan.read(q)), Arrays.stream(plan.gradients())).toArray());
                }
            }
            assertThat(found.get(1)).containsExactly(found.get(0), Offset.offset(1e-12));
            assertThat(found.get(2)).containsExactly(found.get(0), Offset.offset(1e-12));
        }
    }

    /** A category that no component has must have probability 0, not a rounding error: its logarithm is taken. */
    @ParameterizedTest
    @CsvSource({"2, 40", "2, 7", "3, 40", "40, 40"})
    void inFloatTooWhatNoComponentHasIsExactlyZero(int categories, int components) {
        CodeSpace space = CodeSpace.uniform(3, categories);
        Mixture mixture = new Mixture(Structure.PER_VARIABLE, new ShiftFlow(new Given(space, components)),
                Deltas.zero(space, components), Weighting.EQUAL);
        Graph graph = new Graph(Precision.FLOAT);
        Tensor common = graph.placeholder("common", 5, 3, categories);
        Setting setting = Setting.in(graph).given(common);
        Tensor q = mixture.in(setting).tables(null).q();
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, q)) {
            plan.write(common, new Draws(Seed.of(2)).normal("common", common.size()));
            plan.write(setting.inverseTemperature(), 1);
            plan.run();
            // all components are given the same, so they agree
            for (double share : plan.read(q)) {
                assertThat(share == 0 || Math.abs(share - 1) < 1e-6).as("share " + share).isTrue();
            }
        }
    }

    /** The value is exact; the slope is that of the logarithm with a hundredth of a component's weight added. */
    @Test
    void entropyHasAnExactValueAndABoundedSlope() {
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor q = graph.parameter(new Parameter("q", Initialiser.of(0, 0.25, 0.75), 1, 1, 3));
        Tensor prior = graph.constant(new double[] {-1, -2, -3}, 1, 3);
        Tables tables = new Tables(q, 8);
        Tensor entropy = tables.entropy();
        Tensor divergence = tables.divergence(prior);
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, entropy.sum(), entropy, divergence)) {
            plan.load(graph.layout().initial(Seed.of(1)));
            plan.run();
            double exact = -0.25 * Math.log(0.25) - 0.75 * Math.log(0.75);
            assertThat(plan.read(entropy)[0]).isCloseTo(exact, Offset.offset(1e-15));
            assertThat(plan.read(divergence)[0]).isCloseTo(-exact + 0.5 + 2.25, Offset.offset(1e-15));
            double floor = 0.01 / 8;
            double[] slopes = Arrays.stream(new double[] {0, 0.25, 0.75})
                    .map(p -> -Math.log(p + floor) - p / (p + floor)).toArray();
            assertThat(plan.gradients()).containsExactly(slopes, Offset.offset(1e-12));
        }
    }

    @Test
    void operationCountIsTheSameForOneTenAndAHundredComponents() {
        List<Integer> counts = new ArrayList<>();
        for (int b : new int[] {1, 10, 100}) {
            Graph graph = new Graph(Precision.FLOAT);
            MixtureGraph q = Mixture.made(FixedBase.uniform(CODES, b), Weighting.EQUAL).in(Setting.in(graph));
            q.logProb(graph.placeholder("x", 4, 3, 3), MixtureGraph.TRAINING);
            counts.add(graph.operationCount());
        }
        System.out.println("operations for B = 1, 10, 100: " + counts);
        assertThat(counts).containsOnly(counts.get(0));
    }

    /** The same network with hidden degrees that are drawn, as in the paper of MADE, in place of dealt out. */
    private static Made withRandomDegrees(Made made) {
        int[] degrees = new Draws(Seed.of(1)).uniform("layer0", made.hidden()[0], made.space().variables() - 1);
        return new Made(made.space(), made.components(), made.hidden(), made.activation(), made.direct(), made.order(),
                new int[][] {degrees}, made.shared(), made.first());
    }

    @Test
    void madeLooksOnlyAtEarlierVariables() {
        CodeSpace codes = CodeSpace.of(3, 2, 3, 2);
        int[] order = {2, 0, 3, 1};
        for (Made made : List.of(
                Made.with(codes, 2).hidden(9, 8).order(order).directConnections().build(),
                Made.with(codes, 2).hidden(9, 9).order(order).activation(Activation.LINEAR).build(),
                withRandomDegrees(Made.with(codes, 2).hidden(11).order(order).build()))) {
            Mixture mixture = new Mixture(Structure.PER_VARIABLE, new ShiftFlow(made), FixedBase.uniform(codes, 2),
                    Weighting.EQUAL);
            Graph graph = new Graph(Precision.DOUBLE);
            Tensor x = graph.placeholder("x", 2, 1, 4, 3);
            Tensor logits = made.logits(graph, new ShiftNetwork.Inputs(x, null)).plus(0);
            assertThat(mixture.looksAtCode()).isTrue();
            try (ExecutionPlan plan = ExecutionPlan.forward(graph, logits)) {
                plan.load(graph.layout().initial(Seed.of(1)));
                double[] code = new Draws(Seed.of(2)).normal("x", 24);
                plan.write(x, code);
                plan.run();
                double[] before = plan.read(logits);
                int[] position = made.space().positions(made.order());
                boolean[][] reaches = new boolean[4][4];
                for (int j = 0; j < 4; j++) {
                    double[] moved = code.clone();
                    for (int b = 0; b < 2; b++) {
                        for (int k = 0; k < 3; k++) {
                            moved[(b * 4 + j) * 3 + k] += 1;
                        }
                    }
                    plan.write(x, moved);
                    plan.run();
                    double[] after = plan.read(logits);
                    for (int i = 0; i < after.length; i++) {
                        int d = i / 3 % 4;
                        reaches[j][d] |= after[i] != before[i];
                    }
                    for (int d = 0; d < 4; d++) {
                        if (position[j] >= position[d] || made.activation() == Activation.LINEAR) {
                            assertThat(reaches[j][d]).as("variable %d reaches %d", j, d)
                                    .isEqualTo(position[j] < position[d]);
                        }
                    }
                }
            }
        }
    }

    /** Flows of one network are scored outside the graph; the graph of the same mixture is their twin. */
    @Test
    void sharedFlowsAreScoredOutsideTheGraphAsWithin() {
        CodeSpace codes = CodeSpace.of(3, 2, 4, 2);
        int b = 17;
        int[] order = {2, 0, 3, 1};
        for (Made.Builder made : List.of(Made.with(codes, b).hidden(),
                Made.with(codes, b).hidden(9).directConnections(),
                Made.with(codes, b).hidden(8, 5).order(order))) {
            Mixture mixture = new Mixture(Structure.PER_VARIABLE, new ShiftFlow(made.sharedWeights().build()),
                    Deltas.zero(codes, b), Weighting.FREE);
            double[] flat = parameters(mixture);
            int[][] all = codes.all(100);
            Graph graph = new Graph(Precision.DOUBLE);
            Setting setting = Setting.in(graph);
            Tensor x = graph.placeholder("x", all.length, 4, 4);
            Tensor q = mixture.in(setting).variableProbabilities(x).plus(0);
            try (ExecutionPlan plan = ExecutionPlan.forward(graph, q);
                    FlowMixture posterior = new FlowMixture(mixture, flat)) {
                plan.load(flat);
                plan.write(setting.inverseTemperature(), 1);
                plan.write(x, codes.oneHot(all));
                plan.run();
                double[] within = plan.read(q);
                double[] outside = posterior.logProb(all);
                for (int i = 0; i < all.length; i++) {
                    double product = within[4 * i] * within[4 * i + 1] * within[4 * i + 2] * within[4 * i + 3];
                    assertThat(Math.exp(outside[i])).isCloseTo(product, Offset.offset(1e-12));
                }
            }
        }
    }

    @Test
    void badCombinationsAreNamed() {
        Flow stack = new FlowStack(List.of(new ShiftFlow(new DirectLogits(CODES, B))));
        Base base = Deltas.zero(CODES, B);
        assertThatThrownBy(() -> new Mixture(Structure.PER_VARIABLE, stack, base, Weighting.EQUAL))
                .hasMessageContaining("mixes variables");
        assertThatThrownBy(() -> new Mixture(Structure.JOINT, stack, Deltas.zero(CODES, 2), Weighting.EQUAL))
                .hasMessageContaining("3 components, base 2");
        assertThatThrownBy(() -> new Mixture(Structure.JOINT, stack, Deltas.zero(CodeSpace.of(2, 2), B),
                Weighting.EQUAL))
                .hasMessageContaining("CodeSpace(D=2, K=2)");
        Mixture conditional = new Mixture(Structure.JOINT, new ShiftFlow(new Given(CODES, B)), base, Weighting.EQUAL);
        assertThatThrownBy(() -> new FlowMixture(conditional, new double[0])).hasMessageContaining("only given logits");
        assertThatThrownBy(() -> new FlowMixture(Mixture.atoms(CODES, 2), new double[18], new double[9]))
                .hasMessageContaining("takes nothing from outside");
        Graph graph = new Graph(Precision.DOUBLE);
        Setting short4 = Setting.in(graph).given(graph.ones(4, 3, 2));
        assertThatThrownBy(() -> conditional.in(short4).sample(4, Estimator.CHOSEN)).hasMessageContaining("given = ");
        assertThatThrownBy(() -> conditional.in(Setting.in(graph)).atoms()).hasMessageContaining("given is missing");
        assertThatThrownBy(() -> new Conditioned(new Given(CODES, B))).hasMessageContaining("already");
        assertThatThrownBy(() -> new Conditioned(new Bipartite(CODES, B, new int[] {0})))
                .hasMessageContaining("must pass");
        MixtureGraph atoms = Mixture.atoms(CODES, 2).in(Setting.in(new Graph(Precision.DOUBLE)));
        assertThatThrownBy(() -> atoms.sample(4, Estimator.AVERAGED)).hasMessageContaining("PER_VARIABLE");
        assertThatThrownBy(() -> atoms.sample(0, Estimator.CHOSEN)).hasMessageContaining("samples = 0");
        assertThatThrownBy(() -> atoms.tables(null)).hasMessageContaining("only PER_VARIABLE");
        assertThatThrownBy(() -> new FlowMixture(Mixture.atoms(CODES, 2), new double[3]))
                .hasMessageContaining("3 given");
        double[] nan = new double[18];
        nan[4] = Double.NaN;
        assertThatThrownBy(() -> new FlowMixture(Mixture.atoms(CODES, 2), nan)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> FixedBase.dirichlet(CODES, 2, 0, Seed.of(1))).hasMessageContaining("alpha = 0.0");
        assertThatThrownBy(() -> FixedBase.categorical(CODES, 1, IntStream.range(0, 9).mapToDouble(i -> 0.5).toArray()))
                .hasMessageContaining("only 2 categories");
        for (int[] order : new int[][] {{}, {0}, {0, 1}, {0, 1, 1}, {0, 1, 3}, {0, 1, 2, 3}}) {
            assertThatThrownBy(() -> Made.with(CODES, 2).order(order).build())
                    .hasMessageContaining("order = " + Arrays.toString(order) + " is not a permutation of 0 .. 2");
        }
    }

    @Test
    void structureAndParameterCountShowInToString() {
        assertThat(Mixture.atoms(CODES, 4).toString())
                .contains("JOINT", "B=4", "Shift(DirectLogits[36 parameters])", "36 parameters)");
        assertThat(Mixture.autoregressive(CODES, 2).toString())
                .contains("PER_VARIABLE", "Made[hidden=[32], RELU, direct");
    }
}
