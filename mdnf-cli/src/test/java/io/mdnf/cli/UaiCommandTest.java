package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code mdnf uai} and {@code mdnf convert} promise at the terminal. */
class UaiCommandTest {

    @TempDir
    private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path model;
    private Path evidence;

    /** p(x) = a(x_0) b(x_0, x_1): Z = .5 (1 + 2 + 3) + 1.5 (4 + 5 + 6) = 25.5; given x_1 = 2 it is 1.5 + 9. */
    @BeforeEach
    void write() throws IOException {
        model = Files.writeString(folder.resolve("pair.uai"),
                "MARKOV\n2\n2 3\n2\n1 0\n2 0 1\n2 .5 1.5\n6 1 2 3 4 5 6\n");
        evidence = Files.writeString(folder.resolve("pair.evid"), "1\n1 1 2\n");
    }

    private int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private JsonNode answer() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    @Test
    void fitAndExactAgreeWithTheSumOverAllCodes() throws IOException {
        assertThat(run("uai", "fit", model.toString(), "--json")).isZero();
        assertThat(answer().at("/logEvidence/lower").doubleValue()).isCloseTo(Math.log(25.5), within(1e-9));
        assertThat(answer().at("/logEvidence/upper").doubleValue()).isCloseTo(Math.log(25.5), within(1e-9));
        assertThat(answer().at("/logEvidence/standardError").doubleValue()).isZero();
        assertThat(answer().at("/marginals/0/probabilities/0").doubleValue()).isCloseTo(3 / 25.5, within(1e-9));
        assertThat(answer().get("method").asText()).startsWith("exact elimination");
        assertThat(run("uai", "exact", model.toString(), "--evidence", evidence.toString(), "--json")).isZero();
        assertThat(answer().get("logEvidence").doubleValue()).isCloseTo(Math.log(10.5), within(1e-9));
        assertThat(answer().at("/marginals/1/probabilities").toString()).isEqualTo("[0.0,0.0,1.0]");
    }

    /** A ring of four binary variables whose tables are split; its second variable is observed. */
    @Test
    void whatIsBoundedHasTheSameFieldsAsWhatIsExact() throws IOException {
        Path ring = Files.writeString(folder.resolve("ring.uai"), "MARKOV 5 2 2 2 2 2 6 2 0 1 2 1 2 2 2 3 2 3 4 2 4 0 "
                + "2 0 2" + " 4 2 1 1 3".repeat(6));
        Path seen = Files.writeString(folder.resolve("ring.evid"), "1 1 1");
        assertThat(run("uai", "fit", ring.toString(), "--evidence", seen.toString(), "--tables", "2", "--budget", "1s",
                "--json")).isZero();
        JsonNode bounded = answer();
        assertThat(bounded.get("exact").booleanValue()).isFalse();
        assertThat(run("uai", "fit", ring.toString(), "--evidence", seen.toString(), "--json")).isZero();
        JsonNode exact = answer();
        assertThat(exact.get("exact").booleanValue()).isTrue();
        double logZ = exact.at("/logEvidence/estimate").doubleValue();
        for (JsonNode each : new JsonNode[] {bounded, exact}) {
            assertThat(each.at("/logEvidence/lower").doubleValue()).isLessThanOrEqualTo(logZ);
            assertThat(each.at("/logEvidence/upper").doubleValue()).isGreaterThanOrEqualTo(logZ);
            assertThat(each.at("/logEvidence/estimate").doubleValue()).isCloseTo(logZ, within(0.05));
            assertThat(each.at("/logEvidence/standardError").isNumber()).isTrue();
            assertThat(each.get("marginals")).hasSize(5);
            assertThat(each.at("/marginals/1/probabilities").toString()).isEqualTo("[0.0,1.0]");
            assertThat(each.at("/marginals/1/standardErrors").toString()).isEqualTo("[0.0,0.0]");
            assertThat(each.get("method").isTextual()).isTrue();
            assertThat(each.get("seconds").isNumber()).isTrue();
        }
    }

