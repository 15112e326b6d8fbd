package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BayesianNetworkTest {

    private static final List<String> YES_NO = List.of("yes", "no");
    private static final Node RAIN = new Node("rain", YES_NO, List.of(), new double[] {0.2, 0.8});
    private static final Node SPRINKLER = new Node("sprinkler", List.of("off", "low", "high"), List.of(),
            new double[] {0.5, 0.3, 0.2});
    private static final Node GRASS = new Node("grass", YES_NO, List.of("rain", "sprinkler"),
            new double[] {0.8, 0.2, 0.9, 0.1, 0.99, 0.01, 0, 1, 0.6, 0.4, 0.7, 0.3});

    @Test
    void lastParentRunsFastestInTheTable() {
        BayesianNetwork network = BayesianNetwork.of("lawn", List.of(GRASS, RAIN, SPRINKLER));
        // rain=no (1), sprinkler=low (1): row 1 * 3 + 1 = 4, grass=yes is 0.6
        assertThat(network.row(0, new int[] {0, 1, 1})).isEqualTo(4);
        assertThat(network.logJoint(new int[] {0, 1, 1})).isCloseTo(Math.log(0.6 * 0.8 * 0.3), within(1e-15));
        assertThat(network.logJoint(new int[] {0, 1, 0})).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(network.topologicalOrder()).containsExactly(1, 2, 0);
        // 1 + 2 + 6 * 1 free parameters
        assertThat(network).hasToString("lawn: 3 nodes, 2 arcs, 9 parameters, states 2x2, 3x1");
    }

    @Test
    void rowsAreNormalisedAndNormalisingAgainChangesNoBit() {
        Random random = new Random(1);
        for (int trial = 0; trial < 2000; trial++) {
            int states = 1 + random.nextInt(40);
            double[] row = random.doubles(states).map(u -> Math.pow(u, 5)).toArray();
            double sum = Arrays.stream(row).sum() * (1 + 1.9e-6 * (random.nextDouble() - 0.5));
            for (int k = 0; k < states; k++) {
                row[k] /= sum;
            }
            List<String> names = random.ints(states).mapToObj(Integer::toString).distinct().toList();
            if (names.size() < states) {
                continue;
            }
            double[] once = new Node("a", names, List.of(), row).table();
            assertThat(Arrays.stream(once).sum()).isCloseTo(1, within(states * 0x1p-51));
            assertThat(new Node("a", names, List.of(), once).table()).isEqualTo(once);
        }
    }

    @Test
    void brokenNodesAreRefusedNamingWhatIsWrong() {
        assertThatThrownBy(() -> new Node("a", YES_NO, List.of(), new double[] {0.5, 0.4}))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("row 0 of node 'a' sums to 0.9");
        assertThatThrownBy(() -> new Node("a", YES_NO, List.of(), new double[] {1.5, -0.5}))
                .hasMessageContaining("entry -0.5 at index 1");
        assertThatThrownBy(() -> new Node("a", YES_NO, List.of(), new double[] {Double.NaN, 1}))
                .hasMessageContaining("NaN");
        assertThatThrownBy(() -> new Node("a", YES_NO, List.of(), new double[] {1}))
                .hasMessageContaining("has 1 entries");
        assertThatThrownBy(() -> new Node("a", List.of("x", "x"), List.of(), new double[] {1, 0}))
                .hasMessageContaining("appears twice: 'x'");
        assertThatThrownBy(() -> new Node("a", List.of(), List.of(), new double[] {}))
                .hasMessageContaining("no states");
        assertThatThrownBy(() -> new Node("", YES_NO, List.of(), new double[] {1, 0})).hasMessageContaining("name");
        assertThatThrownBy(() -> new Node("a\nb", YES_NO, List.of(), new double[] {1, 0}))
                .hasMessageContaining("control").hasMessageNotContaining("\n");
    }

    @Test
    void brokenNetworksAreRefusedNamingWhatIsWrong() {
        assertThatThrownBy(() -> BayesianNetwork.of("n", List.of())).hasMessageContaining("'n' has no nodes");
        assertThatThrownBy(() -> BayesianNetwork.of("n", List.of(RAIN, RAIN))).hasMessageContaining("twice: 'rain'");
        assertThatThrownBy(() -> BayesianNetwork.of("n", List.of(GRASS, RAIN)))
                .hasMessageContaining("unknown parent 'sprinkler'");
        Node short1 = new Node("wet", YES_NO, List.of("rain"), new double[] {1, 0});
        assertThatThrownBy(() -> BayesianNetwork.of("n", List.of(short1, RAIN)))
                .hasMessageContaining("has 1 rows, expected 2");
        double[] half = {0.5, 0.5, 0.5, 0.5};
        Node a = new Node("a", YES_NO, List.of("c"), half);
        Node b = new Node("b", YES_NO, List.of("a"), half);
        Node c = new Node("c", YES_NO, List.of("b"), half);
        assertThatThrownBy(() -> BayesianNetwork.of("n", List.of(RAIN, a, b, c)))
                .hasMessageContaining("cycle").hasMessageContaining("'a'").hasMessageContaining("'b'")
                .hasMessageNotContaining("rain");
        BayesianNetwork lawn = BayesianNetwork.of("lawn", List.of(GRASS, RAIN, SPRINKLER));
        assertThatThrownBy(() -> lawn.logJoint(new int[] {0, 0})).hasMessageContaining("length 2, expected 3");
        assertThatThrownBy(() -> lawn.logJoint(new int[] {0, 2, 0})).hasMessageContaining("states[1] is 2");
        assertThatThrownBy(() -> lawn.indexOf("Gras")).hasMessageContaining("did you mean 'grass'?");
    }

    @Test
    void nothingHandedOutCanChangeTheNetwork() {
        double[] table = {0.25, 0.75};
        Node node = new Node("a", YES_NO, List.of(), table);
        table[0] = 7;
        node.table()[0] = 7;
        BayesianNetwork network = BayesianNetwork.of("n", List.of(node));
        network.topologicalOrder()[0] = 7;
        network.cardinalities()[0] = 7;
        assertThat(network).isEqualTo(BayesianNetwork.of("n", List.of(
                new Node("a", YES_NO, List.of(), new double[] {0.25, 0.75}))));
        assertThat(network).isNotEqualTo(BayesianNetwork.of("m", List.of(node)));
        assertThat(network).isNotEqualTo(BayesianNetwork.of("n", List.of(
                new Node("a", YES_NO, List.of(), new double[] {0.25 + 1e-16, 0.75}))))
                .hasSameHashCodeAs(BayesianNetwork.of("n", List.of(node)));
    }

    /** Fixed seed. Each of the 12 counts lies within 5 standard deviations but for 1 seed in 100,000. */
    @Test
    void sampleFrequenciesMatchTheJoint() {
        BayesianNetwork network = BayesianNetwork.of("lawn", List.of(GRASS, RAIN, SPRINKLER));
        Random random = new Random(5);
        int draws = 100_000;
        int[] counts = new int[12];
        for (int n = 0; n < draws; n++) {
            int[] x = network.sample(random);
            counts[(x[0] * 2 + x[1]) * 3 + x[2]]++;
        }
        Enumerated.forEach(Evidence.none(network), (x, logJoint) -> {
            double p = Math.exp(logJoint);
            double deviation = Math.sqrt(draws * p * (1 - p));
            assertThat((double) counts[(x[0] * 2 + x[1]) * 3 + x[2]]).isCloseTo(draws * p, within(5 * deviation));
        });
    }
}
