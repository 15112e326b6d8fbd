package io.mdnf.cli;

import io.mdnf.fit.Family;
import io.mdnf.fit.Fitter;
import io.mdnf.report.Progress;
import io.mdnf.training.Algorithm;
import io.mdnf.training.MetricsCsv;
import io.mdnf.training.RunListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Shows on stderr how far a series of fits is: the fits before this one are done, this one has the bound it has. */
final class BnWatch implements Fitter.Watch {

    private final Progress progress;
    private final Optional<BnRun> run;
    private final List<RunListener> others;
    private int trained;

    /** Also writes figures where there is a run's folder, and tells others. */
    BnWatch(Progress progress, Optional<BnRun> run, List<RunListener> others) {
        this.progress = progress;
        this.run = run;
        this.others = others;
    }

    @Override
    public List<RunListener> of(Family family) {
        List<RunListener> listeners = new ArrayList<>(others);
        int done = trained++;
        listeners.add(new RunListener() {
            @Override
            public void onProgress(Algorithm.Info info) {
                progress.at(done, Double.isFinite(info.bestElbo()) ? info.bestElbo() : Double.NaN);
            }
        });
        run.ifPresent(folder -> listeners.add(new MetricsCsv(folder.metrics(family))));
        return listeners;
    }
}
