package io.mdnf.mixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.base.Base;
import io.mdnf.base.Deltas;
import io.mdnf.base.FixedBase;
import io.mdnf.base.TrainableBase;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.Flow;
import io.mdnf.flow.Flows;
import io.mdnf.flow.Setting;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.GradientCheck;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.network.Activation;
import io.mdnf.network.Bipartite;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.FactorLogits;
import io.mdnf.network.Made;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.StraightThrough;
import io.mdnf.network.Conditioned;
import io.mdnf.network.Given;
import io.mdnf.network.ShiftNetwork;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.ParameterizedTest;

/** The promises every mixture keeps: structure x flow x network x base x weights. */
class MixtureContractTest {

    private static final int B = 3;
    private static final CodeSpace CODES = CodeSpace.of(2, 3, 2);
    private static final Map<String, Mixture> MIXTURES = mixtures();
    private static final Map<Mixture, double[][]> TABLES = new IdentityHashMap<>();

    static Map<String, Base> bases(CodeSpace codes, int b) {
        Map<String, Base> bases = new LinkedHashMap<>();
        bases.put("deltas", Deltas.random(codes, b, Seed.of(2)));
        bases.put("Dirichlet", FixedBase.dirichlet(codes, b, 0.5, Seed.of(3)));
        bases.put("trainable", new TrainableBase(codes, b));
        return bases;
    }

    private static Map<String, Mixture> mixtures() {
        Map<String, Mixture> all = new LinkedHashMap<>();
        for (Structure structure : Structure.values()) {
            Map<String, ? extends Flow> flows =
                    structure == Structure.JOINT ? Flows.all(CODES, B) : Flows.variableWise(CODES, B);
            flows.forEach((f, flow) -> bases(CODES, B).forEach((p, base) -> {
                for (Weighting weighting : Weighting.values()) {
                    all.put(structure + ", " + f + ", " + p + ", " + weighting,
                            new Mixture(structure, flow, base, weighting));
                }
            }));
        }
        return all;
    }

