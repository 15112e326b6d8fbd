package io.mdnf.cli;

import io.mdnf.checkpoint.RunManifest;
import io.mdnf.graph.Backend;
import io.mdnf.report.Block;
import io.mdnf.report.Block.Column;
import io.mdnf.report.ReportSection;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Where numbers come from: the manifest of a run that begins now, and a report's section on those of its parts. */
final class Provenance {
    private static final String UNKNOWN = "not recorded";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Provenance() { }

    /** The manifest of a run that this program begins now, with its versions and its backend. */
    static RunManifest started(String what, Map<String, String> configuration, long seed,
            List<RunManifest.Input> inputs) {
        Nd4jStart.now();
        return RunManifest.started(what, configuration, seed, inputs,
                Map.of("mdnf", Version.current(), "java", Runtime.version().toString(), "nd4j", Backend.version()),
                Backend.describe().name());
    }

    /** What of a report was run when, by which versions: parts may be kept from another day and another version. */
    static ReportSection section(List<ExperimentRun> parts, String commandLine) {
        Block.Table table = Block.Table.of("What was run", Column.text("experiment"), Column.text("what of the paper"),
                Column.text("scale, seed"), Column.number("minutes"), Column.text("started, UTC"),
                Column.text("by"));
        for (ExperimentRun part : parts) {
            Optional<RunManifest> manifest = part.manifest();
            table = table.row(part.experiment().name(), part.experiment().paper(), part.request().scale() + ", "
                    + part.request().seed(),
                    manifest.map(Provenance::minutes).orElse(UNKNOWN),
                    manifest.map(Provenance::started).orElse(UNKNOWN), manifest.map(Provenance::by).orElse(UNKNOWN));
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("command", commandLine);
        facts.put("written", TIME.format(Instant.now()) + " UTC by mdnf " + Version.current());
        return ReportSection.of("provenance", "Provenance")
                .with(table.footnote("From manifest.json in the folder of each experiment."))
                .with(Block.Facts.of("This report", facts));
    }

    private static String minutes(RunManifest manifest) {
        return manifest.status() != RunManifest.Status.FINISHED ? UNKNOWN : String.format(Locale.ROOT, "%.1f",
                manifest.ended().map(end -> Duration.between(manifest.started(), end).toMillis() / 60e3).orElseThrow());
    }

    private static String started(RunManifest manifest) {
        return TIME.format(manifest.started())
                + (manifest.configuration().containsKey(ExperimentRun.RESUMED) ? ", went on from an earlier run" : "");
    }

    private static String by(RunManifest manifest) {
        Map<String, String> versions = manifest.versions();
        return "mdnf " + versions.getOrDefault("mdnf", UNKNOWN) + ", Java " + versions.getOrDefault("java", UNKNOWN)
                + ", ND4J " + versions.getOrDefault("nd4j", UNKNOWN) + ", " + manifest.backend();
    }
}
