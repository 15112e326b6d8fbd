package io.mdnf.cli;

import io.mdnf.experiments.Experiment;
import io.mdnf.experiments.Scale;
import io.mdnf.report.Finding;
import io.mdnf.report.HtmlReport;
import io.mdnf.report.Report;
import io.mdnf.report.ReportSection;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs experiments of the paper by name and writes a report; finished parts are kept and not run again. */
@Command(name = "reproduce", description = "Run the paper's experiments and write a report.",
        footer = {"  mdnf reproduce --list", "  mdnf reproduce bn-table --scale paper"})
final class Reproduce implements Callable<Integer> {

    @Parameters(arity = "0..1", paramLabel = "EXPERIMENT",
            completionCandidates = Completion.Reproducible.class,
            description = "Its name, or 'all': 20 minutes at quick scale on two idle cores.")
    private String name;

    @Option(names = "--list",
            description = "Show every experiment: name, what of the paper it is, minutes at each scale.")
    private boolean list;

    @Option(names = "--scale", paramLabel = "quick|paper", defaultValue = "quick", description = "How much of it")
    private Scale scale;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "runs/reproduce", description = "Where to write")
    private Path out;

    @Option(names = "--resume", description = "Keep parts that a run with the same scale and seed has finished.")
    private boolean resume;

    @Mixin
    private SeedOption seed;

    @Option(names = "--data", paramLabel = "DIR",
            description = "Folder with data files, where an experiment needs some.")
    private Path data;

    @Mixin
    private QuietOption quiet;

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec spec;

    record Finished(String experiment, String scale, long seed, double seconds, boolean kept, String folder,
            List<Finding> findings) {

        static Finished of(ExperimentRun run) {
            return new Finished(run.experiment().name(), run.request().scale().toString(), run.request().seed(),
                    run.seconds(), run.kept(), run.folder().toString(), run.section().findings());
        }
    }

    @Override
    public Integer call() throws IOException {
        if (list) {
            list();
            return 0;
        }
        if (name == null) {
            throw new UsageProblem("no experiment named: give one, or 'all' ('mdnf reproduce --list' shows them)");
        }
        List<Experiment> chosen = name.equals("all") ? Experiment.all() : List.of(
                Experiment.named(name).orElseThrow(() -> unknown(name)));
        Nd4jStart.now();
        try (Stopping stopping = Stopping.keeping(spec, out)) {
            run(chosen);
            stopping.complete();
        }
        return 0;
    }

    private void run(List<Experiment> chosen) throws IOException {
        ExperimentRun.Request request =
                new ExperimentRun.Request(out, scale, seed.number(), Optional.ofNullable(data), resume, quiet.given(),
                        Main.cluster(spec));
        PrintWriter terminal = spec.commandLine().getOut();
        List<ExperimentRun> runs = new ArrayList<>();
        for (Experiment experiment : chosen) {
            ExperimentRun run = ExperimentRun.of(experiment, request);
            runs.add(run);
            if (!json.given()) {
                terminal.printf(Locale.ROOT, "%s: %s in %.0f s, %s%n", experiment.name(), run.kept() ? "kept" : "done",
                        run.seconds(), run.folder());
                terminal.print(TextTables.text(run.section()));
                terminal.flush();
            }
        }
        String glance = runs.size() > 1 ? TextTables.glance(runs.stream().map(ExperimentRun::summarised).toList()) : "";
        Path report = writeReport(request, runs);
        json.answer(() -> Map.of("report", report.toString(), "experiments", runs.stream().map(Finished::of).toList()),
                out -> out.println(glance + "report: " + report));
    }

    /** Writes a report of all that is finished in this folder, not of this command alone. */
    private Path writeReport(ExperimentRun.Request request, List<ExperimentRun> runs) throws IOException {
        List<ExperimentRun> all = new ArrayList<>();
        for (Experiment experiment : Experiment.all()) {
            for (ExperimentRun.Request each : request.there()) {
                ExperimentRun.finished(experiment, each).ifPresent(all::add);
            }
        }
        List<String> kinds = all.stream().map(run -> run.request().toString()).distinct().toList();
        List<ReportSection> sections = new ArrayList<>(all.stream()
                .map(kinds.size() > 1 ? ExperimentRun::distinguished : ExperimentRun::summarised).toList());
        sections.add(Provenance.section(all, Stopping.typed(spec)));
        Path report = out.resolve("report.html");
        HtmlReport.write(report, new Report("MDNF reproduction",
                "Experiments of the paper at " + String.join("; ", kinds) + ".", sections));
        return report;
    }

    private void list() {
        json.answer(() -> Experiment.all().stream().map(e -> Map.of("name", e.name(), "paper", e.paper(),
                "minutesQuick", e.quickMinutes(), "minutesPaper", e.paperMinutes())).toList(), out -> {
                    out.printf("%-20s %-52s %8s %8s%n", "name", "what of the paper", "quick", "paper");
                    for (Experiment e : Experiment.all()) {
                        out.printf(Locale.ROOT, "%-20s %-52s %4.1f min %4.0f min%n", e.name(), e.paper(),
                                e.quickMinutes(), e.paperMinutes());
                    }
                });
    }

    private static UsageProblem unknown(String name) {
        return new UsageProblem("unknown experiment '" + name + "'" + UsageProblem.nearest(name,
                Experiment.all().stream().map(Experiment::name).toList()) + " ('mdnf reproduce --list' shows all)");
    }
}
