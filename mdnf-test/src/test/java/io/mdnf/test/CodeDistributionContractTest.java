package io.mdnf.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.base.FixedBase;
import io.mdnf.base.TrainableBase;
import io.mdnf.checkpoint.StoredFileException;
import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.Conditionals;
import io.mdnf.distribution.Correction;
import io.mdnf.distribution.Expanded;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.distribution.Marginals;
import io.mdnf.distribution.Product;
import io.mdnf.distribution.WeightedCode;
import io.mdnf.elimination.MiniBucketPlan;
import io.mdnf.elimination.MiniBuckets;
import io.mdnf.flow.Flow;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.Activation;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Made;
import io.mdnf.network.Nade;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeMap;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The promises every distribution keeps, whatever its kind, against the enumeration of all codes. */
class CodeDistributionContractTest {

    private static final int B = 3;
    private static final CodeSpace SPACE = CodeSpace.of(2, 3, 2);
    private static final int[][] ALL = SPACE.all(12);
    /** In every sum of 12 probabilities. */
    private static final double ROUNDING = 1e-12;

    /** Shared by all promises, so that each is compiled once. */
    private static final Map<String, CodeDistribution> DISTRIBUTIONS = distributions();

    @TempDir
    private Path folder;

    @AfterAll
    static void close() {
        DISTRIBUTIONS.values().forEach(CodeDistribution::close);
    }

    private static Map<String, CodeDistribution> distributions() {
        Map<String, CodeDistribution> all = new LinkedHashMap<>();
        all.put("Atoms", new Atoms(SPACE, new int[][] {{1, 2, 0}, {0, 0, 0}, {1, 1, 1}}, new double[] {0.2, 0.7, 0.1}));
        all.put("Product", new Product(new double[][] {{0.25, 0.75}, {0, 0.9, 0.1}, {1, 0}}));
        List<Factor> factors = List.of(
                new Factor(new int[] {1, 0}, new double[] {0, -1, -2, Double.NEGATIVE_INFINITY, 0.5, -0.25}),
                new Factor(new int[] {1, 2}, new double[] {1, -1, -2, 3, 0.5, -0.25}));
        all.put("conditionals by elimination", Conditionals.of(new MiniBuckets(SPACE, factors, MiniBucketPlan.of(SPACE,
                factors.stream().map(Factor::variables).toList(), new int[] {1, 0, 2}, Double.POSITIVE_INFINITY))));
        all.put("conditionals by bounded messages", Conditionals.of(new MiniBuckets(SPACE, factors, MiniBucketPlan.of(
                SPACE, factors.stream().map(Factor::variables).toList(), new int[] {1, 0, 2}, 4))));
        Draws draws = new Draws(Seed.of(10));
        all.put("conditionals, corrected", Conditionals.of(new MiniBuckets(SPACE, factors, MiniBucketPlan.of(SPACE,
                factors.stream().map(Factor::variables).toList(), new int[] {1, 0, 2}, 4))).corrected(Map.of(
                1, new Correction(new int[] {2}, 3, 2, draws.normal("first", 15), draws.normal("second", 6)),
                2, new Correction(new int[] {2, 0}, 2, 3, draws.normal("1", 25), draws.normal("2", 6)))));
        all.put("conditionals of seven flows", ((Conditionals) all.get("conditionals, corrected")).counted(7,
                new double[] {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 3}, 100, Seed.of(5)));
        CodeMap some = new CodeMap(SPACE, CodeSpace.of(2, 2), new int[] {1, 0, 1},
                new int[][] {{1, 0}, {0, 2}, {0, 1}});
        all.put("conditionals, expanded", new Expanded(Conditionals.of(new MiniBuckets(some.smaller(), List.of(
                new Factor(new int[] {1, 0}, new double[] {0, -1, -2, 0.5})), MiniBucketPlan.of(some.smaller(),
                List.of(new int[] {1, 0}), new int[] {0, 1}, 4))), some));
        all.put("equal atoms by flows", flows(Mixture.atoms(SPACE, B)));
        all.put("factorised", flows(Mixture.factorised(SPACE, 7)));
        all.put("MADE that flows share", flows(new Mixture(Structure.PER_VARIABLE, new ShiftFlow(
                Flows.withRandomDegrees(
                        Made.with(SPACE, B).hidden(5, 4).activation(Activation.LINEAR).directConnections()
                        .order(2, 0, 1)
                        .sharedWeights()
                                .build(), Seed.of(3))),
                FixedBase.dirichlet(SPACE, B, 0.5, Seed.of(4)), Weighting.EQUAL)));
        all.put("trainable bases, free weights", flows(new Mixture(Structure.JOINT,
                new ShiftFlow(new DirectLogits(SPACE, B)), new TrainableBase(SPACE, B), Weighting.FREE)));
        all.put("flows without number", flows(Mixture.unlimited(new Nade(SPACE, 1, 0, 6))));
        Mixture seen = Mixture.unlimited(new Nade(SPACE, 1, 4, 6));
        all.put("flows without number that see features", new FlowMixture(seen, seen.layout().initial(Seed.of(8)),
                new Draws(Seed.of(9)).normal("given", 4)));
        all.put("flows without number by MADE", flows(Mixture.unlimited(Made.with(SPACE, 1).hidden(5).build())));
        Flows.all(SPACE, B).forEach((name, flow) -> all.put(name, flows(mixture(flow))));
        return all;
    }

