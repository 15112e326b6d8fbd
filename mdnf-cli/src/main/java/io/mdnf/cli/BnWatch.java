package io.mdnf.cli;

import io.mdnf.report.Progress;
import io.mdnf.training.Algorithm;
import io.mdnf.fit.FitOptions;
import io.mdnf.training.MetricsCsv;
import io.mdnf.training.RunListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Shows on stderr how far a series of fits is: the fits before this one are done, this one has the bound it has. */
final class BnWatch implements RunListener {

    private final Progress progress;
    private final int done;

    private BnWatch(Progress progress, int done) {
        this.progress = progress;
        this.done = done;
    }

    /** The same fits, watched, and saved where there is a run's folder. */
    static List<FitOptions> over(List<FitOptions> plan, Progress progress, Optional<BnRun> run,
            List<RunListener> others) {
        List<FitOptions> watched = new ArrayList<>();
        for (FitOptions options : plan) {
            List<RunListener> listeners = new ArrayList<>(others);
            listeners.add(new BnWatch(progress, watched.size()));
            run.ifPresent(folder -> listeners.add(new MetricsCsv(folder.metrics(options.family()))));
            watched.add(new FitOptions(options.family(), options.components(), options.weighting(), options.method(),
                    options.refine(), options.steps(), run.map(folder -> folder.checkpoints(options.family())), listeners));
        }
        return watched;
    }

    @Override
    public void onProgress(Algorithm.Info info) {
        progress.at(done, Double.isFinite(info.bestElbo()) ? info.bestElbo() : Double.NaN);
    }
}
