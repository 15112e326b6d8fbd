package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.elimination.JunctionTree;
import io.mdnf.search.FoundCodes;
import io.mdnf.space.LogSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every answer against sums over all codes of random networks. */
class QuestionsTest {

    private static final int NETWORKS = 60;

    private final Random random = new Random(7);

    /** A network small enough to list, evidence, and the posterior of every configuration. */
    private record Listed(Evidence evidence, List<int[]> codes, double[] logJoint) {

        static Listed of(Evidence evidence) {
            List<int[]> codes = new ArrayList<>();
            Enumerated.forEach(evidence, (states, logJoint) -> codes.add(states.clone()));
            return new Listed(evidence, codes, Enumerated.logJoints(evidence));
        }

        double[] posterior() {
            return LogSpace.normalise(logJoint);
        }

        /** The same codes where some of them are likelier. */
        Listed softened(int variable, double... likelihood) {
            double[] weighted = logJoint.clone();
            Arrays.setAll(weighted, i -> weighted[i] + Math.log(likelihood[codes.get(i)[variable]]));
            return new Listed(evidence, codes, weighted);
        }

        /** The posterior of some variables, the last one fastest. */
        double[] of(int... variables) {
            BayesianNetwork network = evidence.network();
            double[] sums = new double[IntStream.of(variables).map(network::cardinality).reduce(1, (a, b) -> a * b)];
            double[] p = posterior();
            for (int i = 0; i < p.length; i++) {
                int at = 0;
                for (int v : variables) {
                    at = at * network.cardinality(v) + codes.get(i)[v];
                }
                sums[at] += p[i];
            }
            return sums;
        }
    }

    private Listed drawn(int trial) {
        BayesianNetwork network = RandomNetworks.network(random, 3 + random.nextInt(5), 3, 0.15 * (trial % 3));
        return Listed.of(RandomNetworks.possibleEvidence(random, network));
    }

    private static double entropy(double[] p) {
        return -Arrays.stream(p).filter(x -> x > 0).map(x -> x * Math.log(x)).sum();
    }

    @Test
    void evidenceMarginalsJointsEntropiesAndInformationAreSumsOverAllCodes() {
        for (int trial = 0; trial < NETWORKS; trial++) {
            Listed listed = drawn(trial);
            Questions questions = Questions.of(listed.evidence());
            int n = listed.evidence().network().size();
            assertThat(questions.logEvidence()).isCloseTo(LogSpace.sumExp(listed.logJoint()), within(1e-10));
            int a = random.nextInt(n);
            double[] information = questions.information(a);
            for (int v = 0; v < n; v++) {
                assertThat(questions.marginal(v)).containsExactly(listed.of(v), within(1e-10));
                assertThat(questions.entropy(v)).isCloseTo(entropy(listed.of(v)), within(1e-9));
                assertThat(information[v]).isCloseTo(v == a ? entropy(listed.of(v))
                        : entropy(listed.of(a)) + entropy(listed.of(v)) - entropy(listed.of(a, v)), within(1e-9));
                assertThat(questions.prior().marginal(v)).containsExactly(
                        Listed.of(Evidence.none(listed.evidence().network())).of(v), within(1e-10));
            }
            int b = (a + 1) % n;
            int c = (a + 2) % n;
            assertThat(questions.joint(b, a, c)).containsExactly(listed.of(b, a, c), within(1e-10));
        }
    }

    @Test
    void softEvidenceMultipliesEveryCodeByItsLikelihood() {
        for (int trial = 0; trial < NETWORKS; trial++) {
            Listed listed = drawn(trial);
            int v = random.nextInt(listed.evidence().network().size());
            double[] likelihood = random.doubles(listed.evidence().network().cardinality(v), 0.1, 1).toArray();
            Listed soft = listed.softened(v, likelihood);
            Questions questions = Questions.of(listed.evidence()).soft(v, likelihood);
            assertThat(questions.logEvidence()).isCloseTo(LogSpace.sumExp(soft.logJoint()), within(1e-10));
            for (int w = 0; w < listed.evidence().network().size(); w++) {
                assertThat(questions.marginal(w)).containsExactly(soft.of(w), within(1e-10));
            }
        }
        assertThatThrownBy(() -> Questions.of(Evidence.none(BuiltInNetworks.open("asia"))).soft(0, 0, 0))
                .hasMessageContaining("not all 0");
    }

