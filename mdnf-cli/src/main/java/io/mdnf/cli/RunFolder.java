package io.mdnf.cli;

import io.mdnf.checkpoint.RunManifest;
import io.mdnf.file.AtomicFiles;
import io.mdnf.report.Block;
import io.mdnf.report.HtmlReport;
import io.mdnf.report.Report;
import io.mdnf.report.ReportSection;
import io.mdnf.training.RunListener;
import io.mdnf.training.RunStoppedException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;

/** A run's folder and its {@code manifest.json}: a new run, or one that goes on. */
final class RunFolder {

    private final Path path;
    private final boolean resumed;
    private RunManifest manifest;

    interface Work {
        /** Does it, and says so to the user; a stop that was asked for ends it by {@link RunStoppedException}. */
        void run(RunListener stopping) throws IOException;
    }

    private RunFolder(Path path, boolean resumed, RunManifest manifest) {
        this.path = path;
        this.resumed = resumed;
        this.manifest = manifest;
    }

    /** A new run, or with resume the one that is there, which must have been asked for the same. */
    static RunFolder open(Path path, boolean resume, String what, Map<String, String> configuration, long seed,
            List<RunManifest.Input> inputs) throws IOException {
        RunManifest wanted = Provenance.started(what, configuration, seed, inputs);
        boolean there = Files.exists(path.resolve(RunManifest.NAME));
        if (!resume) {
            if (there) {
                throw new UsageProblem("--out " + path + ": there is a run already; --resume goes on with it");
            }
            return new RunFolder(path, false, wanted);
        }
        if (!there) {
            throw new UsageProblem("--resume: there is no run in " + path);
        }
        RunManifest old = RunManifest.read(path);
        if (!old.what().equals(wanted.what()) || !old.configuration().equals(wanted.configuration())
                || old.seed() != seed || !old.inputs().equals(wanted.inputs())) {
            throw new UsageProblem("--resume: the run in " + path + " is another: "
                    + String.join("; ", differences(facts(old), facts(wanted))));
        }
        return new RunFolder(path, true, old.resumed());
    }

    /** A run that begins now, whatever was in the folder before. */
    static RunFolder anew(Path path, RunManifest manifest) {
        return new RunFolder(path, false, manifest);
    }

    /** What makes a run the one it is, by name. */
    private static Map<String, String> facts(RunManifest run) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("command", run.what());
        facts.putAll(run.configuration());
        facts.put("seed", Long.toString(run.seed()));
        run.inputs().forEach(input -> facts.put(input.name(), "file " + input.sha256().substring(0, 8)));
        return facts;
    }

    private static List<String> differences(Map<String, String> was, Map<String, String> is) {
        Set<String> names = new LinkedHashSet<>(was.keySet());
        names.addAll(is.keySet());
        return names.stream().filter(name -> !Objects.equals(was.get(name), is.get(name)))
                .map(name -> name + " was " + was.get(name) + ", is " + is.get(name)).toList();
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    RunManifest manifest() {
        return manifest;
    }

    /** Writes an answer as {@code result.json}. */
    void result(Object answer) throws IOException {
        AtomicFiles.write(path.resolve("result.json"), JsonOption.text(answer));
    }

    /** Writes what is known of the answer, at best before the work begins, as {@code truth.json}, beside bounds. */
    void truth(double logEvidence) throws IOException {
        AtomicFiles.write(path.resolve("truth.json"), JsonOption.text(Map.of("logEvidence", logEvidence)));
    }

    /** Writes {@code report.html} of one section, and says below it how it was made. */
    void report(String title, String summary, ReportSection section) throws IOException {
        HtmlReport.write(path.resolve("report.html"), new Report(title, summary,
                List.of(section.with(Block.Facts.of("How it was made", manifest.configuration())))));
    }

    /** Works; on Ctrl-C the work stops so that it can be resumed. Returns the command's exit code. */
    int run(CommandSpec command, Work work) throws IOException {
        try (Stopping stopping = Stopping.saving(command, path)) {
            recorded(() -> {
                work.run(stopping);
                return 0;
            });
            stopping.complete();
            return 0;
        } catch (RunStoppedException e) {
            return Stopping.EXIT_CODE;
        }
    }

    /** Works, and writes down that it began and how it ended. A new run begins with no figures of an older one. */
    <T> T recorded(UsageProblem.Made<T> work) throws IOException {
        UsageProblem.ifNotMade(path);
        manifest.write(path);
        try {
            if (!resumed) {
                try (DirectoryStream<Path> old = Files.newDirectoryStream(path, "metrics*.csv")) {
                    for (Path file : old) {
                        Files.delete(file);
                    }
                }
            }
            T made = work.make();
            manifest = manifest.ended(RunManifest.Status.FINISHED, "");
            manifest.write(path);
            return made;
        } catch (IOException | RuntimeException e) {
            try {
                manifest.ended(e instanceof RunStoppedException ? RunManifest.Status.STOPPED
                        : RunManifest.Status.FAILED, String.valueOf(e.getMessage())).write(path);
            } catch (IOException second) {
                // a manifest that cannot be written must not hide the first problem
                e.addSuppressed(second);
            }
            throw e;
        }
    }
}
