package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mdnf.checkpoint.RunManifest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GmmCommandTest {
    @TempDir
    private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private Path csv(String text) throws IOException {
        return Files.writeString(folder.resolve("data.csv"), text);
    }

    @ParameterizedTest
    @CsvSource({"vif", "bvif"})
    void flowsStayBelowTheClosedFormFromTheSameGoodStart(String algorithm) throws IOException {
        assertThat(run("gmm", "fit", "artificial", "--clusters", "3", "--components", "5", "--algorithm", algorithm,
                "--steps", "12", "--json")).as(err.toString()).isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertThat(answer.get("rows").intValue()).isEqualTo(300);
        // From k-means both reach the optimum with three clusters; flows cannot pass it, and an ideal 5 loses 6 nats.
        assertThat(answer.get("closedFormElbo").doubleValue() - answer.get("elbo").doubleValue()).isBetween(0.0, 8.0);
        double points = 0;
        for (JsonNode cluster : answer.get("clusters")) {
            points += cluster.get("points").doubleValue();
        }
        assertThat(points).isCloseTo(300, within(1e-6));
    }

    /** Refined VIF trains nothing, and says so; gradients alone come close to it, and say so too. */
    @Test
    void theAnswerNamesWhatProducedIt() throws IOException {
        String[] words = {"best multiples of 1/5", "vif"};
        double[] elbo = new double[2];
        for (int i = 0; i < 2; i++) {
            out.getBuffer().setLength(0);
            assertThat(run(("gmm fit artificial --clusters 3 --components 5 --steps 4 --json"
                    + (i == 0 ? "" : " --no-refine")).split(" "))).as(err.toString()).isZero();
            JsonNode answer = new ObjectMapper().readTree(out.toString());
            assertThat(answer.get("algorithm").asText()).isEqualTo(words[i]);
            elbo[i] = answer.get("elbo").doubleValue();
        }
        assertThat(elbo[1]).isBetween(elbo[0] - 40, elbo[0]);
    }

    @Test
    void aSavedModelAssignsNewRows() throws IOException {
        Path fitted = folder.resolve("fit");
        assertThat(run("gmm", "fit", "artificial", "--clusters", "3", "--algorithm", "closed-form", "--quiet", "--out",
                fitted.toString())).as(err.toString()).isZero();
        assertThat(fitted.resolve("responsibilities.csv")).content().hasLineCount(301);
        assertThat(fitted.resolve("metrics.csv")).content()
                .startsWith("step,temperature,elbo,bestElbo,components").contains("\n1,");
        assertThat(fitted.resolve("report.html")).content().contains("<svg", "How it was made");
        assertThat(fitted.resolve("checkpoints")).isNotEmptyDirectory();
        assertThat(RunManifest.read(fitted).status()).isEqualTo(RunManifest.Status.FINISHED);
        out.getBuffer().setLength(0);
        Path rows = csv("x,y\n0,2\n0.1,2.2\n1.7,-1\n");
        assertThat(run("gmm", "assign", fitted.resolve("model.json").toString(), rows.toString(), "--json")).isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString()).get("rows");
        assertThat(answer).hasSize(3);
        assertThat(answer.get(0).get("cluster")).isEqualTo(answer.get(1).get("cluster"));
        assertThat(answer.get(0).get("cluster")).isNotEqualTo(answer.get(2).get("cluster"));
    }

    @Test
    void aRunIsNeitherOverwrittenNorMixedWithAnother() throws IOException {
        Path dir = folder.resolve("run");
        List<String> fit = List.of("gmm", "fit", "artificial", "--clusters", "2", "--components", "3", "--steps", "4",
                "--quiet", "--out", dir.toString());
        assertThat(run(fit.toArray(String[]::new))).as(err.toString()).isZero();
        String model = Files.readString(dir.resolve("model.json"));

        assertThat(run(fit.toArray(String[]::new))).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("--resume");
        err.getBuffer().setLength(0);
        assertThat(run("gmm", "fit", "artificial", "--clusters", "3", "--components", "3", "--steps", "4", "--quiet",
                "--out", dir.toString(), "--resume")).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("is another: clusters was 2, is 3");

        List<String> again = new ArrayList<>(fit);
        again.add("--resume");
        assertThat(run(again.toArray(String[]::new))).as(err.toString()).isZero();
        assertThat(dir.resolve("model.json")).hasContent(model);
    }

    @Test
    void aCellThatIsNoNumberIsRefusedWithRowAndColumn() throws IOException {
        Path file = csv("name,a\nbob,1\n");
        assertThat(run("gmm", "fit", file.toString(), "--clusters", "1")).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("row 2, column 1 (name)", "'bob'",
                "--ignore");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anIgnoredColumnIsLeftOut() throws IOException {
        Path file = csv("name,a\nbob,1\nann,2\neve,9\n");
        assertThat(run("gmm", "fit", file.toString(), "--clusters", "1", "--algorithm", "closed-form", "--ignore",
                "name",
                "--json")).as(err.toString()).isZero();
        assertThat(new ObjectMapper().readTree(out.toString()).at("/columns/0").asText()).isEqualTo("a");
    }

    @ParameterizedTest
    @CsvSource({
        "gmm fit artificial --clusters 0,      mdnf: --clusters 0: at least 1 is needed",
        "gmm fit artificial --clusters 301,    mdnf: --clusters 301: artificial has only 300 rows",
        "gmm fit nowhere.csv --clusters 2,     mdnf: no such file: nowhere.csv (a CSV file",
        "gmm fit artificial --clusters 2 --resume, mdnf: --resume: name the run's folder with --out DIR",
        "gmm fit artificial,                   mdnf gmm fit: Missing required option: '--clusters=K'"})
    void wrongInputIsOneLineAndExitsTwo(String commandLine, String line) {
        assertThat(run(commandLine.split(" "))).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().startsWith(line);
        assertThat(out.toString()).isEmpty();
    }
}
