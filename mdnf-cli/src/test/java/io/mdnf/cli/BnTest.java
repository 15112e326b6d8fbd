package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.parity.ChildJvm;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mdnf.checkpoint.RunManifest;
import io.mdnf.fit.Plan;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What {@code mdnf bn} promises at the terminal. */
class BnTest {

    /** log p(Cancer=True), by enumeration of the published tables. */
    private static final double CANCER = -4.4541673124516;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private JsonNode answer() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    @Test
    void infoCountsNodesArcsAndParameters() throws IOException {
        assertThat(run("bn", "info", "hepar2", "--json")).isZero();

        assertThat(answer().get("nodes").intValue()).isEqualTo(70);
        assertThat(answer().get("arcs").intValue()).isEqualTo(123);
        assertThat(answer().get("parameters").intValue()).isEqualTo(1453);
        assertThat(answer().at("/cardinalities/4").intValue()).isEqualTo(6);
        assertThat(answer().get("citation").asText()).contains("Onisko");
    }

    /** What the fit eliminates itself is not eliminated beside it. */
    @Test
    void theTruthIsSoughtOnlyWhereTheFitDoesNotFindIt() throws IOException {
        BnCase asked = CommandLine.populateCommand(new BnCase(), "hepar2");
        assertThat(asked.truthBeside(Plan.autoregressive(), asked.target())).isEmpty();
        assertThat(asked.truthBeside(new Plan.Exact(), asked.target())).isEmpty();
        assertThat(asked.truthBeside(Plan.joint(), asked.target())).isPresent();
    }

    @Test
    void exactGivesLogEvidenceAndMarginals() throws IOException {
        assertThat(run("bn", "exact", "cancer", "--evidence", "Cancer=True", "--json")).isZero();

        assertThat(answer().get("logEvidence").doubleValue()).isCloseTo(CANCER, within(1e-9));
        // p(Xray=positive | Cancer=True) is an entry of the network's table.
        assertThat(answer().at("/marginals/Xray/positive").doubleValue()).isCloseTo(0.9, within(1e-12));
        assertThat(answer().get("marginals").has("Cancer")).isFalse();
    }

    @Test
    void exactOfACompleteObservationIsItsProbability() throws IOException {
        String all = "Pollution=low,Smoker=True,Cancer=True,Xray=positive,Dyspnoea=True";
        assertThat(run("bn", "exact", "cancer", "--evidence", all, "--json")).isZero();
        // One entry of each of the five published tables.
        assertThat(answer().get("logEvidence").doubleValue())
                .isCloseTo(Math.log(0.9 * 0.3 * 0.03 * 0.9 * 0.65), within(1e-9));
        assertThat(answer().get("marginals")).isEmpty();

        assertThat(run("bn", "exact", "cancer", "--evidence", all)).isZero();
        assertThat(out.toString()).contains("nothing latent");
    }

    @Test
    void exactShowsBarsToPeople() {
        assertThat(run("bn", "exact", "cancer", "--evidence", "Cancer=True")).isZero();

        assertThat(out.toString()).contains("log evidence -4.454167312")
                .contains("positive  0.9000  " + "█".repeat(18));
    }

