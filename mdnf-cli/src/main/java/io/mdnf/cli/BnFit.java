package io.mdnf.cli;

import io.mdnf.bn.ExactPosterior;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.evaluation.LogEvidence;
import io.mdnf.fit.Family;
import io.mdnf.fit.Fit;
import io.mdnf.fit.Fitter;
import io.mdnf.fit.Plan;
import io.mdnf.report.Progress;
import io.mdnf.training.MetricsCsv;
import io.mdnf.training.RunListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mdnf bn fit}: a variational posterior, with its bound and how far to trust it. */
@Command(name = "fit", footer = {"  mdnf bn fit asia --evidence asia=yes,xray=yes",
    "  mdnf bn fit hepar2 --family joint --out runs/hepar"}, description = {
    "Fit a posterior to a network and evidence; print its bound and marginals.",
    "The bound never exceeds the log evidence. Where exact inference is feasible the truth stands beside."})
final class BnFit implements Callable<Integer> {

    /** The work as the progress counts it: parts of a thousand. */
    private static final int WHOLE = 1000;

    @Mixin
    private BnCase asked;

    @Mixin
    private BnPlan asking;

    @Mixin
    private RunOptions run;

    @Override
    public Integer call() throws IOException {
        Optional<Path> out = run.out();
        NetworkTarget target = asked.target();
        Plan plan = asking.plan(target, asked.memory());
        Optional<ExactPosterior> exact = asked.truthBeside(plan, target);
        Nd4jStart.now();
        Optional<BnRun> kept = out.isEmpty() ? Optional.empty()
                : Optional.of(BnRun.open(run, asked, target.evidence(), asking));
        return run.run(kept.map(BnRun::folder), stopping -> {
            if (kept.isPresent() && exact.isPresent()) {
                kept.get().folder().truth(exact.get().logEvidence());
            }
            try (BnFitted fitted = fit(target, exact, plan, kept, stopping)) {
                if (kept.isPresent()) {
                    kept.get().finish(fitted);
                }
                run.answer(fitted::answer, printed -> print(printed, fitted));
            }
        });
    }

    /** Shows on stderr how far a fit is; writes figures where there is a run's folder. */
    private record Watch(Progress progress, Optional<BnRun> run, Optional<BoundsCsv> bounds, RunListener stopping)
            implements Fitter.Watch {
        @Override
        public void known(LogEvidence known, double accepted) {
            bounds.ifPresent(file -> file.write(known, accepted));
        }

        @Override
        public List<RunListener> of(Family family) {
            return Stream.concat(Stream.of(stopping), run.stream().map(kept -> new MetricsCsv(kept.metrics(family))))
                    .toList();
        }

        @Override
        public void at(double share, String doing, double elbo) {
            progress.at(Math.round(share * WHOLE), elbo);
        }
    }

    private BnFitted fit(NetworkTarget target, Optional<ExactPosterior> exact, Plan plan, Optional<BnRun> kept,
            RunListener stopping) throws IOException {
        try (Progress progress = run.progress("fit " + asked.name(), WHOLE)) {
            Fitter fitter = new Fitter(target, target.order()).watched(new Watch(progress, kept,
                    kept.map(BnRun::bounds), stopping));
            Fitter saving = kept.map(folder -> fitter.saving(folder.checkpoints())).orElse(fitter);
            return BnFitted.fit(saving, target, exact, plan, run.seed.seed());
        }
    }

    private static void print(PrintWriter out, BnFitted fitted) {
        if (fitted.fit().attempts().size() > 1) {
            for (Fit.Attempt attempt : fitted.fit().attempts()) {
                out.printf(Locale.ROOT, "%-15s ELBO %s, %d steps, %.1f s%s%n", Manual.word(attempt.family()),
                        attempt.bound(), attempt.steps(), attempt.seconds(),
                        attempt.family() == fitted.fit().family() ? ", kept" : "");
            }
            out.println();
        }
        out.printf(Locale.ROOT, "%s posterior, %s: %s%n", fitted.family(), fitted.size(), fitted.fit().algorithm());
        fitted.figures().forEach((name, value) -> out.printf("%-13s %s%n", name, value));
        out.println();
        out.print(TextTables.text(fitted.marginals().table("", "q", fitted.exact().map(BnMarginals::of))));
        out.println();
        fitted.sentences().forEach(out::println);
    }
}
