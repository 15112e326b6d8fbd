package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.search.FoundCodes;
import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MostProbableCodesTest {

    @Test
    void agreesWithSortingAnEnumeration() {
        Random random = new Random(7);
        for (int trial = 0; trial < 400; trial++) {
            BayesianNetwork network = RandomNetworks.network(random, 1 + random.nextInt(8), 4, 0.3 * (trial % 3));
            Evidence evidence = RandomNetworks.possibleEvidence(random, network);
            if (evidence.latents().length == 0) {
                continue;
            }
            double[] sorted = Arrays.stream(Enumerated.logJoints(evidence)).map(v -> -v)
                    .filter(v -> v < Double.POSITIVE_INFINITY).sorted().map(v -> -v).toArray();
            int count = 1 + random.nextInt(50);
            FoundCodes found = MostProbableCodes.find(evidence, count);
            assertThat(found.codes()).hasNumberOfRows(Math.min(count, sorted.length));
            assertThat(found.areAll()).isEqualTo(count > sorted.length);
            Set<String> different = new HashSet<>();
            for (int m = 0; m < found.codes().length; m++) {
                assertThat(found.logJoint()[m]).isCloseTo(sorted[m], within(1e-11))
                        .isEqualTo(network.logJoint(evidence.complete(found.codes()[m])));
                different.add(Arrays.toString(found.codes()[m]));
            }
            assertThat(different).hasSize(found.codes().length);
        }
    }

    /** All 2^20 codes of 20 fair coins are equally probable: without care for ties the search would open them all. */
    @Test
    void tiesAreNotExploredInBreadth() {
        List<Node> coins = IntStream.range(0, 20).mapToObj(i -> new Node("c" + i, List.of("h", "t"),
                List.of(), new double[] {0.5, 0.5})).toList();
        FoundCodes found = MostProbableCodes.find(Evidence.none(BayesianNetwork.of("coins", coins)), 10);
        assertThat(found.logJoint()).hasSize(10);
        for (double logJoint : found.logJoint()) {
            assertThat(logJoint).isCloseTo(20 * Math.log(0.5), within(1e-12));
        }
    }

    /** KL of the best M freely weighted atoms, -log of their mass, from an independent enumeration (B = 40 and 100). */
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "sachs; Akt=LOW; 1; 3.532930363435617", "sachs; Akt=LOW; 40; 0.8965301872566425",
        "sachs; Akt=LOW; 100; 0.5663457039380084", "sachs; Akt=HIGH; 10; 0.7852624334343749",
        "sachs; Akt=HIGH; 100; 0.12285233552431553", "asia; asia=yes; 20; 0.023638475263402514",
        "asia; asia=yes; 40; 0.0010259761335646512", "asia; asia=yes,xray=yes; 10; 0.24912848613578478",
        "earthquake; MaryCalls=True; 5; 0.06020947751510086", "earthquake; MaryCalls=False; 2; 0.019958889271718773",
        "cancer; Cancer=True; 10; 0.030822713280422534", "cancer; Cancer=False; 5; 0.21003663666632486"})
    void massOfTheBestAtomsIsTheKnownOne(String network, String evidence, int count, double divergence) {
        Evidence observed = Evidence.parse(BuiltInNetworks.open(network), evidence);
        // sachs: its rows miss 1 by up to 1e-7 before normalisation
        assertThat(VariableElimination.logEvidence(observed) - logMass(observed, count))
                .isCloseTo(divergence, within(network.equals("sachs") ? 2e-7 : 1e-12));
    }

    /** Exact M-best of another program, 4 decimals. */
    @ParameterizedTest
    @CsvSource({"1, -20.9622", "2, -20.2759", "5, -19.4504", "10, -18.8219", "20, -18.2122", "40, -17.6223",
        "100, -16.8551"})
    void boundsOfTheBestAtomsOfHepar2AreTheKnownOnes(int count, double bound) {
        Evidence evidence = Evidence.parse(BuiltInNetworks.open("hepar2"), "carcinoma=present");
        assertThat(logMass(evidence, count)).isCloseTo(bound, within(5.1e-5));
    }

    @Test
    void aThousandCodesOfHepar2AreFoundBestFirst() {
        Evidence evidence = Evidence.parse(BuiltInNetworks.open("hepar2"), "carcinoma=present");
        FoundCodes found = MostProbableCodes.find(evidence, 1000);
        assertThat(found.codes()).hasNumberOfRows(1000);
        double[] logJoint = found.logJoint();
        assertThat(logJoint[0]).isCloseTo(-20.962180, within(1e-6));
        double last = logJoint[999];
        assertThat(IntStream.range(1, 1000)).allMatch(m -> logJoint[m] <= logJoint[m - 1]);
        // No code one change away from the best may be missing if it is better than the last found.
        Set<String> known = new HashSet<>();
        Arrays.stream(found.codes()).forEach(code -> known.add(Arrays.toString(code)));
        for (int d = 0; d < found.space().variables(); d++) {
            for (int state = 0; state < found.space().cardinality(d); state++) {
                int[] neighbour = found.codes()[0].clone();
                neighbour[d] = state;
                boolean better = evidence.network().logJoint(evidence.complete(neighbour)) > last + 1e-9;
                assertThat(!better || known.contains(Arrays.toString(neighbour))).isTrue();
            }
        }
    }

    @Test
    void impossibleEvidenceHasNoCodesAndCountMustBePositive() {
        Evidence impossible = Evidence.parse(BuiltInNetworks.open("asia"), "tub=yes,either=no");
        assertThat(MostProbableCodes.find(impossible, 3).codes()).isEmpty();
        assertThatThrownBy(() -> MostProbableCodes.find(impossible, 0)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("count is 0, expected at least 1");
    }

    private static double logMass(Evidence evidence, int count) {
        return LogSpace.sumExp(MostProbableCodes.find(evidence, count).logJoint());
    }
}
