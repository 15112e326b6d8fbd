package io.mdnf.cli;

import io.mdnf.checkpoint.RunManifest;
import io.mdnf.experiments.Experiment;
import io.mdnf.experiments.FitSweep;
import io.mdnf.experiments.Scale;
import io.mdnf.experiments.Workplace;
import io.mdnf.random.Seed;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.report.SectionFolder;
import io.mdnf.work.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A finished experiment in its folder, run now or kept from before.
 *
 * @param manifest when and by what it was run; empty if that was before manifests were kept
 * @param kept whether it was found finished
 * @param seconds this took now
 */
record ExperimentRun(Experiment experiment, Request request, ReportSection section, Optional<RunManifest> manifest,
        boolean kept, double seconds) {

    /** In a manifest's configuration: the run took over parts of one that had been stopped or killed. */
    static final String RESUMED = "resumed";

    private static final Pattern FOLDER = Pattern.compile("(quick|paper)-seed(-?\\d{1,18})");

    /** What is the same for all experiments of a command: its options. */
    record Request(Path out, Scale scale, long seed, Optional<Path> data, boolean resume, boolean quiet,
            Optional<Workers> cluster) {

        private Path folder(Experiment experiment) {
            return out.resolve(folderName()).resolve(experiment.name());
        }

        private String folderName() {
            return scale + "-seed" + seed;
        }

        /** The same for every scale and seed that has a folder there, in their order. */
        List<Request> there() throws IOException {
            List<Request> all = new ArrayList<>();
            try (Stream<Path> folders = Files.list(out)) {
                for (Path folder : folders.toList()) {
                    Matcher name = FOLDER.matcher(folder.getFileName().toString());
                    if (name.matches()) {
                        all.add(new Request(out, Scale.valueOf(name.group(1).toUpperCase(Locale.ROOT)),
                                Long.parseLong(name.group(2)), data, resume, quiet,
                                cluster));
                    }
                }
            }
            all.sort(Comparator.comparing(Request::scale).thenComparing(Request::seed));
            return all;
        }

        @Override
        public String toString() {
            return scale + " scale, seed " + seed;
        }

        private RunManifest manifest(Experiment experiment, boolean resumed) {
            Map<String, String> configuration = new TreeMap<>(Map.of("scale", scale.toString()));
            data.ifPresent(path -> configuration.put("data", path.toString()));
            if (resumed) {
                configuration.put(RESUMED, "true");
            }
            return Provenance.started("mdnf reproduce " + experiment.name(), configuration, seed, List.of());
        }
    }

    Path folder() {
        return request.folder(experiment);
    }

    /** Runs an experiment, or keeps it if it is finished and that is wanted. */
    static ExperimentRun of(Experiment experiment, Request request) throws IOException {
        Optional<ExperimentRun> done = request.resume ? finished(experiment, request) : Optional.empty();
        if (done.isPresent()) {
            return done.get();
        }
        long start = System.nanoTime();
        SectionFolder result = new SectionFolder(request.folder(experiment));
        ReportSection section = run(experiment, request, result);
        return of(experiment, request, section, false, (System.nanoTime() - start) / 1e9);
    }

    /** What an earlier command finished in the same folder, if it did. */
    static Optional<ExperimentRun> finished(Experiment experiment, Request request) throws IOException {
        Optional<ReportSection> section = new SectionFolder(request.folder(experiment)).load();
        return section.isEmpty() ? Optional.empty() : Optional.of(of(experiment, request, section.get(), true, 0));
    }

    private static ExperimentRun of(Experiment experiment, Request request, ReportSection section, boolean kept,
            double seconds) throws IOException {
        Path folder = request.folder(experiment);
        Optional<RunManifest> manifest = Files.exists(folder.resolve(RunManifest.NAME))
                ? Optional.of(RunManifest.read(folder)) : Optional.empty();
        return new ExperimentRun(experiment, request, section, manifest, kept, seconds);
    }

    /** The section with at least one finding, so that no experiment is missing where a report lists them all. */
    ReportSection summarised() {
        return section.findings().isEmpty() ? section.with(new Finding(section.title()
                + " (kept from a version that took no findings)", Finding.NONE, Finding.NONE, Finding.NONE)) : section;
    }

    /** The same, saying at what scale and seed, where a report has several. */
    ReportSection distinguished() {
        ReportSection plain = summarised();
        return new ReportSection(plain.name() + "-" + request.folderName(), plain.title() + " (" + request + ")",
                plain.blocks(), plain.findings());
    }

    private static ReportSection run(Experiment experiment, Request request, SectionFolder result) throws IOException {
        Path folder = result.path();
        UsageProblem.ifNotMade(folder);
        Workplace workplace = new Workplace(folder, request.scale, Seed.of(request.seed), request.data, request.quiet,
                MnistOption.notices(request.quiet), request.cluster.<Workplace.Fits>map(
                        workers -> new FitSweep(workers, experiment.body())).orElse(Workplace.Fits.HERE));
        // what an older run left must not be taken for this one's, should this one not end
        result.forget();
        if (!request.resume) {
            workplace.forgetParts();
        }
        return RunFolder.anew(folder, request.manifest(experiment, workplace.hasParts())).recorded(() -> {
            ReportSection section = experiment.body().run(workplace);
            result.save(section);
            workplace.forgetParts();
            return section;
        });
    }
}
