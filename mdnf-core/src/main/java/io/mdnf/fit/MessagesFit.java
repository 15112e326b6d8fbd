package io.mdnf.fit;

import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.search.Effort;
import io.mdnf.space.Estimate;
import io.mdnf.target.TargetModel;
import io.mdnf.training.RunListener;
import java.util.List;

/** What an {@link Answer} is as a fit: its distribution with a bound. */
final class MessagesFit {

    private MessagesFit() {}

    static Fitter.Found of(TargetModel target, Budget budget, Effort effort, Fitter.Watch watch, Seed seed) {
        long start = System.nanoTime();
        List<RunListener> listeners = watch.of(Family.AUTOREGRESSIVE);
        Answer answer = new Answers(target, budget).with(effort).closely().whilst(known -> {
            double share = (System.nanoTime() - start) / 1e9 / budget.seconds();
            watch.at(Math.min(1, share), "weighing samples", known.lower());
            return listeners.stream().noneMatch(RunListener::wantsStop);
        }).ask(seed);
        if (answer.isExact()) {
            return new Fitter.Found(Family.EXACT, answer, answer.logEvidence().estimate(), "");
        }
        Estimate elbo = Bound.of(target, answer.distribution(), effort.fitting().boundSamples(),
                seed.fold("bound"));
        boolean possible = elbo.value() > Double.NEGATIVE_INFINITY;
        return new Fitter.Found(Family.AUTOREGRESSIVE, answer,
                possible ? elbo : Estimate.exact(answer.logEvidence().lower()),
                possible ? "" : "It draws impossible codes too, so its ELBO is -infinity; the bound is that of its "
                + "weighted samples.");
    }
}