    /** As {@code --evidence <(...)} gives it: what is read twice would wait for ever. */
    @Test
    void evidenceMayComeFromAPipe() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        Thread writer = new Thread(() -> assertThatCode(() -> Files.writeString(pipe, "1 1 2\n",
                StandardOpenOption.WRITE)).doesNotThrowAnyException());
        writer.start();
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> assertThat(run("uai", "mar", model.toString(),
                "--evidence", pipe.toString())).isZero());
        assertThat(out.toString()).endsWith(" 3 0 0 1\n");
        writer.join();
    }

    @Test
    void resultsAreWrittenAsTheCompetitionsReadThem() {
        assertThat(run("uai", "pr", model.toString())).isZero();
        assertThat(out.toString()).startsWith("PR\n1.40654018043395").endsWith("\n");
        assertThat(run("uai", "mar", model.toString(), "--evidence", evidence.toString())).isZero();
        assertThat(out.toString()).startsWith("MAR\n2 2 0.14285714").endsWith(" 3 0 0 1\n");
        assertThat(run("uai", "info", model.toString())).isZero();
        assertThat(out.toString()).startsWith("pair.uai: MARKOV, 2 variables, 0 observed, 2 tables\n");
    }

    @Test
    void benchGivesEveryProblemARowAndKeepsWhatIsFinished() throws IOException {
        Files.writeString(folder.resolve("pair.uai.MAR"), "MAR\n2 2 0.117647 0.882353 3 .254902 .333333 .411765\n");
        Files.writeString(folder.resolve("wrong.uai"), "MARKOV 0");
        String kept = folder.resolve("rows.tsv").toString();
        assertThat(run("bench", "uai", folder.toString(), "--out", kept, "--json")).isZero();
        assertThat(answer().at("/problems/0/score").doubleValue()).isGreaterThan(99.9);
        assertThat(answer().at("/problems/0/loopy/distance").doubleValue()).isLessThan(1e-3);
        assertThat(answer().at("/problems/0/loopy/logZ").doubleValue()).isCloseTo(Math.log(25.5), within(1e-6));
        assertThat(answer().at("/problems/0/meanField/logZ").doubleValue()).isLessThan(Math.log(25.5));
        assertThat(answer().at("/problems/0/gibbs/distance").doubleValue()).isLessThan(0.02);
        assertThat(answer().at("/summary/wrongBounds").intValue()).isZero();
        assertThat(answer().at("/problems/1/algorithm").asText()).contains("wrong.uai:1:8: found '0'");
        assertThat(run("bench", "uai", folder.toString(), "--out", kept)).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString()).containsPattern("problems +2\nscore +49.99");
    }

    @Test
    void benchIsingIsExactWhereItCanBe() throws IOException {
        assertThat(run("bench", "ising", "--size", "4", "--beta", "0.4", "--json")).isZero();
        assertThat(answer().get("elbo").doubleValue()).isCloseTo(answer().get("logZ").doubleValue(), within(1e-9));
        assertThat(answer().get("effectiveShare").doubleValue()).isCloseTo(1, within(1e-9));
    }

    /** 3 x 3 sites of two states: Potts at 2 beta is Ising at beta, but for beta a link. */
    @Test
    void otherLatticesAreNamedToo() throws IOException {
        assertThat(run("bench", "ising", "--size", "3", "--beta", "0.4", "--json")).isZero();
        double ising = answer().get("logZ").doubleValue();
        assertThat(run("bench", "potts", "--size", "3", "--states", "2", "--beta", "0.8", "--json")).isZero();
        assertThat(answer().get("logZ").doubleValue()).isCloseTo(ising + 18 * 0.4, within(1e-9));
        assertThat(run("bench", "spin-glass", "--size", "3", "--beta", "0.4", "--json")).isZero();
        assertThat(answer().get("logZ").doubleValue()).isLessThan(ising);
        assertThat(answer().get("gap").doubleValue()).isCloseTo(0, within(1e-9));
    }

    @Test
    void damagedFilesAreOneLineAndExitTwo() throws IOException {
        Files.writeString(model, "MARKOV\n2\n2 3\n1\n1 2\n");
        assertThat(run("uai", "exact", model.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("pair.uai:5:3: found '2', expected a variable of table 0 from 0 to 1")
                .hasLineCount(1);
    }

    /** A chain of 300 equal variables whose ends differ; the first has one category. */
    @Test
    void whatIsImpossibleIsAShortLineToo() throws IOException {
        StringBuilder chain = new StringBuilder("MARKOV 301 1" + " 2".repeat(300) + " 299");
        for (int v = 1; v < 300; v++) {
            chain.append(" 2 ").append(v).append(' ').append(v + 1);
        }
        Files.writeString(model, chain + " 4 1 0 0 1".repeat(299));
        Files.writeString(evidence, "2 1 0 300 1");
        for (String command : new String[] {"exact", "fit", "mar", "pr"}) {
            assertThat(run("uai", command, model.toString(), "--evidence", evidence.toString())).isEqualTo(2);
            assertThat(err.toString()).hasLineCount(1).hasSizeLessThan(200);
        }
    }

    @Test
    void withoutTablesEveryCodeWeighsOne() throws IOException {
        Files.writeString(model, "MARKOV 2 2 3 0");
        assertThat(run("uai", "fit", model.toString(), "--json")).isZero();
        assertThat(answer().at("/logEvidence/lower").doubleValue()).isCloseTo(Math.log(6), within(1e-9));
        assertThat(run("uai", "mar", model.toString())).isZero();
        assertThat(out.toString()).startsWith("MAR\n2 2 0.5 0.5 3 0.333333");
    }

    /** 18 bytes that would take gigabytes. */
    @Test
    void moreCategoriesThanMemoryHoldsAreRefused() throws IOException {
        Files.writeString(model, "MARKOV 1 50000000 0");
        assertThat(run("uai", "fit", model.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("pair.uai:1:10: found more than 10000000 categories").hasLineCount(1);
    }

    @Test
    void networksGoToUaiAndBackToTheLastBit() throws IOException {
        Path uai = folder.resolve("asia.uai");
        Path bif = folder.resolve("asia.bif");
        Path again = folder.resolve("again.uai");
        assertThat(run("convert", "asia", uai.toString())).isZero();
        assertThat(run("convert", uai.toString(), bif.toString())).isZero();
        assertThat(run("convert", bif.toString(), again.toString())).isZero();
        assertThat(again).hasSameTextualContentAs(uai);
        Path xml = folder.resolve("asia.xml");
        Path net = folder.resolve("asia.net");
        Path named = folder.resolve("asia2.bif");
        assertThat(run("convert", "asia", named.toString())).isZero();
        assertThat(run("convert", named.toString(), xml.toString())).isZero();
        assertThat(run("convert", xml.toString(), net.toString())).isZero();
        assertThat(run("convert", net.toString(), bif.toString())).isZero();
        assertThat(bif).hasSameTextualContentAs(named);
        for (Path file : new Path[] {xml, net}) {
            assertThat(run("bn", "exact", file.toString(), "--evidence", "xray=yes", "--json")).isZero();
            String answer = out.toString();
            assertThat(run("bn", "exact", "asia", "--evidence", "xray=yes", "--json")).isZero();
            assertThat(out.toString()).isEqualTo(answer);
        }
        assertThat(run("convert", "asia", folder.resolve("asia.csv").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("asia.csv: the name must end in .bif, .xml, .net or .uai").hasLineCount(1);
        assertThat(run("convert", model.toString(), bif.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("is a Markov field");
    }
}