    private static Mixture mixture(Flow flow) {
        return new Mixture(Structure.JOINT, flow, FixedBase.uniform(SPACE, B), Weighting.FREE);
    }

    private static FlowMixture flows(Mixture mixture) {
        double[] given = new Draws(Seed.of(9)).normal("given", B * SPACE.oneHotLength());
        return new FlowMixture(mixture, mixture.layout().initial(Seed.of(8)), mixture.isConditional() ? given : null);
    }

    private interface Promise {
        void check(CodeDistribution q, double[] table) throws IOException;
    }

    private static Stream<DynamicTest> forEvery(Promise promise) {
        return DISTRIBUTIONS.entrySet().stream().map(e -> DynamicTest.dynamicTest(e.getKey(), () ->
                promise.check(e.getValue(), Arrays.stream(e.getValue().logProb(ALL)).map(Math::exp).toArray())));
    }

    @TestFactory
    Stream<DynamicTest> itsFiguresAreThoseOfTheEnumeration() {
        return forEvery((q, table) -> {
            assertThat(Arrays.stream(table).sum()).isCloseTo(1, within(ROUNDING));
            Marginals marginals = q.marginals(10, Seed.of(1));
            assertThat(marginals.isExact()).isTrue();
            double[][] expected = {new double[2], new double[3], new double[2]};
            double entropy = 0;
            for (int i = 0; i < table.length; i++) {
                for (int d = 0; d < 3; d++) {
                    expected[d][ALL[i][d]] += table[i];
                }
                entropy -= table[i] == 0 ? 0 : table[i] * Math.log(table[i]);
            }
            for (int d = 0; d < 3; d++) {
                assertThat(marginals.probabilities()[d]).containsExactly(expected[d], within(ROUNDING));
            }
            assertThat(q.entropy(10, Seed.of(1)).value()).isCloseTo(entropy, within(ROUNDING));
            assertThat(q.entropy(10, Seed.of(1)).isExact()).isTrue();
        });
    }

    @TestFactory
    Stream<DynamicTest> itsMostProbableCodesAreTheLargestOfTheTable() {
        return forEvery((q, table) -> {
            List<WeightedCode> best = q.mostProbable(20);
            double[] descending = IntStream.range(0, 12).mapToDouble(i -> -table[i]).sorted().map(p -> -p)
                    .filter(p -> p > 0).toArray();
            assertThat(best.stream().mapToDouble(WeightedCode::probability).toArray())
                    .containsExactly(descending, within(ROUNDING));
            for (WeightedCode code : best) {
                assertThat(table[(int) SPACE.rank(code.code())]).isCloseTo(code.probability(), within(ROUNDING));
            }
            assertThat(q.mostProbable(1)).containsExactly(best.get(0));
        });
    }

