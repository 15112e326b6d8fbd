package io.mdnf.cli;

import io.mdnf.fit.Family;
import io.mdnf.fit.Fitter;
import io.mdnf.report.Progress;
import io.mdnf.training.MetricsCsv;
import io.mdnf.training.RunListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Shows on stderr how far a fit is, and with which bound. */
final class BnWatch implements Fitter.Watch {

    /** The work as the progress counts it: parts of a thousand. */
    static final int WHOLE = 1000;

    private final Progress progress;
    private final Optional<BnRun> run;
    private final List<RunListener> others;

    /** Also writes figures where there is a run's folder, and tells others. */
    BnWatch(Progress progress, Optional<BnRun> run, List<RunListener> others) {
        this.progress = progress;
        this.run = run;
        this.others = others;
    }

    @Override
    public List<RunListener> of(Family family) {
        List<RunListener> listeners = new ArrayList<>(others);
        run.ifPresent(folder -> listeners.add(new MetricsCsv(folder.metrics(family))));
        return listeners;
    }

    @Override
    public void at(double share, String doing, double elbo) {
        progress.at(Math.round(share * WHOLE), elbo);
    }
}
