package io.mdnf.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.base.Base;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.Flow;
import io.mdnf.flow.Setting;
import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.GradientCheck;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.mixture.Sampling;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * The promises every mixture keeps, structure x flow x base x weights, against the enumeration of all codes: its
 * probabilities sum to 1, what is sampled is what is scored, in a graph and out of it, and gradients are right.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class MixtureContract {

    /** The number of components. */
    protected static final int B = 3;

    private final Map<String, Mixture> mixtures = new LinkedHashMap<>();
    private final List<String> pairs = new ArrayList<>();
    private final Map<Mixture, double[][]> tables = new IdentityHashMap<>();

    /** The flows, by name, each of {@link #B} components and all on the same few codes; names without semicolons. */
    protected abstract Map<String, ? extends Flow> flows();

    /** The bases, by name, each of {@link #B} components and on the flows' codes; names without semicolons. */
    protected abstract Map<String, ? extends Base> bases();

    @BeforeAll
    void joinFlowsAndBases() {
        Map<String, ? extends Flow> flows = flows();
        Map<String, ? extends Base> bases = bases();
        List<String> p = List.copyOf(bases.keySet());
        for (Structure structure : Structure.values()) {
            List<String> f = flows.keySet().stream().filter(name ->
                    structure == Structure.JOINT || flows.get(name) instanceof VariableWiseFlow).toList();
            for (int i = 0; i < f.size() * p.size(); i++) {
                for (Weighting weighting : List.of(Weighting.EQUAL, Weighting.FREE)) {
                    int flow = i / p.size();
                    int base = i % p.size();
                    String name = structure + "; " + f.get(flow) + "; " + p.get(base) + "; " + weighting;
                    mixtures.put(name,
                            new Mixture(structure, flows.get(f.get(flow)), bases.get(p.get(base)), weighting));
                    if (f.size() == 1 || p.size() == 1
                            || (flow + base) % 2 == weighting.ordinal()) {
                        pairs.add(name);
                    }
                }
            }
        }
    }

    private Stream<DynamicTest> forEveryMixture(Consumer<Mixture> promise) {
        return mixtures.entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> promise.accept(e.getValue())));
    }

    /**
     * Half of the mixtures, for promises that need a graph of each: within a structure every flow with every base, and
     * every flow and every base with either weighting. Weights meet a component's probability as one factor, whatever
     * flow and base made it, so a fault of all three together that no two of them show has no place to come from.
     */
    private Stream<DynamicTest> forEveryPair(Consumer<Mixture> promise) {
        return pairs.stream().map(name -> DynamicTest.dynamicTest(name, () -> promise.accept(mixtures.get(name))));
    }

    @Test
    void pairsOfPartsAreAllThere() {
        Set<String> all = pairs(mixtures.keySet().stream());
        assertThat(pairs(forEveryPair(mixture -> { }).map(DynamicTest::getDisplayName))).isEqualTo(all);
    }

    /** Which two parts stand together within a structure. */
    private static Set<String> pairs(Stream<String> names) {
        return names.map(name -> name.split("; ")).flatMap(parts -> IntStream.range(1, parts.length).boxed().flatMap(
                i -> IntStream.range(1, i).mapToObj(j -> parts[0] + " " + parts[i] + " " + parts[j])))
                .collect(Collectors.toSet());
    }

    /** Parameters that make the weights unequal too. */
    private static double[] parameters(Mixture mixture) {
        double[] flat = mixture.layout().initial(Seed.of(1));
        if (mixture.weighting() == Weighting.FREE) {
            int rows = mixture.structure() == Structure.JOINT ? 1 : mixture.space().variables();
            double[] logits = new Draws(Seed.of(4)).normal("weights", rows * mixture.components());
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
    private double[][] tables(Mixture mixture) {
        return tables.computeIfAbsent(mixture, absent -> {
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
    @Tag("slow")
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
            counts[(int) q.space().rank(code)]++;
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
                    setting = setting.given(graph.constant(alternating(mixture, samples), B, samples,
                            mixture.space().variables(), mixture.space().width()));
                }
                MixtureGraph q = mixture.in(setting);
                Sampling sampling = q.sample(samples, estimator);
                Tensor codes = sampling.codes().plus(0);
                Tensor weights = sampling.weights().plus(0);
                Tensor logQ = q.logProb(sampling.codes(), graph.precision().tiny());
                try (ExecutionPlan plan = ExecutionPlan.forward(graph, codes, weights, logQ)) {
                    plan.load(parameters(mixture));
                    plan.write(setting.inverseTemperature(), 1);
                    for (int i = 0; i < draws; i++) {
                        sampling.draw(plan, new Draws(Seed.of(5).fold(i)));
                        plan.run();
                        double[] x = plan.read(codes);
                        double[] w = plan.read(weights);
                        double[] lq = plan.read(logQ);
                        int[][] indices = mixture.space().indices(x);
                        assertThat(mixture.space().oneHot(indices)).containsExactly(x);
                        assertThat(Arrays.stream(w).sum()).isCloseTo(1, Offset.offset(1e-12));
                        for (int s = 0; s < w.length; s++) {
                            int rank = (int) mixture.space().rank(indices[s]);
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
        Tensor[] inverse = new Tensor[1];
        return forEveryPair(mixture -> GradientCheck.check(graph -> {
            // soft codes everywhere: log q at fixed codes, and at codes that are themselves sampled by the flows
            Setting setting = Setting.in(graph).with(FlowContract.SOFT);
            inverse[0] = setting.inverseTemperature();
            Setting own = setting;
            CodeSpace space = mixture.space();
            int d = space.variables();
            int k = space.width();
            if (mixture.isConditional()) {
                // given to one row each, and by all components of a row: both get their gradient
                Tensor given = graph.parameter(new Parameter("given", Initialiser.normal(1), B, 3, d, k));
                own = setting.given(given);
                setting = setting.given(given.repeatAt(1, B).reshape(B, 3 * B, d, k));
            }
            int[][] codes = DoubleStream.of(5, 6, 9).mapToObj(i -> space.code((long) (i / 12 * space.size())))
                    .toArray(int[][]::new);
            Tensor fixed = graph.constant(space.oneHot(codes), 3, d, k);
            Tensor atFixed = mixture.in(own).logProb(fixed, 1e-3);
            Tensor moved = mixture.flow().forward(own.under("flow"), fixed.repeatLeading(B)).reshape(3 * B, d, k);
            Tensor atMoved = mixture.in(setting).logProb(moved, 1e-3);
            return atFixed.times(graph.constant(new double[] {0.3, -1.2, 0.7}, 3)).sum().plus(atMoved.sum().times(0.1));
        }, plan -> plan.write(inverse[0], 1.3), 1e-5));
    }
}