    @Test
    void tooLargeForExactIsOneLineThatNamesTheOtherCommand(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("wide.bif");
        Files.writeString(file, manyCauses());

        assertThat(run("bn", "exact", file.toString(), "--evidence", manyEffects())).isEqualTo(1);
        assertThat(err.toString().lines()).hasSize(1).first().asString().contains("too large", "mdnf bn fit")
                .doesNotContain("Xmx");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void exactInferenceTakesTheMemoryItIsGiven() {
        assertThat(run("bn", "exact", "hepar2", "--memory", "8k")).isEqualTo(1);
        assertThat(err.toString()).contains(" MB, may take 0.008192 MB", "or a larger --memory");
        assertThat(run("bn", "info", "hepar2", "--memory", "8k")).isZero();
        assertThat(out.toString()).contains("too large: needs ");
        assertThat(run("bn", "exact", "hepar2", "--memory", "1M", "--json")).isZero();
    }

    @Test
    void memoryThatIsNoSizeOrMoreThanJavaHasIsRefused() {
        assertThat(run("bn", "exact", "cancer", "--memory", "much")).isEqualTo(2);
        assertThat(err.toString()).contains("--memory much: a number and k, m or g");
        assertThat(run("bn", "exact", "cancer", "--memory", "900000g")).isEqualTo(2);
        assertThat(err.toString()).contains("--memory 900000g: Java may take", "MDNF_JAVA_OPTS=-Xmx1125000g");
    }

    /** 36 binary causes, an observed effect of each pair: nothing can be eliminated without joining all causes. */
    private static String manyCauses() {
        StringBuilder text = new StringBuilder("network wide { }\n");
        for (int i = 0; i < 36; i++) {
            text.append("variable c").append(i).append(" { type discrete [ 2 ] { a, b }; }\n")
                    .append("probability ( c").append(i).append(" ) { table 0.5, 0.5; }\n");
        }
        for (int i = 0; i < 36; i++) {
            for (int j = 0; j < i; j++) {
                String name = "e" + i + "x" + j;
                text.append("variable ").append(name).append(" { type discrete [ 2 ] { a, b }; }\n")
                        .append("probability ( ").append(name).append(" | c").append(i).append(", c").append(j)
                        .append(" ) { (a, a) 0.5, 0.5; (a, b) 0.4, 0.6; (b, a) 0.3, 0.7; (b, b) 0.2, 0.8; }\n");
            }
        }
        return text.toString();
    }

    private static String manyEffects() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 36; i++) {
            for (int j = 0; j < i; j++) {
                text.append(text.isEmpty() ? "" : ",").append("e").append(i).append("x").append(j).append("=a");
            }
        }
        return text.toString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "exact asai                                         | did you mean 'asia'?",
        "exact asia --evidence xrey=yes                     | did you mean 'xray'?",
        "exact asia --evidence xray=yess                    | did you mean 'yes'?",
        "exact asia --evidence xray                         | found 'xray', expected variable=state",
        "exact asia --evidence either=no,tub=yes            | probability 0",
        "fit asia --evidence either=no,tub=yes              | probability 0",
        "exact asia --evidence asia=yes,tub=yes,smoke=yes,lung=yes,bronc=yes,"
            + "either=no,xray=yes,dysp=yes | probability 0",
        "sample asia --evidence either=no,tub=yes           | probability 0",
        "fit cancer --evidence Pollution=low,Smoker=True,Cancer=True,Xray=positive,Dyspnoea=True | latent",
        "fit asia --components 0                  | neither a number of at least 1 nor auto",
        "fit asia --components -1                 | neither a number of at least 1 nor auto",
        "fit asia --family factorized                    | expected one of",
        "fit asia --family factorised --weights free  | --weights free: only --family joint",
        "fit asia --family factorised --algorithm bvif   | --algorithm bvif: only --family joint",
        "fit asia --family joint --algorithm bvif --weights equal | makes the weights free",
        "fit asia --family joint --steps 10              | --steps 10: only --family autoregressive",
        "fit asia --steps 0                                 | --steps 0: at least 1",
        "fit asia --family autoregressive --algorithm vif | with --no-refine vif trains them",
        "fit asia --family joint --algorithm bvi --no-refine | --no-refine: bvi has no gradients",
        "fit asia --family factorised --components auto  | --components auto: only --family joint",
        "fit asia --components many                         | neither a number of at least 1 nor auto",
        "fit asia --family joint --algorithm bvif --no-refine --steps 9 | only vif trains all flows together",
        "fit asia --resume                                  | --out DIR",
        "sample asia -n 0                                   | -n 0: at least 1",
        "sample                                             | NETWORK"})
    void wrongInputIsOneLineAndExitsTwo(String commandLine, String part) {
        assertThat(run(("bn " + commandLine).split(" "))).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(1).first().asString().contains(part);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aFitsBoundStaysBelowTheEvidenceAndItsMarginalsSumToOne() throws IOException {
        assertThat(run("bn", "fit", "cancer", "--evidence", "Cancer=True", "--family", "factorised",
                "--components", "20", "--json", "--quiet")).isZero();

        JsonNode answer = answer();
        assertThat(answer.get("family").asText()).isEqualTo("factorised");
        assertThat(answer.get("algorithm").asText()).isEqualTo("coordinate ascent");
        assertThat(answer.has("method")).isFalse();
        assertThat(answer.get("verdict").asText()).isEqualTo("unreliable");
        assertThat(answer.get("components").intValue()).isEqualTo(20);
        assertThat(answer.get("logEvidence").doubleValue()).isCloseTo(CANCER, within(1e-9));
        // 0.0783 is the least KL of any product on this posterior.
        assertThat(answer.get("kl").doubleValue()).isBetween(0.0782, 0.12);
        assertThat(answer.get("elbo").doubleValue() + answer.get("kl").doubleValue()).isCloseTo(CANCER, within(1e-9));
        assertThat(answer.get("elboStandardError")).isNull();
        assertThat(answer.get("marginals")).hasSize(4).allSatisfy(states -> {
            double sum = 0;
            for (JsonNode p : states) {
                sum += p.doubleValue();
            }
            assertThat(sum).isCloseTo(1, within(1e-9));
        });
        assertThat(answer.has("paretoK")).isTrue();
        // Coordinate ascent solves it: there is nothing to train.
        assertThat(answer.get("steps").longValue()).isZero();
        assertThat(answer.get("seconds").doubleValue()).isPositive();
    }

    /** Of ten variables nine are certain of their last state, so none of the first deltas is possible. */
    @Test
    void fixedDeltasAmongZerosGiveAnAnswer(@TempDir Path folder) throws IOException {
        StringBuilder bif = new StringBuilder("network certain { }\n");
        for (int d = 0; d < 10; d++) {
            bif.append("variable v" + d + " { type discrete [ 3 ] { a, b, c }; }\nprobability ( v" + d + " ) { table "
                    + (d == 0 ? "0.2, 0.3, 0.5" : "0.0, 0.0, 1.0") + "; }\n");
        }
        Path file = Files.writeString(folder.resolve("certain.bif"),
                bif.toString().replace("network certain", "network"));
        assertThat(run("bn", "info", file.toString())).isZero();
        assertThat(out.toString()).startsWith("certain: 10 nodes");

        assertThat(run("bn", "fit", file.toString(), "--family", "joint", "--algorithm", "bvi", "--quiet", "--json"))
                .as(err.toString()).isZero();

        assertThat(answer().get("elbo").doubleValue()).isCloseTo(0, within(1e-9));
        assertThat(answer().get("trust").asText()).contains("None of the first 100 codes is possible");
    }

    @Test
    void infoDrawsTheNetworkAsItsFileIsCalled(@TempDir Path folder) throws IOException {
        Path svg = folder.resolve("asia.svg");
        assertThat(run("bn", "info", "asia", "--evidence", "xray=yes", "--picture", svg.toString())).isZero();
        assertThat(Files.readString(svg)).contains("<title>xray: 2 states (yes, no)</title>").contains(">smoke</text>");
        Path dot = folder.resolve("asia.dot");
        assertThat(run("bn", "info", "asia", "--evidence", "xray=yes", "--picture", dot.toString())).isZero();
        assertThat(Files.readString(dot)).contains("v6 [label=\"xray\\nyes\", style=filled];").contains("v5 -> v6;");
        assertThat(run("bn", "info", "asia", "--picture", "asia.gif")).isEqualTo(2);
        assertThat(err.toString()).contains("must end in .svg, .png or .dot");
    }

    @Test
    @Tag("slow")
    void aRunFolderHoldsEverythingAndIsNotOverwritten(@TempDir Path folder) throws IOException {
        Path dir = folder.resolve("run");
        List<String> fit = List.of("bn", "fit", "cancer", "--evidence", "Cancer=False", "--family",
                "autoregressive", "--components", "5", "--steps", "300", "--no-refine", "--quiet",
                "--out", dir.toString());

        assertThat(run(fit.toArray(String[]::new))).as(err.toString()).isZero();
        assertThat(out.toString()).contains("ELBO", "log evidence", "KL(q || p)", "Exact inference is feasible");
        String before = Files.readString(dir.resolve("result.json"));
        assertThat(RunManifest.read(dir).status()).isEqualTo(RunManifest.Status.FINISHED);
        assertThat(dir.resolve("metrics.csv")).content()
                .startsWith("family,step,temperature,elbo,bestElbo,components");
        assertThat(dir.resolve("report.html")).content()
                .contains("Posterior of", "Pollution", "Bound while training", "Marginals", "<svg");
        assertThat(dir.resolve("checkpoints").resolve("autoregressive")).isNotEmptyDirectory();

        assertThat(run(fit.toArray(String[]::new))).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(1).first().asString().contains("--resume");

        assertThat(run("bn", "fit", "cancer", "--seed", "2", "--quiet", "--resume", "--out", dir.toString()))
                .isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(1).first().asString().contains("seed was 1, is 2");

        List<String> again = new ArrayList<>(fit);
        again.add("--resume");
        assertThat(run(again.toArray(String[]::new))).as(err.toString()).isZero();
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(Files.readString(dir.resolve("result.json"))).get("elbo"))
                .isEqualTo(json.readTree(before).get("elbo"));
    }

    @Test
    @Tag("slow")
    void killedAndResumedEndsAsIfNothingHadHappened(@TempDir Path folder) throws Exception {
        List<String> fit = List.of("bn", "fit", "asia", "--evidence", "asia=yes", "--family", "autoregressive",
                "--components", "10", "--steps", "1000", "--no-refine", "--quiet", "--json", "--out");
        List<String> command = ChildJvm.command(System.getProperty("java.class.path"), Main.class.getName());
        command.addAll(fit);
        Path killed = folder.resolve("killed");
        command.add(killed.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile()).start();
        try {
            Path checkpoints = killed.resolve("checkpoints").resolve("autoregressive");
            while (process.isAlive() && !(Files.isDirectory(checkpoints) && hasFiles(checkpoints))) {
                Thread.sleep(5);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(RunManifest.read(killed).status()).isEqualTo(RunManifest.Status.RUNNING);

        List<String> resumed = new ArrayList<>(fit);
        resumed.addAll(List.of(killed.toString(), "--resume"));
        assertThat(run(resumed.toArray(String[]::new))).as(err.toString()).isZero();
        JsonNode answer = answer();
        assertThat(answer.get("steps").longValue()).isEqualTo(1000);
        List<String> whole = new ArrayList<>(fit);
        whole.add(folder.resolve("whole").toString());
        assertThat(run(whole.toArray(String[]::new))).as(err.toString()).isZero();

        for (String field : List.of("elbo", "marginals", "paretoK", "steps")) {
            assertThat(answer.get(field)).as(field).isEqualTo(answer().get(field));
        }
        // Every step is reported once, whatever the kill left behind.
        assertThat(killed.resolve("metrics.csv"))
                .hasSameTextualContentAs(folder.resolve("whole").resolve("metrics.csv"));
    }

    private static boolean hasFiles(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.findAny().isPresent();
        }
    }

    /** By gradients alone the answer says so, and reaches what the best atoms of all codes reach. */
    @Test
    @Tag("slow")
    void withoutRefinementTheAnswerIsWhatTheGradientsFound() throws IOException {
        assertThat(run("bn", "fit", "cancer", "--evidence", "Cancer=True", "--family", "joint", "--weights", "equal",
                "--components", "10", "--no-refine", "--steps", "500", "--json", "--quiet")).isZero();
        assertThat(answer().get("algorithm").asText()).isEqualTo("VIF");
        assertThat(answer().get("steps").longValue()).isEqualTo(500);
        double gradients = answer().get("kl").doubleValue();
        assertThat(run("bn", "fit", "cancer", "--evidence", "Cancer=True", "--family", "joint", "--weights", "equal",
                "--components", "10", "--json", "--quiet")).isZero();
        assertThat(answer().get("algorithm").asText()).isEqualTo("best atoms of all codes");
        double best = answer().get("kl").doubleValue();
        assertThat(gradients).isBetween(best - 1e-9, best + 0.1);

        assertThat(run("bn", "fit", "cancer", "--evidence", "Cancer=True", "--family", "autoregressive",
                "--components", "10", "--no-refine", "--steps", "50", "--json", "--quiet")).isZero();
        assertThat(answer().get("algorithm").asText()).isEqualTo("VIF");
        assertThat(answer().get("family").asText()).isEqualTo("autoregressive");

        assertThat(run("bn", "fit", "cancer", "--evidence", "Cancer=True", "--family", "joint", "--components",
                "auto", "--json", "--quiet")).isZero();
        assertThat(answer().get("components").intValue()).isBetween(2, 15);
    }

    @Test
    void whatListingSolvesIsAnsweredExactlyUnlessAFamilyIsAskedFor() throws IOException {
        assertThat(run("bn", "fit", "cancer", "--evidence", "Cancer=True", "--json", "--quiet")).isZero();
        assertThat(answer().get("family").asText()).isEqualTo("exact");
        assertThat(answer().get("algorithm").asText()).isEqualTo("exact listing");
        assertThat(answer().has("components")).isFalse();
        assertThat(answer().get("codes").intValue()).isEqualTo(16);
        assertThat(answer().get("elbo").doubleValue()).isCloseTo(CANCER, within(1e-9));
        assertThat(answer().get("kl").doubleValue()).isZero();
        assertThat(answer().get("steps").longValue()).isZero();
        assertThat(answer().get("verdict").asText()).isEqualTo("trusted");

        assertThat(run("bn", "fit", "cancer", "--evidence", "Cancer=True", "--family", "joint", "--components", "3",
                "--json", "--quiet")).isZero();
        assertThat(answer().get("family").asText()).isEqualTo("joint");
        assertThat(answer().get("components").intValue()).isEqualTo(3);
        assertThat(answer().get("kl").doubleValue()).isPositive();
    }

    @Test
    void samplesAreStatesInColumnsOfVariables() {
        assertThat(run("bn", "sample", "cancer", "--evidence", "Cancer=True", "-n", "50", "--family", "joint",
                "--components", "10", "--seed", "3")).as(err.toString()).isZero();

        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(51).first().isEqualTo("Pollution,Smoker,Xray,Dyspnoea");
        assertThat(lines.subList(1, 51)).allMatch(
                line -> line.matches("(low|high),(True|False),(positive|negative),(True|False)"));
    }

    @Test
    void barsCountEighths() {
        assertThat(BnMarginals.bar(0)).isEmpty();
        assertThat(BnMarginals.bar(1)).isEqualTo("█".repeat(20));
        assertThat(BnMarginals.bar(0.5 + 1.0 / 160)).isEqualTo("█".repeat(10) + "▏");
    }

    /** Whoever looks at the run while messages and samples go finds both bounds; so few bytes split buckets. */
    @Test
    @Tag("slow")
    void aRunOfBoundedMessagesWritesItsBoundsDown(@TempDir Path folder) throws IOException {
        Path run = folder.resolve("run");
        assertThat(run("bn", "fit", "hepar2", "--evidence", "carcinoma=present", "--memory", "20k", "--budget", "2s",
                "--quiet", "--out", run.toString())).isZero();
        List<String> lines = Files.readAllLines(run.resolve("metrics-bounds.csv"));
        assertThat(lines.get(0)).isEqualTo("seconds,lower,upper,estimate,accepted");
        assertThat(lines.size()).isGreaterThan(1);
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            assertThat(Double.parseDouble(cells[1])).isLessThanOrEqualTo(Double.parseDouble(cells[2]));
        }
    }
}