    @Test
    void anInfluenceIsTheDistanceToThePosteriorWithoutTheFinding() {
        int checked = 0;
        for (int trial = 0; trial < NETWORKS; trial++) {
            Evidence all = drawn(trial).evidence();
            BayesianNetwork network = all.network();
            for (int target : all.latents()) {
                double[] p = Listed.of(all).of(target);
                List<Questions.Influence> influences = Questions.of(all).influences(target);
                assertThat(influences).hasSize(network.size() - all.latents().length)
                        .isSortedAccordingTo((x, y) -> Double.compare(y.nats(), x.nats()));
                for (Questions.Influence each : influences) {
                    assertThat(all.isObserved(each.finding())).isTrue();
                    double[] without = Listed.of(without(all, each.finding())).of(target);
                    assertThat(each.without()).containsExactly(without, within(1e-10));
                    double nats = IntStream.range(0, p.length)
                            .mapToDouble(k -> p[k] == 0 ? 0 : p[k] * Math.log(p[k] / without[k])).sum();
                    assertThat(each.nats()).isCloseTo(nats, within(1e-9));
                    checked++;
                }
            }
        }
        assertThat(checked).isGreaterThan(NETWORKS);
    }

    private static Evidence without(Evidence evidence, int finding) {
        Map<String, String> kept = new HashMap<>();
        for (int v = 0; v < evidence.network().size(); v++) {
            if (evidence.isObserved(v) && v != finding) {
                kept.put(evidence.network().node(v).name(), evidence.network().node(v).states().get(evidence.state(v)));
            }
        }
        return Evidence.of(evidence.network(), kept);
    }

    /** The k best of all codes by listing them; ties may come in any order. */
    @Test
    void mostProbableExplanationsAreTheBestOfAllCodes() {
        for (int trial = 0; trial < NETWORKS; trial++) {
            Listed listed = drawn(trial);
            if (listed.evidence().latents().length == 0) {
                continue;
            }
            double[] best = Arrays.stream(listed.logJoint()).filter(p -> p > Double.NEGATIVE_INFINITY).sorted()
                    .toArray();
            FoundCodes found = MostProbableCodes.find(listed.evidence(), 4);
            assertThat(found.codes().length).isEqualTo(Math.min(4, best.length));
            for (int i = 0; i < found.codes().length; i++) {
                assertThat(found.logJoint()[i]).isCloseTo(best[best.length - 1 - i], within(1e-10));
                assertThat(listed.evidence().network().logJoint(listed.evidence().complete(found.codes()[i])))
                        .isCloseTo(found.logJoint()[i], within(1e-10));
            }
        }
    }

    @Test
    void softFindingsHaveInfluencesToo() {
        for (int trial = 0; trial < NETWORKS; trial++) {
            Listed listed = drawn(trial);
            int n = listed.evidence().network().size();
            int target = random.nextInt(n);
            int v = (target + 1) % n;
            double[] likelihood = random.doubles(listed.evidence().network().cardinality(v), 0.1, 1).toArray();
            double[] p = listed.softened(v, likelihood).of(target);
            double[] without = listed.of(target);
            if (listed.evidence().isObserved(v) || likelihood.length == 1) {
                continue;
            }
            Questions.Influence found = Questions.of(listed.evidence()).soft(v, likelihood).influences(target).stream()
                    .filter(each -> each.finding() == v).findFirst().orElseThrow();
            assertThat(found.without()).containsExactly(without, within(1e-10));
            assertThat(found.nats()).isCloseTo(IntStream.range(0, p.length)
                    .mapToDouble(k -> p[k] == 0 ? 0 : p[k] * Math.log(p[k] / without[k])).sum(), within(1e-9));
        }
    }

    @Test
    void couplingsAreInformationOfAnyTwoThatShareAFactor() {
        for (int trial = 0; trial < NETWORKS; trial++) {
            Listed listed = drawn(trial);
            BayesianNetwork network = listed.evidence().network();
            List<Questions.Coupling> couplings = Questions.of(listed.evidence()).couplings();
            for (Questions.Coupling each : couplings) {
                assertThat(each.nats()).isCloseTo(entropy(listed.of(each.first())) + entropy(listed.of(each.second()))
                        - entropy(listed.of(each.first(), each.second())), within(1e-9));
            }
            for (int i = 0; i < network.size(); i++) {
                int child = i;
                IntStream.of(network.parents(i)).forEach(parent -> assertThat(couplings).filteredOn(each ->
                        each.first() == parent && each.second() == child
                        || each.first() == child && each.second() == parent).hasSize(1));
            }
        }
    }

