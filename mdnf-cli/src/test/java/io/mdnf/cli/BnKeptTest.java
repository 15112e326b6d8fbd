package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mdnf.bn.NetworkPosterior;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code bn query RUN} and {@code bn sample RUN} promise: the fit that was kept answers. */
class BnKeptTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    @TempDir
    private Path folder;

    private int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private JsonNode answer() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    private String fitted(String family) {
        String dir = folder.resolve("run").toString();
        assertThat(run("bn", "fit", "asia", "--evidence", "xray=yes", "--family", family, "--quiet", "--out", dir))
                .as(err.toString()).isZero();
        return dir;
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "joint", "factorised"})
    void theKeptFitAnswersAsItWasFitted(String family) throws IOException {
        String dir = fitted(family);
        JsonNode result = new ObjectMapper().readTree(folder.resolve("run/result.json").toFile());
        assertThat(run("bn", "query", dir, "--query", "lung,bronc", "--joint", "lung,tub,lung", "--most-probable", "2",
                "--json")).as(err.toString()).isZero();
        JsonNode found = answer();
        assertThat(found.get("elbo")).isEqualTo(result.get("elbo"));
        assertThat(found.at("/evidence/xray").asText()).isEqualTo("yes");
        assertThat(found.get("variables")).hasSize(2);
        assertThat(found.get("joint")).hasSize(4);
        assertThat(found.at("/variables/lung/posterior")).isEqualTo(result.at("/marginals/lung"));
        double both = found.at("/joint/0/probability").doubleValue() + found.at("/joint/1/probability").doubleValue();
        // counted in 100,000 samples at worst: five errors of .0016
        assertThat(both).isCloseTo(result.at("/marginals/lung/yes").doubleValue(), within(0.008));
        assertThat(found.get("mostProbable")).hasSize(2);

        assertThat(run("bn", "sample", dir, "-n", "20", "--seed", "3")).isZero();
        String kept = out.toString();
        assertThat(run("bn", "sample", dir, "-n", "20", "--seed", "3", "--evidence", "xray=yes")).isZero();
        assertThat(out.toString()).isEqualTo(kept).startsWith("asia,tub,smoke,lung,bronc,either,dysp\n")
                .hasLineCount(21);
        assertThat(run("bn", "exact", dir, "--json")).isZero();
        assertThat(answer().at("/evidence/xray").asText()).isEqualTo("yes");
    }

    @Test
    void whatTheRunCannotAnswerIsOneLineAndExitTwo() throws IOException {
        String dir = fitted("factorised");
        refused("was fitted to xray=yes; leave --evidence out, or fit again", "sample", dir, "--evidence", "xray=no");
        refused("was fitted to xray=yes", "query", dir, "--evidence", "smoke=yes");
        refused("--family: the fit in", "sample", dir, "--family", "joint");
        refused("--sensitivity: exact inference answers that", "query", dir, "--sensitivity", "lung=yes");
        refused("is a fit to one case", "query", dir, "--cases", "x.csv");
        refused("variable 'xray' was observed", "query", dir, "--query", "xray");
        refused("has no variable 'lunge' (did you mean 'lung'?)", "query", dir, "--query", "lunge");
        Files.delete(folder.resolve("run").resolve(NetworkPosterior.NAME));
        refused("no fit was finished in this run", "sample", dir);
    }

    private void refused(String why, String... asked) {
        String[] all = new String[asked.length + 1];
        all[0] = "bn";
        System.arraycopy(asked, 0, all, 1, asked.length);
        assertThat(run(all)).isEqualTo(2);
        assertThat(err.toString()).contains(why).hasLineCount(1);
    }
}
