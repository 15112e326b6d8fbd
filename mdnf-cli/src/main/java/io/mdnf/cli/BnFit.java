package io.mdnf.cli;

import io.mdnf.bn.ExactPosterior;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.report.Progress;
import io.mdnf.fit.FitOptions;
import io.mdnf.training.RunListener;
import io.mdnf.training.RunStoppedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mdnf bn fit}: a variational posterior, with its bound and how far to trust it. */
@Command(name = "fit", description = {
    "Fit a posterior to a network and evidence; print its bound and marginals.",
    "The bound never exceeds the log evidence. Where exact inference is feasible the truth stands beside.%n"})
final class BnFit implements Callable<Integer> {

    @Mixin
    private BnCase asked;

    @Mixin
    private BnMethod method;

    @Mixin
    private SeedOption seed;

    @Option(names = "--out", paramLabel = "DIR",
            description = "Write manifest, metrics, checkpoints, result and report into this folder.")
    private Path out;

    @Option(names = "--resume", description = "Go on from the checkpoints in --out.")
    private boolean resume;

    @Option(names = "--quiet", description = "Show no progress.")
    private boolean quiet;

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        List<FitOptions> plan = method.plan();
        if (resume && out == null) {
            throw new UsageProblem("--resume: name the run's folder with --out DIR");
        }
        NetworkTarget target = asked.target();
        Optional<ExactPosterior> exact = BnCase.exactIfFeasible(target.evidence());
        Nd4jStart.now();
        Optional<BnRun> run = out == null ? Optional.empty()
                : Optional.of(BnRun.open(out, resume, asked, target.evidence(), method, seed.number()));
        if (run.isEmpty()) {
            try (BnFitted fitted = fit(target, exact, plan, run, List.of())) {
                show(fitted);
                return 0;
            }
        }
        run.get().start();
        try (Stopping stopping = Stopping.saving(spec, out)) {
            try (BnFitted fitted = fit(target, exact, plan, run, List.of(stopping))) {
                run.get().finish(fitted);
                show(fitted);
                stopping.complete();
                return 0;
            } catch (RunStoppedException e) {
                run.get().stop(e);
                return Stopping.EXIT_CODE;
            } catch (IOException | RuntimeException e) {
                run.get().fail(e);
                throw e;
            }
        }
    }

    private void show(BnFitted fitted) {
        if (json.given()) {
            json.print(spec.commandLine().getOut(), fitted.answer());
        } else {
            print(spec.commandLine().getOut(), fitted);
        }
    }

    private BnFitted fit(NetworkTarget target, Optional<ExactPosterior> exact, List<FitOptions> plan,
            Optional<BnRun> run, List<RunListener> listeners) throws IOException {
        try (Progress progress = Progress.start("fit " + asked.name(), plan.size(), quiet, System.err)) {
            List<FitOptions> watched = BnWatch.over(plan, progress, run, listeners);
            return BnFitted.fit(target, exact, watched, seed.seed());
        }
    }

    private static void print(PrintWriter out, BnFitted fitted) {
        Optional<BnMarginals> exact = fitted.exact().map(BnMarginals::of);
        if (fitted.attempts().size() > 1) {
            for (BnFitted.Attempt attempt : fitted.attempts()) {
                out.printf(Locale.ROOT, "%-15s ELBO %s, %d steps, %.1f s%s%n", attempt.structure(),
                        BnFitted.bound(attempt.bound()), attempt.steps(), attempt.seconds(),
                        attempt.structure().equals(fitted.structure()) ? ", kept" : "");
            }
            out.println();
        }
        out.printf(Locale.ROOT, "%s posterior, %d components: %s%n", fitted.structure(), fitted.components(),
                fitted.best().algorithm());
        out.println("ELBO          " + BnFitted.bound(fitted.best().bound()));
        fitted.exact().ifPresent(truth -> {
            out.println("log evidence  " + BnFitted.number(truth.logEvidence()));
            out.println("KL(q || p)    " + BnFitted.number(fitted.kl().orElseThrow()));
        });
        out.println();
        out.print(Tables.text(fitted.marginals().table("", "q", exact)));
        out.println();
        out.println(fitted.trust());
        out.flush();
    }
}
