package io.mdnf.cli;

import io.mdnf.gmm.BayesianGaussianMixture;
import io.mdnf.gmm.EmState;
import io.mdnf.gmm.FlowSettings;
import io.mdnf.gmm.GaussianMixtureData;
import io.mdnf.gmm.MixtureStart;
import io.mdnf.gmm.RestartedEm;
import io.mdnf.gmm.VariationalEm;
import io.mdnf.report.Progress;
import io.mdnf.training.Algorithm;
import io.mdnf.training.Run;
import io.mdnf.training.RunListener;
import io.mdnf.training.RunStoppedException;
import io.mdnf.training.StopRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Fits a Bayesian Gaussian mixture by variational EM, its E-step in closed form or by flows. */
@Command(name = "fit", description = "Fit a Bayesian Gaussian mixture to a table of numbers.", footer = {
    "  mdnf gmm fit artificial --clusters 3", "  mdnf gmm fit data.csv --clusters 4 --out runs/gmm"})
final class GmmFit implements Callable<Integer> {

    enum EStep { VIF, BVIF, CLOSED_FORM }

    enum Start { RANDOM, K_MEANS }

    @Parameters(paramLabel = "DATA.csv", description = "Comma-separated numbers, with or without a header, plain "
            + "or gzip; or 'artificial', the paper's simulated data.")
    private String data;

    @Option(names = "--clusters", paramLabel = "K", required = true, description = "Number of clusters.")
    private int clusters;

    @Option(names = "--components", paramLabel = "B", defaultValue = "40",
            description = "Flows in the E-step's mixture")
    private int components;

    @Option(names = "--algorithm", paramLabel = "vif|bvif|closed-form", defaultValue = "vif",
            description = "Who does the E-step; vif's deltas are solved exactly unless --no-refine trains them")
    private EStep algorithm;

    @Option(names = "--start", paramLabel = "k-means|random", defaultValue = "k-means", description = "Where EM begins")
    private Start start;

    @Option(names = "--starts", paramLabel = "N", defaultValue = "1",
            description = "Starts of which the one with the highest ELBO is kept")
    private int starts;

    @Option(names = "--steps", paramLabel = "N", defaultValue = "200", description = "EM steps at most")
    private int steps;

    @Option(names = "--no-refine", description = "Gradients alone: the best iterate, not improved exactly.")
    private boolean unrefined;

    @Option(names = "--published", description = "Fit the flows as the paper did: S = 100, no exact refinement. Slow.")
    private boolean published;

    @Option(names = "--ignore", paramLabel = "COLUMN",
            description = "A column to leave out, by name or number; repeatable.")
    private Set<String> ignored = Set.of();

    @Option(names = "--data-seed", paramLabel = "N", defaultValue = "0",
            description = "Seed of the data set 'artificial'")
    private long dataSeed;

    @Mixin
    private RunOptions run;

    @Override
    public Integer call() throws IOException {
        UsageProblem.ifBelowOne("--clusters", clusters);
        UsageProblem.ifBelowOne("--components", components);
        UsageProblem.ifBelowOne("--starts", starts);
        UsageProblem.ifBelowOne("--steps", steps);
        if (algorithm == EStep.CLOSED_FORM && (unrefined || published)) {
            throw new UsageProblem((unrefined ? "--no-refine" : "--published")
                    + ": the closed form trains no flows; choose --algorithm vif or bvif");
        }
        Optional<Path> out = run.out();
        GaussianMixtureData points = GmmData.read(data, dataSeed, ignored);
        if (points.size() < clusters) {
            throw new UsageProblem("--clusters " + clusters + ": " + data + " has only " + points.size() + " rows");
        }
        BayesianGaussianMixture mixture = BayesianGaussianMixture.standard(points, clusters);
        if (algorithm != EStep.CLOSED_FORM || out.isPresent()) {
            Nd4jStart.now();
        }
        Optional<GmmRun> kept = out.isEmpty() ? Optional.empty()
                : Optional.of(new GmmRun(run.open("mdnf gmm fit", configuration(), GmmData.inputs(data, points))));
        return run.run(kept.map(GmmRun::folder), stopping -> {
            GmmFitted fitted = fit(mixture, kept, stopping);
            if (kept.isPresent()) {
                kept.get().finish(fitted);
            }
            run.answer(fitted::answer, fitted::print);
        });
    }

    private Map<String, String> configuration() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("data", data.equals(GmmData.ARTIFICIAL) ? data + " " + dataSeed : data);
        if (!ignored.isEmpty()) {
            all.put("ignore", String.join(",", ignored.stream().sorted().toList()));
        }
        all.put("clusters", Integer.toString(clusters));
        all.put("algorithm", Manual.word(algorithm) + (published ? ", published"
                : unrefined ? ", gradients alone" : ""));
        all.put("components", Integer.toString(components));
        all.put("start", Manual.word(start));
        all.put("starts", Integer.toString(starts));
        all.put("steps", Integer.toString(steps));
        return all;
    }

    private Optional<FlowSettings> flows() {
        if (algorithm == EStep.CLOSED_FORM) {
            return Optional.empty();
        }
        FlowSettings.Algorithm flows =
                algorithm == EStep.VIF ? FlowSettings.Algorithm.VIF : FlowSettings.Algorithm.BVIF;
        if (published) {
            return Optional.of(FlowSettings.published(flows, components));
        }
        FlowSettings standard = FlowSettings.standard(flows, components);
        return Optional.of(!unrefined ? standard
                : standard.withKeep(algorithm == EStep.VIF ? FlowSettings.Keep.PER_POINT : FlowSettings.Keep.OVERALL));
    }

    /** What produced the result, in words: refined VIF on deltas has nothing to train. */
    private String made() {
        return algorithm == EStep.VIF && !unrefined && !published ? "best multiples of 1/" + components
                : Manual.word(algorithm) + (algorithm == EStep.BVIF && !unrefined && !published ? ", refined" : "");
    }

    private GmmFitted fit(BayesianGaussianMixture mixture, Optional<GmmRun> folder, RunListener stopping)
            throws IOException {
        StopRule stop = VariationalEm.stop(steps);
        MixtureStart begin = start == Start.K_MEANS ? MixtureStart.K_MEANS : MixtureStart.RANDOM_POINTS;
        long began = System.nanoTime();
        try (RestartedEm em = new RestartedEm(mixture, begin, starts, stop, flows());
                Progress progress = Progress.start("gmm fit", (long) starts * steps,
                        run.quiet.given() || run.json.given(), System.err)) {
            Run<RestartedEm.State> training = new Run<>(em, run.seed.seed()).reportEvery(1).listener(stopping)
                    .listener(watch(progress));
            if (folder.isPresent()) {
                folder.get().saving(training);
            }
            RestartedEm.State end = training.execute(run.resume);
            if (!em.isFinished(end)) {
                throw new RunStoppedException(end.step());
            }
            RestartedEm.End best = em.result(end);
            EmState closedForm = algorithm == EStep.CLOSED_FORM ? best.em()
                    : VariationalEm.closedForm(mixture, stop).fit(em.start(end.seed(), best.start()), s -> { });
            return new GmmFitted(data, mixture, made(), flows().map(FlowSettings::components),
                    run.seed.number(), best, closedForm.elbo(), (System.nanoTime() - began) / 1e9, run.out());
        }
    }

    private static RunListener watch(Progress progress) {
        return new RunListener() {
            @Override
            public void onProgress(Algorithm.Info info) {
                progress.at(info.step(), info.bestElbo());
            }
        };
    }
}