    @Test
    void explanationsAreTheCodesWithTheLargestPosteriorSoftEvidenceIncluded() {
        for (int trial = 0; trial < NETWORKS; trial++) {
            Listed listed = drawn(trial);
            int v = random.nextInt(listed.evidence().network().size());
            double[] likelihood = random.doubles(listed.evidence().network().cardinality(v), 0.1, 1).toArray();
            Listed soft = listed.softened(v, likelihood);
            double[] best = Arrays.stream(soft.posterior()).filter(p -> p > 0).map(p -> -p).sorted().map(p -> -p)
                    .limit(4).toArray();
            List<Questions.Explanation> found = Questions.of(listed.evidence()).soft(v, likelihood).mostProbable(4);
            assertThat(found.stream().mapToDouble(Questions.Explanation::probability).toArray())
                    .containsExactly(best, within(1e-10));
            for (Questions.Explanation each : found) {
                int at = IntStream.range(0, soft.codes().size())
                        .filter(i -> Arrays.equals(soft.codes().get(i), each.states())).findFirst().orElseThrow();
                assertThat(soft.posterior()[at]).isCloseTo(each.probability(), within(1e-10));
            }
        }
    }

    @Test
    void anotherCaseOnTheSameTreeForgetsWhatWasObservedBefore() {
        for (int trial = 0; trial < NETWORKS; trial++) {
            Listed listed = drawn(trial);
            BayesianNetwork network = listed.evidence().network();
            int[] states = IntStream.range(0, network.size()).map(i -> listed.evidence().isObserved(i)
                    ? listed.evidence().state(i) : JunctionTree.LATENT).toArray();
            double[] ones = new double[network.cardinality(0)];
            Arrays.fill(ones, 0.5);
            Questions questions = Questions.of(Evidence.none(network)).soft(0, ones).given(states);
            assertThat(questions.logEvidence()).isCloseTo(LogSpace.sumExp(listed.logJoint()), within(1e-10));
            for (int w = 0; w < network.size(); w++) {
                assertThat(questions.marginal(w)).containsExactly(listed.of(w), within(1e-10));
            }
        }
    }

    /** Central differences on tables changed by hand; one-sided by reflection where an entry is 0 or 1. */
    @Test
    void sensitivitiesAreDifferencesOfPosteriorsUnderChangedTables() {
        double step = 1e-5;
        for (int trial = 0; trial < NETWORKS; trial++) {
            // zeros too: their derivative is not a quotient
            BayesianNetwork network = RandomNetworks.network(random, 4, 2, 0.15 * (trial % 3));
            Evidence evidence = RandomNetworks.possibleEvidence(random, network);
            int[] latents = evidence.latents();
            if (latents.length == 0) {
                continue;
            }
            int target = latents[random.nextInt(latents.length)];
            Questions questions = Questions.of(evidence);
            List<Questions.Sensitivity> found = questions.sensitivity(target, 0);
            Questions.Sensitivity asked = found.get(random.nextInt(found.size()));
            double theta = network.node(asked.node()).table()[asked.entry()];
            double low = theta - step < 0 ? 0 : -step;
            double high = theta + step > 1 ? 0 : step;
            if (network.cardinality(asked.node()) == 1) {
                assertThat(asked.derivative()).isZero();
                continue;
            }
            double up = probability(changed(evidence, asked, high), target);
            double down = probability(changed(evidence, asked, low), target);
            double scale = Math.max(1, Math.abs(asked.derivative()));
            // one-sided differences err by the second derivative, which small evidence makes large
            double tolerance = low == 0 || high == 0 ? 1e-2 * scale * scale : 1e-4 * scale * scale;
            assertThat((up - down) / (high - low)).isCloseTo(asked.derivative(), within(tolerance));
        }
    }

    private static double probability(Evidence evidence, int target) {
        return Listed.of(evidence).of(target)[0];
    }

    /** The evidence on a network with one entry moved, the rest of the row in proportion. */
    private static Evidence changed(Evidence evidence, Questions.Sensitivity asked, double by) {
        BayesianNetwork network = evidence.network();
        Node node = network.node(asked.node());
        double[] table = node.table();
        int states = node.cardinality();
        int row = asked.entry() - asked.entry() % states;
        double theta = table[asked.entry()];
        for (int i = row; i < row + states; i++) {
            table[i] += i == asked.entry() ? by
                    : theta == 1 ? -by / (states - 1) : -by * table[i] / (1 - theta);
        }
        List<Node> nodes = new ArrayList<>(network.nodes());
        nodes.set(asked.node(), new Node(node.name(), node.states(), node.parents(), table));
        return Evidence.parse(BayesianNetwork.of(network.name(), nodes), evidence.toString());
    }
}
