package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkTargetTest {

    private static int[][] samples(Random random, NetworkTarget target, int count) {
        int[][] codes = new int[count][];
        for (int i = 0; i < count; i++) {
            codes[i] = Arrays.stream(target.space().cardinalities()).map(random::nextInt).toArray();
        }
        return codes;
    }

    private static void assertSame(double actual, double expected) {
        if (expected == Double.NEGATIVE_INFINITY) {
            assertThat(actual).isEqualTo(expected);
        } else {
            assertThat(actual).isCloseTo(expected, within(1e-11));
        }
    }

    /** A search may take seconds: whoever plans, judges or infers exactly shares it. */
    @Test
    void theOrderOfEliminationIsSearchedOnce() {
        NetworkTarget target = new NetworkTarget(Evidence.parse(BuiltInNetworks.open("asia"), "asia=yes"));
        assertThat(target.reduction().plan()).isSameAs(target.reduction().plan())
                .isSameAs(VariableElimination.plan(target.evidence()));
    }

    @Test
    void logJointIsTheNetworksWithTheEvidencePutIn() {
        Random random = new Random(1);
        for (int trial = 0; trial < 100; trial++) {
            BayesianNetwork network = RandomNetworks.network(random, 2 + random.nextInt(8), 4, 0.15);
            Evidence evidence = RandomNetworks.possibleEvidence(random, network);
            if (evidence.latents().length > 0) {
                NetworkTarget target = new NetworkTarget(evidence);
                int[][] codes = samples(random, target, 20);
                double[] values = target.logJoint(codes);
                for (int i = 0; i < codes.length; i++) {
                    assertSame(values[i], network.logJoint(evidence.complete(codes[i])));
                }
                double[][] neighbours = target.neighbours(codes[0]);
                for (int d = 0; d < neighbours.length; d++) {
                    for (int k = 0; k < neighbours[d].length; k++) {
                        int[] code = codes[0].clone();
                        code[d] = k;
                        assertSame(neighbours[d][k], network.logJoint(evidence.complete(code)));
                    }
                }
            }
        }
    }

    /** Each the sum over all codes against variable elimination, which shares no code with it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sachs      | Akt=LOW
            sachs      | Akt=HIGH
            asia       | asia=yes
            asia       | asia=yes,xray=yes
            earthquake | MaryCalls=True
            earthquake | MaryCalls=False
            cancer     | Cancer=True
            cancer     | Cancer=False
            """)
    void jointsSumToTheEvidence(String network, String observed) {
        Evidence evidence = Evidence.parse(BuiltInNetworks.open(network), observed);
        NetworkTarget target = new NetworkTarget(evidence);
        double[] joints = target.logJoint(target.space().all(60_000));
        assertThat(LogSpace.sumExp(joints))
                .isCloseTo(VariableElimination.logEvidence(evidence), within(1e-10));
    }

    /** Under the uniform q the expectation is the plain mean; Asia's certain or-gate makes it infinite. */
    @Test
    void expectationUnderTheUniformDistributionIsTheMean() {
        NetworkTarget sachs = new NetworkTarget(Evidence.parse(BuiltInNetworks.open("sachs"), "Akt=LOW"));
        double[][] q = new double[10][3];
        Arrays.stream(q).forEach(row -> Arrays.fill(row, 1.0 / 3));
        double[] joints = sachs.logJoint(sachs.space().all(60_000));
        assertThat(joints).as("Sachs has no zeros").doesNotContain(Double.NEGATIVE_INFINITY);
        assertThat(sachs.expectedLogJoint(q)).isCloseTo(Arrays.stream(joints).average().orElseThrow(), within(1e-9));
        NetworkTarget asia = new NetworkTarget(Evidence.parse(BuiltInNetworks.open("asia"), "asia=yes"));
        double[][] half = new double[7][2];
        Arrays.stream(half).forEach(row -> Arrays.fill(row, 0.5));
        assertThat(asia.expectedLogJoint(half)).isEqualTo(Double.NEGATIVE_INFINITY);
        int or = asia.variables().indexOf("either");
        assertThat(asia.conditionalLogJoint(half, or)).containsOnly(Double.NEGATIVE_INFINITY);
        half[asia.variables().indexOf("tub")] = new double[] {0, 1};
        half[asia.variables().indexOf("lung")] = new double[] {0, 1};
        assertThat(asia.conditionalLogJoint(half, or)[0]).as("neither ill, but one of them").isInfinite();
        assertThat(asia.conditionalLogJoint(half, or)[1]).isFinite();
    }

    /** The largest factor has seven variables; 69 latents, none of the joints of random codes impossible. */
    @Test
    @Tag("slow")
    void heparsGraphEqualsTheExactLogJoint() {
        NetworkTarget target = new NetworkTarget(Evidence.parse(BuiltInNetworks.open("hepar2"), "carcinoma=present"));
        int[][] codes = samples(new Random(2), target, 50);
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor x = graph.placeholder("x", 50, target.space().variables(), target.space().width());
        Tensor y = target.logJoint(graph, x);
        assertThat(graph.operationCount()).as("few operations for 70 nodes").isLessThan(50);
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, y)) {
            plan.write(x, target.space().oneHot(codes));
            plan.run();
            double[] values = plan.read(y);
            double[] exact = target.logJoint(codes);
            for (int i = 0; i < codes.length; i++) {
                assertThat(values[i]).isCloseTo(exact[i], within(1e-10));
            }
        }
    }

    @Test
    void variablesAreTheLatentNodesAndTheOrderPutsParentsFirst() {
        Random random = new Random(3);
        for (int trial = 0; trial < 50; trial++) {
            BayesianNetwork network = RandomNetworks.network(random, 8, 3, 0);
            Evidence evidence = RandomNetworks.possibleEvidence(random, network);
            NetworkTarget target = new NetworkTarget(evidence);
            int[] nodes = target.nodes();
            assertThat(nodes).isEqualTo(evidence.latents());
            assertThat(target.evidence()).isEqualTo(evidence);
            assertThat(target.space().cardinalities()).isEqualTo(evidence.latentCardinalities());
            Set<Integer> before = new HashSet<>();
            for (int d : target.order()) {
                Node node = network.node(nodes[d]);
                assertThat(target.variables().get(d)).isEqualTo(node.name());
                assertThat(target.states(d)).isEqualTo(node.states());
                for (int parent : network.parents(nodes[d])) {
                    assertThat(evidence.isObserved(parent) || before.contains(parent)).isTrue();
                }
                before.add(nodes[d]);
            }
            assertThat(before).hasSize(nodes.length);
        }
    }

    @Test
    void fullEvidenceIsRefused() {
        BayesianNetwork coin = BayesianNetwork.of("coin", List.of(
                new Node("c", List.of("h", "t"), List.of(), new double[] {0.5, 0.5})));
        assertThatThrownBy(() -> new NetworkTarget(Evidence.parse(coin, "c=h")))
                .hasMessageContaining("'coin'").hasMessageContaining("at least one latent");
    }
}
