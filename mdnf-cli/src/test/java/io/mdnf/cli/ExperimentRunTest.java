package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.checkpoint.RunManifest;
import io.mdnf.experiments.Experiment;
import io.mdnf.experiments.Scale;
import io.mdnf.report.Block;
import io.mdnf.report.Finding;
import io.mdnf.report.HtmlReport;
import io.mdnf.report.Report;
import io.mdnf.report.ReportSection;
import io.mdnf.report.SectionFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A manifest says of every experiment when, with what and by which versions it was run. */
class ExperimentRunTest {

    @TempDir
    private Path out;

    /** An experiment that says a word, or cannot. */
    private static Experiment says(String word) {
        return new Experiment("says", "Fig. 99: a word", 0, 0, workplace -> {
            assertThat(RunManifest.read(workplace.folder()).status()).isEqualTo(RunManifest.Status.RUNNING);
            assertThat(workplace.folder().resolve("section.json")).doesNotExist();
            if (word.isEmpty()) {
                throw new IllegalStateException("no word");
            }
            return ReportSection.of("says", "A word").with(new Block.Paragraph(word));
        });
    }

    private ExperimentRun run(String word, boolean resume) throws IOException {
        return ExperimentRun.of(says(word), new ExperimentRun.Request(out, Scale.QUICK, 7,
                Optional.of(Path.of("tables")), resume, true, Optional.empty()));
    }

    private Path folder() {
        return out.resolve("quick-seed7").resolve("says");
    }

    @Test
    void aFinishedExperimentLeavesAManifest() throws IOException {
        ExperimentRun run = run("first", false);
        RunManifest manifest = RunManifest.read(folder());
        assertThat(run.manifest()).contains(manifest);
        assertThat(manifest.status()).isEqualTo(RunManifest.Status.FINISHED);
        assertThat(manifest.what()).isEqualTo("mdnf reproduce says");
        assertThat(manifest.seed()).isEqualTo(7);
        assertThat(manifest.configuration()).containsOnly(Map.entry("scale", "quick"),
                Map.entry("data", "tables"));
        assertThat(manifest.versions()).containsOnlyKeys("mdnf", "java", "nd4j");
        assertThat(manifest.versions().get("nd4j")).startsWith("1.0.0-");
    }

    @Test
    void aKeptExperimentKeepsItsManifest() throws IOException {
        RunManifest first = run("first", false).manifest().orElseThrow();
        ExperimentRun kept = run("second", true);
        assertThat(kept.kept()).isTrue();
        assertThat(kept.manifest()).contains(first);
        assertThat(kept.section().blocks()).containsExactly(new Block.Paragraph("first"));
        assertThat(run("third", false).manifest().orElseThrow().started()).isAfter(first.started());
    }

    @Test
    void aFailedExperimentSaysSoAndLeavesNothingThatLooksFinished() throws IOException {
        run("first", false);
        assertThatThrownBy(() -> run("", false)).hasMessage("no word");
        assertThat(RunManifest.read(folder()).status()).isEqualTo(RunManifest.Status.FAILED);
        assertThat(RunManifest.read(folder()).message()).isEqualTo("no word");
        // the section of the first run does not pass for that of the second
        assertThat(run("third", true).kept()).isFalse();
    }

    @Test
    void aRunThatTakesOverPartsSaysSo() throws IOException {
        Path part = folder().resolve("parts").resolve("fits").resolve("0.json");
        Files.createDirectories(part.getParent());
        Files.writeString(part, "1");
        assertThat(provenance(run("word", true))).contains("went on from an earlier run");
        Files.createDirectories(part.getParent());
        Files.writeString(part, "1");
        assertThat(provenance(run("word", false))).doesNotContain("went on from an earlier run");
    }

    @Test
    void theReportSaysByWhatEveryPartWasRun() throws IOException {
        String row = provenance(run("word", false));
        RunManifest manifest = RunManifest.read(folder());
        assertThat(row).contains("says", "Fig. 99: a word", "quick, 7", "0.0", "mdnf reproduce says",
                manifest.started().toString().substring(0, 10), "mdnf " + manifest.versions().get("mdnf"),
                "ND4J " + manifest.versions().get("nd4j"), manifest.backend());
        Files.delete(folder().resolve(RunManifest.NAME));
        assertThat(provenance(run("", true))).contains("not recorded").doesNotContain(manifest.backend());
    }

    private static String provenance(ExperimentRun run) {
        return HtmlReport.html(new Report("t", "", List.of(Provenance.section(List.of(run), "mdnf reproduce says"))));
    }

    @Test
    void anExperimentWithoutFindingsIsNotMissingAtAGlance() throws IOException {
        ReportSection old = run("word", false).summarised();
        ReportSection other = ReportSection.of("new", "New").with(new Finding("KL (nats, ↓)", "0.7", "1.90", "0.73"));
        assertThat(TextTables.glance(List.of(old, other))).startsWith("""

                At a glance
                experiment  what is measured                                    ours  paper  exact limit
                says        A word (kept from a version that took no findings)     –      –            –
                new         KL (nats, ↓)                                         0.7   1.90         0.73
                """);
        assertThat(TextTables.glance(List.of(ReportSection.of("new", "New")))).isEmpty();
    }

    /** A section in the folder of a scale and a seed, as a finished experiment leaves it. */
    private void finished(String kind, String name) throws IOException {
        new SectionFolder(Files.createDirectories(out.resolve(kind).resolve(name)))
                .save(ReportSection.of(name, "Found by " + name).with(new Block.Paragraph("a word")));
    }

    private String reportAfter(String experiment) throws IOException {
        PrintWriter nobody = new PrintWriter(Writer.nullWriter());
        assertThat(Main.run(nobody, nobody, "reproduce", experiment, "--resume", "--quiet", "--seed", "1", "--out",
                out.toString())).isZero();
        return Files.readString(out.resolve("report.html"));
    }

    @Test
    void theReportIsOfAllThatIsFinishedInTheFolder() throws IOException {
        finished("quick-seed1", "bn-table");
        finished("quick-seed1", "partial-flows");
        assertThat(reportAfter("partial-flows"))
                .containsSubsequence("at quick scale, seed 1.", "<h2>Found by bn-table<",
                "<h2>Found by partial-flows<");
    }

    /** What other seeds and scales had left was once thrown out. */
    @Test
    void theReportIsOfAllSeedsAndScalesToo() throws IOException {
        finished("quick-seed1", "partial-flows");
        finished("quick-seed12", "partial-flows");
        finished("paper-seed2", "bn-table");
        Files.createDirectories(out.resolve("notes of mine"));
        assertThat(reportAfter("partial-flows")).containsSubsequence(
                "at paper scale, seed 2; quick scale, seed 1; quick scale, seed 12.",
                "<h2>Found by bn-table (paper scale, seed 2)<", "<h2>Found by partial-flows (quick scale, seed 1)<",
                "<h2>Found by partial-flows (quick scale, seed 12)<");
    }
}
