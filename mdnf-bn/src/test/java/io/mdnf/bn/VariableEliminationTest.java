package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.Memory;
import io.mdnf.elimination.TooLargeException;
import io.mdnf.space.LogSpace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariableEliminationTest {

    /**
     * Independent enumerations. Rows of sachs and hepar2 as published miss 1 by up to 1e-7 and the reference does not
     * normalise them, hence the wider tolerance there.
     */
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "sachs; Akt=LOW; -0.4952913597643245; 2e-7",
        "sachs; Akt=HIGH; -2.522832151859513; 2e-7",
        "asia; asia=yes; -4.605170185988091; 1e-12",
        "asia; asia=yes,xray=yes; -6.535553994906678; 1e-12",
        "earthquake; MaryCalls=True; -3.8575917346424635; 1e-12",
        "earthquake; MaryCalls=False; -0.02134499008638714; 1e-12",
        "cancer; Cancer=True; -4.454167312451564; 1e-12",
        "cancer; Cancer=False; -0.011698157412492237; 1e-12",
        "hepar2; carcinoma=present; -2.7480560191; 1e-7"})
    void logEvidenceIsTheKnownOne(String network, String evidence, double expected, double tolerance) {
        assertThat(VariableElimination.logEvidence(Evidence.parse(BuiltInNetworks.open(network), evidence)))
                .isCloseTo(expected, within(tolerance));
    }

    /** 8 decimals are given, and rows that miss 1 by 1e-7 move a marginal by about as much. */
    @Test
    void marginalsAreTheKnownOnes() throws IOException {
        int checked = 0;
        for (String line : resource("exact-marginals.csv")) {
            if (line.startsWith("#")) {
                continue;
            }
            String[] fields = line.split(";");
            ExactPosterior posterior = VariableElimination.posterior(
                    Evidence.parse(BuiltInNetworks.open(fields[0]), fields[1]));
            double[] expected = Arrays.stream(fields[3].split(" ")).mapToDouble(Double::parseDouble).toArray();
            boolean normalised = !fields[0].equals("sachs") && !fields[0].equals("hepar2");
            assertThat(posterior.marginal(posterior.evidence().network().indexOf(fields[2]))).as(line)
                    .containsExactly(expected, within(normalised ? 5.1e-9 : 1.5e-7));
            checked++;
        }
        // 2 x 10 sachs, 7 + 6 asia, 2 x 4 earthquake, 2 x 4 cancer, 69 hepar2
        assertThat(checked).isEqualTo(118);
    }

    @Test
    void agreesWithEnumerationOnRandomNetworks() {
        Random random = new Random(6);
        for (int trial = 0; trial < 500; trial++) {
            BayesianNetwork network = RandomNetworks.network(random, 1 + random.nextInt(9), 4, 0.3 * (trial % 3));
            Evidence evidence = RandomNetworks.possibleEvidence(random, network);
            ExactPosterior posterior = VariableElimination.posterior(evidence);
            double logEvidence = LogSpace.sumExp(Enumerated.logJoints(evidence));
            assertThat(posterior.logEvidence()).isCloseTo(logEvidence, within(1e-11));
            double[][] marginals = new double[network.size()][];
            Arrays.setAll(marginals, i -> new double[network.cardinality(i)]);
            Enumerated.forEach(evidence, (states, logJoint) -> {
                for (int i = 0; i < states.length; i++) {
                    marginals[i][states[i]] += Math.exp(logJoint - logEvidence);
                }
            });
            for (int i = 0; i < network.size(); i++) {
                assertThat(posterior.marginal(i)).containsExactly(marginals[i], within(1e-11));
            }
        }
    }

    @Test
    void nothingObservedHasProbabilityOne() {
        for (String name : BuiltInNetworks.names()) {
            assertThat(VariableElimination.logEvidence(Evidence.none(BuiltInNetworks.open(name))))
                    .isCloseTo(0, within(1e-12));
        }
    }

    @Test
    void everythingObservedIsTheJoint() {
        BayesianNetwork asia = BuiltInNetworks.open("asia");
        Evidence all = Evidence.parse(asia,
                "asia=no,tub=no,smoke=yes,lung=no,bronc=yes,either=no,xray=no,dysp=yes");
        assertThat(VariableElimination.posterior(all).logEvidence())
                .isCloseTo(asia.logJoint(all.complete(new int[0])), within(1e-14));
    }

    @Test
    void impossibleEvidenceHasNoPosterior() {
        Evidence impossible = Evidence.parse(BuiltInNetworks.open("asia"), "tub=yes,either=no");
        assertThat(VariableElimination.logEvidence(impossible)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThatThrownBy(() -> VariableElimination.posterior(impossible)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("evidence {tub=yes,either=no} has probability 0 in network 'asia', "
                        + "expected possible evidence");
    }

    /** A chain of 2,000 nodes whose evidence has probability 1e-3000: far below the smallest double. */
    @Test
    void tinyProbabilitiesDoNotUnderflow() {
        List<Node> nodes = new ArrayList<>();
        nodes.add(new Node("h", List.of("a", "b"), List.of(), new double[] {0.5, 0.5}));
        for (int i = 0; i < 1000; i++) {
            boolean even = i % 2 == 0;
            nodes.add(new Node("x" + i, List.of("rare", "usual"), List.of("h"), even
                    ? new double[] {1e-3, 0.999, 1e-6, 0.999999} : new double[] {1e-6, 0.999999, 1e-3, 0.999}));
        }
        BayesianNetwork network = BayesianNetwork.of("rare", nodes);
        StringBuilder text = new StringBuilder();
        IntStream.range(0, 1000).forEach(i -> text.append(i == 0 ? "" : ",").append("x").append(i).append("=rare"));
        ExactPosterior posterior = VariableElimination.posterior(Evidence.parse(network, text.toString()));
        // either value of h: 500 factors of 1e-3 and 500 of 1e-6
        assertThat(posterior.logEvidence()).isCloseTo(-4500 * Math.log(10), within(1e-8));
        assertThat(posterior.marginal(network.indexOf("h"))).containsExactly(new double[] {0.5, 0.5}, within(1e-10));
    }

    @Test
    void allMarginalsOfHepar2TakeNoTime() {
        Evidence evidence = Evidence.parse(BuiltInNetworks.open("hepar2"), "carcinoma=present");
        Assertions.assertTimeout(Duration.ofSeconds(5), () -> VariableElimination.posterior(evidence));
        // an elimination order that keeps the loops of this network small exists
        assertThat(VariableElimination.plan(evidence).largestTable()).isLessThan(1000);
    }

    /** A 40 x 40 grid has width about 40: 2^41 entries or more. */
    @Test
    @Tag("slow")
    void tooLargeNetworksAreRefusedWithTheEstimateBeforeAnythingIsAllocated() {
        int side = 40;
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < side * side; i++) {
            List<String> parents = new ArrayList<>();
            if (i % side > 0) {
                parents.add("g" + (i - 1));
            }
            if (i >= side) {
                parents.add("g" + (i - side));
            }
            double[] table = new double[2 << parents.size()];
            // likely what most of its parents are: fair coins would be no links
            Arrays.setAll(table, e -> Integer.bitCount(e) % 2 == 0 ? 0.9 : 0.1);
            nodes.add(new Node("g" + i, List.of("y", "n"), parents, table));
        }
        Evidence evidence = Evidence.none(BayesianNetwork.of("grid", nodes));
        assertThatThrownBy(() -> VariableElimination.posterior(evidence)).isInstanceOf(TooLargeException.class)
                .hasMessageContaining("'grid'").hasMessageContaining(" GB, may take ")
                .satisfies(e -> assertThat(((TooLargeException) e).bytes()).isGreaterThan(1e10));
        assertThatThrownBy(() -> MostProbableCodes.find(evidence, 1)).isInstanceOf(TooLargeException.class);
    }

    /** The limit was once a number, and a machine of 23 GB refused what takes half of one. */
    @Test
    void theLimitFollowsTheMemoryOfJava() {
        Runtime java = Runtime.getRuntime();
        assertThat((double) Memory.available()).isBetween(0.2 * java.maxMemory(), 0.8 * java.maxMemory());
    }

    /**
     * A chain of K = 300: one factor is kept, which absorbs the first variable's own, two messages, and twice what the
     * second bucket answers.
     */
    @Test
    void thePlanSaysWhatTheTablesTake() {
        double[] row = new double[300];
        Arrays.fill(row, 1.0 / 300);
        double[] table = new double[300 * 300];
        // mostly the same again: equal rows would be no link
        Arrays.setAll(table, e -> e / 300 == e % 300 ? 0.5 : 0.5 / 299);
        List<String> states = IntStream.range(0, 300).mapToObj(i -> "s" + i).toList();
        EliminationPlan plan = VariableElimination.plan(Evidence.none(BayesianNetwork.of("chain", List.of(
                new Node("a", states, List.of(), row), new Node("b", states, List.of("a"), table)))));
        assertThat(plan.totalEntries()).isEqualTo(90_300);
        assertThat(plan.bytes()).isEqualTo(8 * (90_000 + 301 + 600));
    }

    @Test
    void theLimitIsTheCallers() {
        Evidence evidence = Evidence.none(BuiltInNetworks.open("asia"));
        long needed = (long) VariableElimination.plan(evidence).bytes();
        assertThat(VariableElimination.posterior(evidence, needed).logEvidence()).isCloseTo(0, within(1e-14));
        assertThatThrownBy(() -> VariableElimination.posterior(evidence, needed - 1))
                .isInstanceOf(TooLargeException.class).hasMessageContaining("MB, may take 0.000");
    }

    /** Without the shortcut for variables that need no link, the centre would be recounted 3,000 times. */
    @Test
    void aStarIsPlannedQuickly() {
        List<Node> nodes = new ArrayList<>();
        nodes.add(new Node("centre", List.of("y", "n"), List.of(), new double[] {0.5, 0.5}));
        for (int i = 0; i < 3000; i++) {
            nodes.add(new Node("leaf" + i, List.of("y", "n"), List.of("centre"), new double[] {0.1, 0.9, 0.9, 0.1}));
        }
        Evidence evidence = Evidence.none(BayesianNetwork.of("star", nodes));
        EliminationPlan plan = Assertions.assertTimeout(Duration.ofSeconds(10),
                () -> VariableElimination.plan(evidence));
        assertThat(plan.width()).isEqualTo(1);
        assertThat(plan.largestTable()).isEqualTo(4);
    }

    private static List<String> resource(String name) throws IOException {
        try (InputStream in = VariableEliminationTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
