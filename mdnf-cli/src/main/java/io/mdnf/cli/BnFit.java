package io.mdnf.cli;

import io.mdnf.bn.ExactPosterior;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.report.Progress;
import io.mdnf.fit.FitOptions;
import io.mdnf.training.RunListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
    private RunOptions run;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException {
        List<FitOptions> plan = method.plan();
        Optional<Path> out = run.out();
        NetworkTarget target = asked.target();
        Optional<ExactPosterior> exact = BnCase.exactIfFeasible(target.evidence());
        Nd4jStart.now();
        if (out.isEmpty()) {
            try (BnFitted fitted = fit(target, exact, plan, Optional.empty(), List.of())) {
                show(fitted);
                return 0;
            }
        }
        BnRun kept = BnRun.open(run, asked, target.evidence(), method);
        return run.run(kept.folder(), stopping -> {
            try (BnFitted fitted = fit(target, exact, plan, Optional.of(kept), List.of(stopping))) {
                kept.finish(fitted);
                show(fitted);
            }
        });
    }

    private void show(BnFitted fitted) {
        json.answer(fitted::answer, out -> print(out, fitted));
    }

    private BnFitted fit(NetworkTarget target, Optional<ExactPosterior> exact, List<FitOptions> plan,
            Optional<BnRun> kept, List<RunListener> listeners) throws IOException {
        try (Progress progress = run.progress("fit " + asked.name(), plan.size())) {
            List<FitOptions> watched = BnWatch.over(plan, progress, kept, listeners);
            return BnFitted.fit(target, exact, watched, run.seed());
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
    }
}
