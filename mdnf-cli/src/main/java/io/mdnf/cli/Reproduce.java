package io.mdnf.cli;

import io.mdnf.cli.experiment.Experiment;
import io.mdnf.cli.experiment.Experiments;
import io.mdnf.cli.experiment.Scale;
import io.mdnf.cli.experiment.Workplace;
import io.mdnf.cli.report.HtmlReport;
import io.mdnf.cli.report.Report;
import io.mdnf.cli.report.ReportSection;
import io.mdnf.cli.report.SectionFolder;
import io.mdnf.random.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs experiments of the paper by name and writes a report; finished parts are kept and not run again. */
@Command(name = "reproduce", description = "Run the paper's experiments and write a report.%n")
public final class Reproduce implements Callable<Integer> {

    @Parameters(arity = "0..1", paramLabel = "EXPERIMENT",
            completionCandidates = Completion.Reproducible.class, description = "Its name, or 'all'.")
    private String name;

    @Option(names = "--list", description = "Show every experiment: name, what of the paper it is, minutes at each scale.")
    private boolean list;

    @Option(names = "--scale", paramLabel = "quick|paper", defaultValue = "quick",
            description = "How much of it: ${DEFAULT-VALUE} by default.")
    private Scale scale;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "runs/reproduce",
            description = "Where to write: ${DEFAULT-VALUE} by default.")
    private Path out;

    @Option(names = "--resume", description = "Keep parts that a run with the same scale and seed has finished.")
    private boolean resume;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Seed: ${DEFAULT-VALUE} by default.")
    private long seed;

    @Option(names = "--data", paramLabel = "DIR", description = "Folder with data files, where an experiment needs some.")
    private Path data;

    @Option(names = "--quiet", description = "Show no progress.")
    private boolean quiet;

    @CommandLine.Mixin
    private JsonOption json;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** Creates the command; picocli does. */
    public Reproduce() { }

    /** One finished experiment, for {@code --json}. */
    record Finished(String experiment, String scale, long seed, double seconds, boolean kept, String folder) { }

    @Override
    public Integer call() throws IOException {
        if (list) {
            list();
            return 0;
        }
        if (name == null) {
            throw new UsageProblem("no experiment named: give one, or 'all' ('mdnf reproduce --list' shows them)");
        }
        List<Experiment> chosen = name.equals("all") ? Experiments.all() : List.of(Experiments.named(name));
        Nd4jStart.now();
        try (Stopping stopping = Stopping.keeping(spec, out)) {
            run(chosen);
            stopping.complete();
        }
        return 0;
    }

    private void run(List<Experiment> chosen) throws IOException {
        List<ReportSection> sections = new ArrayList<>();
        List<Finished> finished = new ArrayList<>();
        for (Experiment experiment : chosen) {
            Path folder = out.resolve(scale.name().toLowerCase(Locale.ROOT) + "-seed" + seed).resolve(experiment.name());
            Optional<ReportSection> done = resume ? new SectionFolder(folder).load() : Optional.empty();
            long start = System.nanoTime();
            ReportSection section;
            if (done.isPresent()) {
                section = done.get();
            } else {
                Files.createDirectories(folder);
                Workplace workplace = new Workplace(folder, scale, Seed.of(seed), Optional.ofNullable(data), quiet);
                if (!resume) {
                    workplace.forgetParts();
                }
                section = experiment.run(workplace);
                new SectionFolder(folder).save(section);
                workplace.forgetParts();
            }
            sections.add(section);
            double seconds = (System.nanoTime() - start) / 1e9;
            finished.add(new Finished(experiment.name(), scale.name().toLowerCase(Locale.ROOT), seed, seconds,
                    done.isPresent(), folder.toString()));
            if (!json.given()) {
                spec.commandLine().getOut().printf(Locale.ROOT, "%s: %s in %.0f s, %s%n", experiment.name(),
                        done.isPresent() ? "kept" : "done", seconds, folder);
                spec.commandLine().getOut().print(Tables.text(section));
                spec.commandLine().getOut().flush();
            }
        }
        Path report = out.resolve("report.html");
        HtmlReport.write(report, new Report("MDNF reproduction",
                "Experiments of the paper at " + scale.name().toLowerCase(Locale.ROOT) + " scale, seed " + seed + ".", sections));
        if (json.given()) {
            json.print(spec.commandLine().getOut(), java.util.Map.of("report", report.toString(), "experiments", finished));
        } else {
            spec.commandLine().getOut().println("report: " + report);
        }
    }

    private void list() {
        if (json.given()) {
            json.print(spec.commandLine().getOut(), Experiments.all().stream().map(e -> java.util.Map.of("name", e.name(),
                    "paper", e.paper(), "minutesQuick", e.minutes(Scale.QUICK), "minutesPaper", e.minutes(Scale.PAPER))).toList());
            return;
        }
        var writer = spec.commandLine().getOut();
        writer.printf("%-20s %-52s %8s %8s%n", "name", "what of the paper", "quick", "paper");
        for (Experiment e : Experiments.all()) {
            writer.printf(Locale.ROOT, "%-20s %-52s %4.1f min %4.0f min%n", e.name(), e.paper(), e.minutes(Scale.QUICK),
                    e.minutes(Scale.PAPER));
        }
        writer.flush();
    }
}