    private static Stream<DynamicTest> forEveryMixture(Consumer<Mixture> promise) {
        return MIXTURES.entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> promise.accept(e.getValue())));
    }

    /**
     * Half of the mixtures, for promises that need a graph of each: within a structure every flow with every base, and
     * every flow and every base with either weighting. Weights meet a component's probability as one factor, whatever
     * flow and base made it, so a fault of all three together that no two of them show has no place to come from.
     */
    private static Stream<DynamicTest> forEveryPair(Consumer<Mixture> promise) {
        List<String> names = new ArrayList<>(MIXTURES.keySet());
        int weightings = Weighting.values().length;
        return IntStream.range(0, names.size() / weightings).mapToObj(i -> names.get(weightings * i + i % weightings))
                .map(name -> DynamicTest.dynamicTest(name, () -> promise.accept(MIXTURES.get(name))));
    }

    @Test
    void pairsOfPartsAreAllThere() {
        Set<String> all = pairs(MIXTURES.keySet().stream());
        assertThat(pairs(forEveryPair(mixture -> { }).map(DynamicTest::getDisplayName))).isEqualTo(all);
    }

    /** Which two parts stand together within a structure. */
    private static Set<String> pairs(Stream<String> names) {
        return names.map(name -> name.split(", ")).flatMap(parts -> IntStream.range(1, parts.length).boxed().flatMap(
                i -> IntStream.range(1, i).mapToObj(j -> parts[0] + " " + parts[i] + " " + parts[j])))
                .collect(Collectors.toSet());
    }

    /** Parameters that make the weights unequal too. */
    private static double[] parameters(Mixture mixture) {
        double[] flat = mixture.layout().initial(Seed.of(1));
        if (mixture.weighting() == Weighting.FREE) {
            double[] logits = new Draws(Seed.of(4)).normal("weights", mixture.weightLogits().size());
            flat = mixture.layout().with("weights", logits, flat);
        }
        return flat;
    }

    /** How many distributions a mixture is: one for each of two observations if it is conditional. */
    private static int observations(Mixture mixture) {
        return mixture.isConditional() ? 2 : 1;
    }

    /** What an observation gives to a conditional mixture, flat [B, D, K]; nothing to others. */
    private static double[] given(Mixture mixture, int observation) {
        return mixture.isConditional()
                ? new Draws(Seed.of(8).fold(observation)).normal("given", B * mixture.space().oneHotLength())
                : null;
    }

    /** q, or q(. | y) of an observation. */
    private static FlowMixture distribution(Mixture mixture, int observation) {
        return new FlowMixture(mixture, parameters(mixture), given(mixture, observation));
    }

    /** All probabilities of each observation's distribution, computed once for all promises. */
    private static double[][] tables(Mixture mixture) {
        return TABLES.computeIfAbsent(mixture, absent -> {
            double[][] tables = new double[observations(mixture)][];
            for (int o = 0; o < tables.length; o++) {
                try (FlowMixture q = distribution(mixture, o)) {
                    tables[o] = q.table();
                }
            }
            return tables;
        });
    }

    /** The logits of {@code rows} observations that alternate, [B, rows, D, K]. */
    private static double[] alternating(Mixture mixture, int rows) {
        int length = mixture.space().oneHotLength();
        double[] all = new double[B * rows * length];
        for (int i = 0; i < rows; i++) {
            double[] given = given(mixture, i % 2);
            for (int b = 0; b < B; b++) {
                System.arraycopy(given, b * length, all, (b * rows + i) * length, length);
            }
        }
        return all;
    }

    @TestFactory
    Stream<DynamicTest> probabilitiesSumToOne() {
        return forEveryMixture(mixture -> {
            double[][] tables = tables(mixture);
            for (double[] table : tables) {
                assertThat(Arrays.stream(table).sum()).isCloseTo(1, Offset.offset(1e-12));
            }
            if (tables.length > 1) {
                assertThat(tables[0]).as("observations make a difference").isNotEqualTo(tables[1]);
            }
        });
    }

    /**
     * Samples against the table by chi-square at level 1e-4 on fixed seeds: of the 200 or so distributions one would
     * fail by chance about once in 50 choices of seeds. Codes of probability 0 must never appear.
     */
    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> samplesFollowTheLogProbability() {
        return forEveryMixture(mixture -> {
            for (int o = 0; o < observations(mixture); o++) {
                try (FlowMixture q = distribution(mixture, o)) {
                    check(q, tables(mixture)[o]);
                }
            }
        });
    }

    private static void check(FlowMixture q, double[] table) {
        int n = 3000;
        double[] counts = new double[table.length];
        for (int[] code : q.sample(n, Seed.of(11))) {
            counts[(int) CODES.rank(code)]++;
        }
        double statistic = 0;
        int cells = 0;
        double restCount = 0;
        double restExpected = 0;
        for (int i = 0; i < table.length; i++) {
            if (table[i] == 0) {
                assertThat(counts[i]).as("impossible code %d", i).isZero();
            } else if (n * table[i] < 5) {
                restCount += counts[i];
                restExpected += n * table[i];
            } else {
                statistic += square(counts[i] - n * table[i]) / (n * table[i]);
                cells++;
            }
        }
        if (restExpected >= 5) {
            statistic += square(restCount - restExpected) / restExpected;
            cells++;
        }
        if (cells > 1) {
            double p = ChiSquaredDistribution.of(cells - 1).survivalProbability(statistic);
            assertThat(p).isGreaterThan(1e-4);
        }
    }

    private static double square(double x) {
        return x * x;
    }

    /**
     * The graph's own weighted samples: exactly one-hot, weights summing to 1, frequencies within 5 standard errors of
     * S / B independent samples, which one component gets (dealing and weights only lower them): fails by chance less
     * than once in 10,000 runs.
     */
    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> sampledInTheGraphIsWhatIsScored() {
        return forEveryPair(mixture -> {
            int observations = observations(mixture);
            int samples = 110; // not a multiple of B, so that dealing leaves some over
            int draws = 5;
            double[][] table = tables(mixture);
            for (Estimator estimator : Estimator.values()) {
                if (estimator.isAveraged() && mixture.structure() == Structure.JOINT
                        || estimator == Estimator.RESAMPLED && mixture.isConditional()) {
                    continue;
                }
                double[][] frequency = new double[observations][table[0].length];
                Graph graph = new Graph(Precision.DOUBLE);
                Setting setting = Setting.in(graph);
                if (observations > 1) {
                    setting = setting.given(graph.constant(alternating(mixture, samples), B, samples, 3, 3));
                }
                MixtureGraph q = mixture.in(setting);
                Sampling sampling = q.sample(samples, estimator);
                Tensor codes = sampling.codes().plus(0);
                Tensor weights = sampling.weights().plus(0);
                Tensor logQ = q.logProb(sampling.codes(), MixtureGraph.EXACT);
                try (ExecutionPlan plan = ExecutionPlan.forward(graph, codes, weights, logQ)) {
                    plan.load(parameters(mixture));
                    plan.write(setting.inverseTemperature(), 1);
                    for (int i = 0; i < draws; i++) {
                        sampling.draw(plan, new Draws(Seed.of(5).fold(i)));
                        plan.run();
                        double[] x = plan.read(codes);
                        double[] w = plan.read(weights);
                        double[] lq = plan.read(logQ);
                        int[][] indices = CODES.indices(x);
                        assertThat(CODES.oneHot(indices)).containsExactly(x);
                        assertThat(Arrays.stream(w).sum()).isCloseTo(1, Offset.offset(1e-12));
                        for (int s = 0; s < w.length; s++) {
                            int rank = (int) CODES.rank(indices[s]);
                            int o = s % observations;
                            frequency[o][rank] += observations * w[s] / draws;
                            // an alternative that is never drawn weighs nothing
                            assertThat(w[s] == 0 ? 0 : lq[s])
                                    .isCloseTo(w[s] == 0 ? 0 : Math.log(table[o][rank]), Offset.offset(1e-9));
                        }
                    }
                }
                for (int o = 0; o < observations; o++) {
                    for (int i = 0; i < table[o].length; i++) {
                        double p = table[o][i];
                        double deviation = Math.sqrt(p * (1 - p) / (draws * (samples / B)));
                        assertThat(frequency[o][i]).as("%s: q of code %d", estimator, i)
                                .isCloseTo(p, Offset.offset(5 * deviation + 1e-12));
                    }
                }
            }
        });
    }

    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> gradientsOfTheSurrogateEqualCentralDifferences() {
        double[] codes = CODES.oneHot(new int[][] {{0, 2, 1}, {1, 0, 0}, {1, 1, 1}});
        Tensor[] inverse = new Tensor[1];
        return forEveryPair(mixture -> GradientCheck.check(graph -> {
            // soft codes everywhere: log q at fixed codes, and at codes that are themselves sampled by the flows
            Setting setting = Setting.in(graph).with(Flows.SOFT);
            inverse[0] = setting.inverseTemperature();
            Setting own = setting;
            if (mixture.isConditional()) {
                // given to one row each, and by all components of a row: both get their gradient
                Tensor given = graph.parameter(new Parameter("given", Initialiser.normal(1), B, 3, 3, 3));
                own = setting.given(given);
                setting = setting.given(given.repeatAt(1, B).reshape(B, 3 * B, 3, 3));
            }
            Tensor fixed = graph.constant(codes, 3, 3, 3);
            MixtureGraph q = mixture.in(own);
            Tensor atFixed = q.logProb(fixed, 1e-3);
            Tensor moved = mixture.flow().forward(q.flowSetting(), fixed.repeatLeading(B)).reshape(3 * B, 3, 3);
            Tensor atMoved = mixture.in(setting).logProb(moved, 1e-3);
            return atFixed.times(graph.constant(new double[] {0.3, -1.2, 0.7}, 3)).sum().plus(atMoved.sum().times(0.1));
        }, plan -> plan.write(inverse[0], 1.3), 1e-5));
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
            Tensor estimate = q.logProb(sampling.codes(), MixtureGraph.EXACT).times(sampling.weights()).sum().times(-1);
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
                new Mixture(Structure.PER_VARIABLE, new ShiftFlow(new DirectLogits(CODES, 3)), new TrainableBase(CODES, 3),
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
        StraightThrough general = (logits, codes, inverse) -> StraightThrough.FIRST_ORDER.oneHot(logits, codes, inverse);
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
                Setting setting = Setting.in(graph).given(handed).with(way == 0 ? general : StraightThrough.FIRST_ORDER);
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

    @Test
    void madeLooksOnlyAtEarlierVariables() {
        CodeSpace codes = CodeSpace.of(3, 2, 3, 2);
        int[] order = {2, 0, 3, 1};
        for (Made made : List.of(
                Made.with(codes, 2).hidden(9, 8).order(order).directConnections().build(),
                Made.with(codes, 2).hidden(9, 9).order(order).activation(Activation.LINEAR).build(),
                Flows.withRandomDegrees(Made.with(codes, 2).hidden(11).order(order).build(), Seed.of(1)))) {
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
        List<Factor> factors = List.of(
                new Factor(new int[] {1, 2}, new Draws(Seed.of(5)).normal("pair", 8)),
                new Factor(new int[] {3, 0}, new double[] {0, Double.NEGATIVE_INFINITY, 1, -1, 2, 0}));
        int[] order = {2, 0, 3, 1};
        for (Made.Builder made : List.of(Made.with(codes, b).hidden(), Made.with(codes, b).hidden(9).directConnections(),
                Made.with(codes, b).hidden(8, 5).order(order).following(FactorLogits.of(codes, order, factors)))) {
            Mixture mixture = new Mixture(Structure.PER_VARIABLE, new ShiftFlow(made.sharedWeights().build()),
                    Deltas.zero(codes, b), Weighting.FREE);
            double[] flat = parameters(mixture);
            int[][] all = codes.all(100);
            Graph graph = new Graph(Precision.DOUBLE);
            Setting setting = Setting.in(graph);
            Tensor x = graph.placeholder("x", all.length, 4, 4);
            Tensor q = mixture.in(setting).variableProbabilities(x).plus(0);
            try (ExecutionPlan plan = ExecutionPlan.forward(graph, q); FlowMixture posterior = new FlowMixture(mixture, flat)) {
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
        Flow stack = Flows.all(CODES, B).get("stack");
        Base base = Deltas.zero(CODES, B);
        assertThatThrownBy(() -> new Mixture(Structure.PER_VARIABLE, stack, base, Weighting.EQUAL))
                .hasMessageContaining("mixes variables");
        assertThatThrownBy(() -> new Mixture(Structure.JOINT, stack, Deltas.zero(CODES, 2), Weighting.EQUAL))
                .hasMessageContaining("3 components, base 2");
        assertThatThrownBy(() -> new Mixture(Structure.JOINT, stack, Deltas.zero(CodeSpace.of(2, 2), B), Weighting.EQUAL))
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
        assertThatThrownBy(() -> new Conditioned(new Bipartite(CODES, B, new int[] {0}))).hasMessageContaining("must pass");
        MixtureGraph atoms = Mixture.atoms(CODES, 2).in(Setting.in(new Graph(Precision.DOUBLE)));
        assertThatThrownBy(() -> atoms.sample(4, Estimator.AVERAGED)).hasMessageContaining("PER_VARIABLE");
        assertThatThrownBy(() -> atoms.sample(0, Estimator.CHOSEN)).hasMessageContaining("samples = 0");
        assertThatThrownBy(() -> atoms.tables(null)).hasMessageContaining("only PER_VARIABLE");
        assertThatThrownBy(() -> new FlowMixture(Mixture.atoms(CODES, 2), new double[3])).hasMessageContaining("3 given");
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
        assertThat(Mixture.atoms(CODES, 4).toString()).contains("JOINT", "B=4", "Shift(DirectLogits[36 parameters])", "36 parameters)");
        assertThat(Mixture.autoregressive(CODES, 2).toString()).contains("PER_VARIABLE", "Made[hidden=[32], RELU, direct");
    }
}