    /** By chi-square at level 1e-4 on a fixed seed: of about 20 distributions one fails in 500 choices of seeds. */
    @TestFactory
    Stream<DynamicTest> itsSamplesFollowItsProbabilities() {
        return forEvery((q, table) -> {
            int n = 2000;
            double[] counts = new double[table.length];
            for (int[] code : q.sample(n, Seed.of(11))) {
                counts[(int) SPACE.rank(code)]++;
            }
            double statistic = 0;
            int cells = 0;
            double[] rare = new double[2];
            for (int i = 0; i < table.length; i++) {
                double expected = n * table[i];
                if (expected == 0) {
                    assertThat(counts[i]).as("impossible code %d", i).isZero();
                } else if (expected < 5) {
                    rare[0] += counts[i];
                    rare[1] += expected;
                } else {
                    statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
                    cells++;
                }
            }
            if (rare[1] >= 5) {
                statistic += (rare[0] - rare[1]) * (rare[0] - rare[1]) / rare[1];
                cells++;
            }
            assertThat(cells == 1 ? 1 : ChiSquaredDistribution.of(cells - 1).survivalProbability(statistic))
                    .isGreaterThan(1e-4);
        });
    }

    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> whatIsLoadedIsWhatWasSaved() {
        return forEvery((q, table) -> {
            Path file = folder.resolve("q.mdnf");
            q.save(file);
            try (CodeDistribution read = CodeDistribution.load(file)) {
                assertThat(read).hasSameClassAs(q).hasToString(q.toString());
                assertThat(read.space()).isEqualTo(q.space());
                assertThat(read.logProb(ALL)).containsExactly(q.logProb(ALL));
                assertThat(read.sample(50, Seed.of(2))).isDeepEqualTo(q.sample(50, Seed.of(2)));
                assertThat(read.marginals(9, Seed.of(3)).probabilities())
                        .isDeepEqualTo(q.marginals(9, Seed.of(3)).probabilities());
                byte[] first = Files.readAllBytes(file);
                read.save(file);
                assertThat(Files.readAllBytes(file)).isEqualTo(first);
            }
            assertThat(q.toString()).startsWith(q.getClass().getSimpleName()).doesNotContain("@");
        });
    }

    /** Sixty of each kind; {@link io.mdnf.checkpoint.StoredFile} is tried harder by its own test. */
    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> aDamagedFileIsRefusedInOneSentence() {
        return forEvery((q, table) -> {
            Path file = folder.resolve("damaged.mdnf");
            q.save(file);
            byte[] bytes = Files.readAllBytes(file);
            Draws draws = new Draws(Seed.of(5));
            int[] bits = draws.uniform("bits", 10, 8 * bytes.length);
            int[] lengths = draws.uniform("lengths", 10, bytes.length);
            for (int i = 0; i < 10; i++) {
                byte[] flipped = bytes.clone();
                flipped[bits[i] / 8] ^= (byte) (1 << bits[i] % 8);
                refused(file, flipped);
                refused(file, Arrays.copyOf(bytes, lengths[i]));
            }
        });
    }

    private static void refused(Path file, byte[] content) throws IOException {
        Files.write(file, content);
        assertThatThrownBy(() -> CodeDistribution.load(file)).isExactlyInstanceOf(StoredFileException.class)
                .message().startsWith(file + ": ").endsWith("save the distribution again").doesNotContain("\n");
    }

    @Test
    void aCheckpointIsNoDistribution() throws IOException {
        Path file = folder.resolve("checkpoint.mdnf");
        Mixture mixture = Mixture.atoms(SPACE, B);
        io.mdnf.checkpoint.Checkpoint.of("", Seed.of(0), 0, mixture.layout(), new double[mixture.layout().size()])
                .write(file);
        assertThatThrownBy(() -> CodeDistribution.load(file)).isExactlyInstanceOf(StoredFileException.class)
                .hasMessageContaining("it is a CHECKPOINT");
    }

    /** 2^40 codes cannot be listed; a product needs no list, however it was made. */
    @Test
    void aProductOfFortyVariablesHasExactMarginalsAndEntropy() {
        CodeSpace forty = CodeSpace.uniform(40, 2);
        Mixture mixture = Mixture.factorised(forty, 5);
        try (FlowMixture flows = new FlowMixture(mixture, mixture.layout().initial(Seed.of(1)))) {
            for (CodeDistribution q : List.of(flows, flows.product())) {
                Marginals marginals = q.marginals(10, Seed.of(2));
                assertThat(marginals.isExact()).isTrue();
                assertThat(marginals.probabilities()).isDeepEqualTo(flows.product().q());
                assertThat(q.entropy(10, Seed.of(2)).isExact()).isTrue();
            }
        }
    }
}
