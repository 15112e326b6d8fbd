package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mdnf.file.CsvFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VaeTableTest {

    @TempDir
    private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Object... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        String[] words = Arrays.stream(args).map(Object::toString).toArray(String[]::new);
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
    }

    private Path csv(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), List.of(lines));
    }

    /** 300 rows: a word, a number that follows from it, a count, and an identifier. */
    @BeforeEach
    void makeTable() throws IOException {
        List<String> lines = new ArrayList<>(List.of("id,colour,size,flag,count"));
        for (int i = 0; i < 300; i++) {
            boolean red = i * 7 % 10 < 6;
            lines.add("row " + i + "," + (i % 11 == 0 ? "?" : red ? "red" : "blue") + "," + (i % 13 == 0 ? "" : red
                    ? 10 + i % 3 + ".5" : 20 + i % 3 + ".5") + "," + (red ? 1 : 0) + "," + (red ? i % 2 : i % 3 + 3));
        }
        csv("table.csv", lines.toArray(String[]::new));
    }

    private int train(Object... more) {
        List<Object> args = new ArrayList<>(List.of("vae", "train", "--csv", folder.resolve("table.csv"), "--schema",
                "id:ignore,count:poisson", "--latents", 2, "--categories", 4, "--batch", 16, "--quiet", "--out",
                folder.resolve("run")));
        args.addAll(List.of(more));
        return run(args.toArray());
    }

    @Test
    @Tag("slow")
    void aTableIsLearnedFilledEncodedAndDrawn() throws IOException {
        assertThat(train("--epochs", 6, "--rate", 0.02, "--json")).as(err.toString()).isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertThat(answer.get("columns").toString()).isEqualTo(
                "{\"colour\":\"categorical\",\"size\":\"gaussian\",\"flag\":\"bernoulli\",\"count\":\"poisson\"}");
        assertThat(answer.get("train").get("rows").intValue()).isEqualTo(270);
        assertThat(answer.get("test").get("rows").intValue()).isEqualTo(30);
        Path run = folder.resolve("run");
        Path table = folder.resolve("table.csv");
        assertThat(run.resolve("report.html")).content().contains("<svg", "Rows drawn from the model");
        assertThat(run.resolve("samples.csv")).content().hasLineCount(101).startsWith("colour,size,flag,count\n");

        assertThat(run("vae", "evaluate", run, "--csv", table, "--json")).as(err.toString()).isZero();
        answer = new ObjectMapper().readTree(out.toString());
        // one sample of 300 rows, against the sum over 16 codes
        assertThat(answer.get("elbo").doubleValue()).isLessThan(answer.get("logLikelihood").doubleValue() + 0.2);
        assertThat(answer.get("rows").intValue()).isEqualTo(300);

        Path filled = folder.resolve("filled.csv");
        assertThat(run("vae", "impute", run, "--csv", table, "--out", filled)).as(err.toString()).isZero();
        List<List<String>> before = CsvFile.read(table).rows();
        List<List<String>> after = CsvFile.read(filled).rows();
        assertThat(after).hasSameSizeAs(before);
        for (int r = 1; r < before.size(); r++) {
            for (int c = 0; c < 5; c++) {
                String was = before.get(r).get(c);
                if (!was.isEmpty() && !was.equals("?")) {
                    assertThat(after.get(r).get(c)).isEqualTo(was);
                }
            }
            // the flag says it all
            assertThat(after.get(r).get(1)).isEqualTo(after.get(r).get(3).equals("1") ? "red" : "blue");
            assertThat(Double.parseDouble(after.get(r).get(2)) < 16).isEqualTo(after.get(r).get(3).equals("1"));
        }

        Path codes = folder.resolve("codes.csv");
        assertThat(run("vae", "codes", run, "--csv", table, "--out", codes, "--limit", 7)).as(err.toString()).isZero();
        assertThat(codes).content().hasLineCount(8).startsWith("row,z1,z2\n2,");
        Path drawn = folder.resolve("drawn.csv");
        assertThat(run("vae", "sample", run, "-n", 5, "--out", drawn)).as(err.toString()).isZero();
        assertThat(drawn).content().hasLineCount(6);

        refused("vae", "reconstruct", run, "--out", "x").contains("the run learned from a table; 'mdnf vae impute'");
        refused("vae", "evaluate", run).contains("name one with --csv");
        Path later = csv("later.csv", "colour,size,flag,count", "red,1,1,0", "green,1,1,0");
        refused("vae", "impute", run, "--csv", later, "--out", filled).contains("later.csv: row 3, column 1 (colour): "
                + "'green' is a level that was not there in training; known are blue, red");
        assertThat(run.resolve("metrics.csv")).content().contains("trainRows", "testRows").doesNotContain("Images");
        assertThat(train("--epochs", 7, "--rate", 0.02, "--resume")).as(err.toString()).isZero();
        refused("vae", "train", "--csv", later, "--out", run, "--resume").contains("--resume: the run in");
    }

    /** Both halves of a batch learn, each on its own thread, and again in the same way. */
    @Test
    @Tag("slow")
    void aTableIsLearnedInShards() throws IOException {
        assertThat(train("--epochs", 2, "--shards", 2, "--json")).as(err.toString()).isZero();
        JsonNode first = new ObjectMapper().readTree(out.toString());
        assertThat(run("vae", "evaluate", folder.resolve("run"), "--csv", folder.resolve("table.csv"))).isZero();
        Files.move(folder.resolve("run"), folder.resolve("before"));
        assertThat(train("--epochs", 2, "--shards", 2, "--json")).as(err.toString()).isZero();
        assertThat(new ObjectMapper().readTree(out.toString()).get("test")).isEqualTo(first.get("test"));
    }

    /** Whatever of a run's folder is damaged is named in one line, whichever command reads it. */
    @Test
    @Tag("slow")
    void damagedRunsAreOneLineAndExitTwo() throws IOException {
        assertThat(train("--epochs", 1)).as(err.toString()).isZero();
        Path run = folder.resolve("run");
        Path table = folder.resolve("table.csv");
        Files.writeString(run.resolve("metrics.csv"), "epoch,step\n1,x\n");
        assertThat(train("--epochs", 2, "--resume")).isEqualTo(2);
        assertThat(err.toString()).contains("metrics.csv: damaged").hasLineCount(1);
        Path manifest = run.resolve("manifest.json");
        byte[] whole = Files.readAllBytes(manifest);
        for (String damaged : List.of("", "{", "[]", "{\"format\":\"mdnf-run-1\"}", "{\"format\":\"other\"}",
                new String(whole, StandardCharsets.UTF_8).replaceFirst("\"status\" : \"[A-Z]+", "$0X"))) {
            Files.writeString(manifest, damaged);
            refused("vae", "evaluate", run, "--csv", table).contains("manifest.json")
                    .doesNotContain("jackson", "line:");
            refused("vae", "sample", run).contains("manifest.json");
            refused("vae", "impute", run, "--csv", table, "--out", "x").contains("manifest.json");
            refused("vae", "codes", run, "--csv", table, "--out", "x").contains("manifest.json");
            assertThat(train("--epochs", 2, "--resume")).isEqualTo(2);
            assertThat(err.toString()).contains("manifest.json").hasLineCount(1);
        }
        Files.write(manifest, whole);
        try (Stream<Path> all = Files.list(run.resolve("checkpoints"))) {
            for (Path file : all.toList()) {
                Files.writeString(file, "no checkpoint");
            }
        }
        refused("vae", "evaluate", run, "--csv", table).contains("checkpoints");
    }

    private AbstractStringAssert<?> refused(Object... args) {
        assertThat(run(args)).isEqualTo(2);
        return assertThat(err.toString()).hasLineCount(1);
    }

    @Test
    void wrongTablesAreOneLineAndExitTwo() throws IOException {
        Path run = folder.resolve("other");
        Path table = folder.resolve("table.csv");
        refused("vae", "train", "--csv", "nowhere.csv", "--out", run).contains("--csv nowhere.csv: no such file");
        refused("vae", "train", "--csv", table, "--out", run)
                .contains("column id has 300 levels, more than 256; leave it out: id:ignore");
        refused("vae", "train", "--csv", table, "--schema", "id:ignore,size:poisson", "--out", run)
                .contains("row 3, column size: 21.5 does not fit a poisson column");
        refused("vae", "train", "--csv", table, "--schema", "size", "--out", run).contains("'size' is not NAME:KIND");
        refused("vae", "train", "--csv", table, "--schema", "size:normal", "--out", run)
                .contains("a kind is bernoulli");
        refused("vae", "train", "--csv", table, "--schema", "sise:gaussian", "--out", run)
                .contains("there is no column sise; there are id, colour");
        refused("vae", "train", "--schema", "size:gaussian", "--out", run).contains("name the table with --csv");
        refused("vae", "train", "--csv", table, "--data", folder, "--out", run).contains("leave out --data");
        refused("vae", "train", "--csv", table, "--pixels", "dynamic", "--out", run).contains("a table has no pixels");
        refused("vae", "train", "--csv", table, "--held-out", 1, "--out", run).contains("--held-out 1.0");
        refused("vae", "impute", "nowhere", "--csv", table, "--out", "x").contains("nowhere: there is no run");
    }
}
