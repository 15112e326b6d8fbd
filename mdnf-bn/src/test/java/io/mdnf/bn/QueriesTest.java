package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.elimination.JunctionTree;
import io.mdnf.file.CsvFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class QueriesTest {

    private static Evidence evidence(BayesianNetwork network, int[] states) {
        Map<String, String> observed = new HashMap<>();
        for (int v = 0; v < states.length; v++) {
            if (states[v] != JunctionTree.LATENT) {
                observed.put(network.node(v).name(), network.node(v).states().get(states[v]));
            }
        }
        return Evidence.of(network, observed);
    }

    @Test
    void everyCaseIsAnsweredAsExactInferenceAnswersItAlone() {
        Random random = new Random(1);
        BayesianNetwork network = BuiltInNetworks.open("hepar2");
        for (double missing : new double[] {0.1, 0.6, 1}) {
            List<int[]> cases = RandomNetworks.cases(random, network, 30, missing);
            List<Queries.Answer> answers = Queries.of(NamedFactors.of(network), List.of()).answer(cases, 2);
            for (int i = 0; i < cases.size(); i++) {
                ExactPosterior exact = VariableElimination.posterior(evidence(network, cases.get(i)));
                assertThat(answers.get(i).algorithm()).isEqualTo(Queries.Algorithm.EXACT);
                assertThat(answers.get(i).lower()).isCloseTo(exact.logEvidence(), within(1e-9));
                assertThat(answers.get(i).probabilities()).containsExactly(Arrays.stream(exact.marginals())
                        .flatMapToDouble(Arrays::stream).toArray(), within(1e-9));
            }
        }
    }

    @Test
    void answersDependNeitherOnThreadsNorOnWhichCasesComeTogether() {
        BayesianNetwork network = BuiltInNetworks.open("asia");
        List<int[]> cases = RandomNetworks.cases(new Random(2), network, 500, 0.5);
        Queries queries = Queries.of(NamedFactors.of(network), List.of("lung", "dysp"));
        List<Queries.Answer> together = queries.answer(cases, 3);
        for (int i = 0; i < cases.size(); i++) {
            Queries.Answer alone = queries.answer(cases.subList(i, i + 1), 1).get(0);
            assertThat(alone.lower()).isEqualTo(together.get(i).lower());
            assertThat(alone.probabilities()).isEqualTo(together.get(i).probabilities()).hasSize(4);
        }
    }

    @Test
    void aQuestionIsSentToAnotherMachine() throws IOException {
        BayesianNetwork network = BuiltInNetworks.open("asia");
        List<int[]> cases = RandomNetworks.cases(new Random(3), network, 20, 0.5);
        Queries queries = Queries.of(NamedFactors.of(network), List.of());
        List<Queries.Answer> here = queries.answer(cases, 1);
        List<Queries.Answer> there = sent(queries).answer(cases, 1);
        for (int i = 0; i < here.size(); i++) {
            assertThat(there.get(i).probabilities()).isEqualTo(here.get(i).probabilities());
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Serializable> T sent(T what) throws IOException {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(sent)) {
            out.writeObject(what);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(sent.toByteArray()))) {
            return (T) in.readObject();
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static CaseTable table(BayesianNetwork network, String csv) throws IOException {
        return CaseTable.of(NamedFactors.of(network), CsvFile.parse("cases.csv", csv.getBytes(StandardCharsets.UTF_8)),
                Set.of("id"));
    }

    @Test
    void badRowsGetAnErrorAndTheOthersTheirAnswers() throws IOException {
        BayesianNetwork network = BuiltInNetworks.open("asia");
        CaseTable table = table(network,
                "id,xray,lung,tub,either\n1,yes,?,,\n2,yse,,,\n3,yes\n4,,yes,no,no\n5,?,?,?,?\n");
        List<Queries.Answer> answers = table.answer(
                Queries.of(NamedFactors.of(network), List.of("lung")), 2);

        assertThat(answers.get(0).probabilities()).containsExactly(VariableElimination.posterior(
                Evidence.parse(network, "xray=yes")).marginal(network.indexOf("lung")), within(1e-12));
        assertThat(answers.get(1).error()).contains("'xray' has no state 'yse' (did you mean 'yes'?)");
        assertThat(answers.get(2).error()).contains("found 2 cells, expected 5");
        assertThat(answers.get(3).error()).contains("probability 0");
        assertThat(answers.get(3).lower()).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(answers.get(4).lower()).isCloseTo(0, within(1e-12));
    }

    @Test
    void columnsThatAreNoVariablesAreRefusedByName() {
        BayesianNetwork network = BuiltInNetworks.open("asia");
        assertThatThrownBy(() -> table(network, "id,xrai\n1,yes\n")).hasMessageContaining("'xrai' of cases.csv")
                .hasMessageContaining("did you mean 'xray'");
        assertThatThrownBy(() -> table(network, "id,xray,xray\n1,yes,no\n")).hasMessageContaining("appears twice");
        assertThatThrownBy(() -> table(network, "xray\nyes\n")).hasMessageContaining("no column 'id'");
        assertThatThrownBy(() -> table(network, "id,xray,\n1,yes,\n")).hasMessageContaining("column 3 of cases.csv "
                + "has no name");
        assertThatThrownBy(() -> CaseTable.of(NamedFactors.of(network), "cases.csv", List.of("xray;smoke"), List.of(),
                Set.of())).hasMessageEndingWith("'asia'; columns are separated by commas");
        assertThatThrownBy(() -> Queries.of(NamedFactors.of(network), List.of("lunge")))
                .hasMessageContaining("did you mean 'lung'");
    }

    @Test
    void whereNoTreeFitsCasesAreAnsweredOneByOne() {
        BayesianNetwork network = BuiltInNetworks.open("asia");
        List<int[]> cases = RandomNetworks.cases(new Random(4), network, 3, 0.7);
        Queries exact = Queries.of(NamedFactors.of(network), List.of());
        Queries other = exact.within(0);
        assertThat(other.isExact()).isFalse();
        for (int i = 0; i < cases.size(); i++) {
            assertThat(other.answer(cases, 1).get(i).probabilities())
                    .containsExactly(exact.answer(cases, 1).get(i).probabilities(), within(1e-9));
        }
    }

    @Test
    void aCaseThatIsNoneGetsAnErrorAndTheOthersTheirAnswers() {
        BayesianNetwork network = BuiltInNetworks.open("asia");
        Queries queries = Queries.of(NamedFactors.of(network), List.of("lung"));
        int[] good = new int[8];
        Arrays.fill(good, JunctionTree.LATENT);
        int[] wrong = good.clone();
        wrong[network.indexOf("xray")] = 2;
        List<Queries.Answer> answers = queries.answer(List.of(wrong, good, new int[3]), 2);
        assertThat(answers.get(0).error()).isEqualTo("variable 'xray' has no state 2, expected 0 to 1, or -1 if not "
                + "observed");
        assertThat(answers.get(1).probabilities()).hasSize(2);
        assertThat(answers.get(2).error()).isEqualTo("found 3 states, expected 8, one per variable");
    }

    @Test
    void aPartOfATableIsAnsweredByItself() throws IOException {
        BayesianNetwork network = BuiltInNetworks.open("asia");
        NamedFactors model = NamedFactors.of(network);
        Queries queries = Queries.of(model, List.of());
        List<String> header = List.of("xray", "id", "dysp");
        List<List<String>> rows = List.of(List.of("yes", "1", "no"), Arrays.asList(null, "2", "yes"),
                List.of("maybe", "3", "no"), List.of("", "4", "?"));
        List<Queries.Answer> whole = CaseTable.of(model, "cases", header, rows, Set.of("id")).answer(queries, 2);
        assertThat(whole.get(2).error()).contains("'xray' has no state 'maybe'");
        for (int i = 0; i < rows.size(); i++) {
            Queries.Answer alone = CaseTable.of(model, "part", header, rows.subList(i, i + 1), Set.of("id"))
                    .answer(sent(queries), 1).get(0);
            assertThat(alone.probabilities()).isEqualTo(whole.get(i).probabilities());
            assertThat(Double.compare(sent(alone).lower(), whole.get(i).lower())).isZero();
        }
    }

    /** A network on a grid, each variable under the one above and the one to the left of it: no tree is narrow. */
    private static BayesianNetwork grid(Random random, int size) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                List<String> parents = new ArrayList<>();
                if (i > 0) {
                    parents.add("v" + (i - 1) + "_" + j);
                }
                if (j > 0) {
                    parents.add("v" + i + "_" + (j - 1));
                }
                double[] table = new double[2 << parents.size()];
                for (int row = 0; row < table.length; row += 2) {
                    table[row] = 0.02 + 0.96 * random.nextDouble();
                    table[row + 1] = 1 - table[row];
                }
                nodes.add(new Node("v" + i + "_" + j, List.of("a", "b"), parents, table));
            }
        }
        return BayesianNetwork.of("grid", nodes);
    }

    @Test
    @Tag("slow")
    void whereExactInferenceIsTooWideFitsSaySoAndAreTheSameEverywhere() throws IOException {
        BayesianNetwork network = grid(new Random(5), 32);
        List<int[]> cases = List.of(RandomNetworks.cases(new Random(6), network, 1, 0.97).get(0),
                RandomNetworks.cases(new Random(6), network, 1, 1).get(0));
        Queries queries = Queries.of(NamedFactors.of(network), List.of("v0_0", "v16_16", "v31_31"));
        assertThat(queries.isExact()).isFalse();
        List<Queries.Answer> here = queries.answer(cases, 2);
        for (int i = 0; i < cases.size(); i++) {
            Queries.Answer there = sent(queries).answer(cases.subList(i, i + 1), 1).get(0);
            assertThat(there.probabilities()).isEqualTo(here.get(i).probabilities());
            assertThat(there.lower()).isEqualTo(here.get(i).lower());
            assertThat(here.get(i).algorithm()).isEqualTo(Queries.Algorithm.FITTED);
            assertThat(here.get(i).upper()).isGreaterThan(here.get(i).lower());
            assertThat(here.get(i).standardError()).isBetween(0.0, 0.05);
        }
        // with nothing observed the truth is known: log p = 0, and the first variable has its own table
        Queries.Answer prior = here.get(1);
        assertThat(prior.lower()).isLessThanOrEqualTo(0);
        assertThat(prior.upper()).isGreaterThanOrEqualTo(0);
        assertThat(prior.probabilities()[0]).isCloseTo(network.node(0).table()[0], within(4 * prior.standardError()));
    }
}
