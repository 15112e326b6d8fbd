package io.mdnf.uai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UaiReaderTest {

    private static final String PAIR = "MARKOV\n2\n2 3\n2\n1 0\n2 0 1\n2 .5 1.5\n6 1 2 3 4 5 6e0\n";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static UaiModel model(String text) {
        return UaiReader.model(bytes(text), "m.uai");
    }

    private static UaiEvidence evidence(String text) {
        return UaiReader.evidence(bytes(text), "m.evid", model(PAIR));
    }

    @Test
    void theLastVariableOfAScopeRunsFastest() {
        FactorTarget target = model(PAIR).target(UaiEvidence.none(model(PAIR)));
        assertThat(target.logJoint(new int[][] {{0, 2}, {1, 0}})[0]).isCloseTo(Math.log(0.5 * 3), within(1e-15));
        assertThat(target.logJoint(new int[][] {{0, 2}, {1, 0}})[1]).isCloseTo(Math.log(1.5 * 4), within(1e-15));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 1 2", "1 1 1 2", "1\r\n1\t1 2\n\n"})
    void bothDialectsOfEvidenceAreRead(String text) {
        assertThat(evidence(text).observed()).isEqualTo(Map.of(1, 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1 0", "0\n"})
    void noEvidenceIsSaidByZero(String text) {
        assertThat(evidence(text).observed()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "                      | 1:1: found the end of the file, expected the number of observed",
        "2 0 1                 | 1:6: found the end of the file, expected an observed variable",
        "1 2 0                 | 1:3: found '2', expected an observed variable from 0 to 1",
        "1 1 3                 | 1:5: found '3', expected the category of variable 1 from 0 to 2",
        "2 1 1 1 2             | 1:7: found variable 1 twice",
        "2 1 0 1 1 1 1 2       | 1:1: found 2 samples of evidence, expected 1",
        "1 x 1                 | 1:3: found 'x', expected an observed variable, a whole number",
        "0 0 1                 | 1:3: found '0', expected the end of the file after 0 observed variables"})
    void wrongEvidenceIsRefusedWithItsPlace(String text, String problem) {
        assertThatThrownBy(() -> evidence(text == null ? "" : text)).isInstanceOf(UaiException.class)
                .hasMessageStartingWith("m.evid:" + problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "MARKOVIAN             | 1:1: found 'MARKOVIAN', expected MARKOV or BAYES",
        "MARKOV 0              | 1:8: found '0', expected the number of variables from 1",
        "MARKOV;1;0            | 3:1: found '0', expected a number of categories from 1",
        "MARKOV;1;2;1;1 1      | 5:3: found '1', expected a variable of table 0 from 0 to 0",
        "MARKOV;2;2 2;1;2 0 0  | 5:5: found a variable twice",
        "MARKOV;1;2;1;1 0;3 1  | 6:1: found 3 entries of table 0, expected 2, one per configuration",
        "MARKOV;1;2;1;1 0;2 1 -1 | 6:5: found -1.0, expected an entry of table 0, at least 0",
        "MARKOV;1;2;1;1 0;2 1 inf | 6:5: found 'inf', expected an entry of table 0, a finite number",
        "MARKOV;1;2;1;1 0;2 1 1e999 | 6:5: found '1e999', expected an entry of table 0, a finite number",
        "MARKOV;1;2;1;1 0;2 1    | 6:4: found the end of the file, expected an entry of table 0",
        "MARKOV;1;2;1;1 0;2 1 1 1 | 6:7: found '1', expected the end of the file after 1 tables",
        "MARKOV;9;2            | 3:2: found the end of the file, expected a number of categories"})
    void wrongModelsAreRefusedWithTheirPlace(String text, String problem) {
        assertThatThrownBy(() -> model(text.replace(";", "\n"))).isInstanceOf(UaiException.class)
                .hasMessageStartingWith("m.uai:" + problem);
    }

    @Test
    void whatIsWrittenReadsBackEqual() {
        Random random = new Random(3);
        for (int trial = 0; trial < 300; trial++) {
            UaiModel model = RandomModels.model(random);
            assertThat(model(UaiWriter.model(model))).isEqualTo(model);
            UaiEvidence evidence = RandomModels.evidence(random, model);
            assertThat(UaiReader.evidence(bytes(UaiWriter.evidence(evidence)), "again", model)).isEqualTo(evidence);
            double[][] marginals = Arrays.stream(model.cardinalities()).mapToObj(k -> random.doubles(k).toArray())
                    .toArray(double[][]::new);
            assertThat(UaiReader.marginals(bytes(UaiWriter.marginals(marginals)), "again"))
                    .isDeepEqualTo(marginals);
            assertThat(UaiReader.marginals(bytes(UaiWriter.marginals(marginals).replace("MAR\n", "MAR\n1\n")), "again"))
                    .isDeepEqualTo(marginals);
        }
    }

    @Test
    void partitionFunctionsAreLogarithmsToBaseTen() {
        assertThat(UaiReader.logPartition(bytes("PR\n-2\n"), "m.PR")).isCloseTo(Math.log(0.01), within(1e-15));
        assertThat(UaiReader.logPartition(bytes("PR\n1\n-2\n"), "m.PR")).isCloseTo(Math.log(0.01), within(1e-15));
        assertThat(UaiReader.logPartition(bytes(UaiWriter.logPartition(390.077)), "m.PR"))
                .isCloseTo(390.077, within(1e-12));
        assertThatThrownBy(() -> UaiReader.logPartition(bytes("MAR\n1"), "m.PR"))
                .hasMessage("m.PR:1:1: found 'MAR', expected PR");
    }

    @Test
    void evidenceLeavesTheCodesThatAgreeWithIt() {
        Random random = new Random(5);
        for (int trial = 0; trial < 100; trial++) {
            UaiModel model = RandomModels.model(random);
            UaiEvidence evidence = RandomModels.evidence(random, model);
            double sum = 0;
            FactorTarget whole = model.target(UaiEvidence.none(model));
            for (int[] code : whole.space().all()) {
                boolean agrees = evidence.observed().entrySet().stream()
                        .allMatch(e -> code[e.getKey()] == e.getValue());
                sum += agrees ? Math.exp(whole.logJoint(new int[][] {code})[0]) : 0;
            }
            FactorTarget given = model.target(evidence);
            double log = LogSpace.sumExp(given.logJoint(given.space().all()));
            assertThat(Math.exp(log)).isCloseTo(sum, within(1e-12 * sum));
            assertThat(given.space()).isEqualTo(CodeSpace.of(given.space().cardinalities()));
        }
    }

    @Test
    void marginalsOfObservedVariablesAreOnWhatWasObserved() {
        UaiModel model = model(PAIR);
        assertThat(UaiEvidence.of(model, Map.of(1, 2)).complete(new double[][] {{0.25, 0.75}, {1}}))
                .isDeepEqualTo(new double[][] {{0.25, 0.75}, {0, 0, 1}});
    }
}
