package io.mdnf.training;

import io.mdnf.checkpoint.CheckpointFolder;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries an algorithm from its first state, or from its latest checkpoint, to its end, telling listeners on the way.
 * Killed at any moment and resumed, it ends with the same parameters, bit for bit.
 *
 * <pre>{@code
 * Run<TrainingState> run = new Run<>(training, Seed.of(1)).checkpoints(folder, 500).listener(new MetricsCsv(csv));
 * TrainingState end = run.execute(true);
 * }</pre>
 *
 * @param <S> the algorithm's state
 */
public final class Run<S> {

    private static final Logger LOG = LoggerFactory.getLogger(Run.class);

    private final Algorithm<S, ?> algorithm;
    private final Seed seed;
    private final List<RunListener> listeners = new ArrayList<>();
    private final List<Observer<S>> observers = new ArrayList<>();
    private CheckpointFolder folder;
    private int saveEvery = Integer.MAX_VALUE;
    private int reportEvery = 100;

    /** A run without checkpoints or listeners. */
    public Run(Algorithm<S, ?> algorithm, Seed seed) {
        this.algorithm = algorithm;
        this.seed = seed;
    }

    /** Saves a checkpoint every so many steps, at least 1; throws if the folder cannot be used. */
    public Run<S> checkpoints(Path path, int every) throws IOException {
        Check.that(every >= 1, "every = " + every + ": at least 1 step between checkpoints");
        folder = CheckpointFolder.open(path);
        saveEvery = every;
        return this;
    }

    /** Adds a listener, told in the order of adding. */
    public Run<S> listener(RunListener listener) {
        listeners.add(listener);
        return this;
    }

    /** Adds somebody who wants to see states, told after the listeners. */
    public Run<S> observer(Observer<S> observer) {
        observers.add(observer);
        return this;
    }

    /** Sees states. */
    @FunctionalInterface
    public interface Observer<S> {

        /** Told when a run reports; what it throws ends the run. */
        void at(S state) throws IOException;
    }

    /** Sets the steps between reports to listeners and observers. */
    public Run<S> reportEvery(int steps) {
        reportEvery = Math.max(1, steps);
        return this;
    }

    /**
     * Runs to the end, if so wished from the latest checkpoint, and returns the last state. Throws DivergenceException
     * on NaN or infinity, after the last good state was saved.
     */
    public S execute(boolean resume) throws IOException {
        S state = resume ? resumed() : algorithm.init(seed);
        long saved = algorithm.info(state).step();
        try {
            while (!algorithm.isFinished(state) && !isStopped()) {
                long step = algorithm.info(state).step();
                // reports and saves fall on multiples, wherever the run was resumed
                long toReport = reportEvery - step % reportEvery;
                long toSave = saveEvery - step % saveEvery;
                state = algorithm.advance(state, (int) Math.min(toReport, toSave), this::goesOn);
                Algorithm.Info info = algorithm.info(state);
                if (info.step() % reportEvery == 0 || algorithm.isFinished(state)) {
                    for (RunListener listener : listeners) {
                        listener.onProgress(info);
                    }
                    for (Observer<S> observer : observers) {
                        observer.at(state);
                    }
                }
                if (folder != null && (info.step() % saveEvery == 0 || algorithm.isFinished(state))) {
                    save(state);
                    saved = info.step();
                }
            }
        } catch (DivergenceException problem) {
            listeners.forEach(listener -> listener.onDivergence(problem));
            if (folder != null && algorithm.info(state).step() > saved) {
                save(state);
            }
            throw problem;
        }
        if (folder != null && algorithm.info(state).step() > saved) {
            save(state);
        }
        return state;
    }

    private boolean goesOn(Algorithm.Info info) {
        listeners.forEach(listener -> listener.onStep(info));
        return !isStopped();
    }

    private boolean isStopped() {
        return listeners.stream().anyMatch(RunListener::wantsStop);
    }

    private S resumed() throws IOException {
        var latest = folder == null ? Optional.<CheckpointFolder.Latest>empty() : folder.latest();
        S state = latest.isEmpty() ? algorithm.init(seed) : algorithm.restore(latest.get().checkpoint());
        latest.ifPresent(from -> LOG.info("resuming at step {} from {}", from.checkpoint().step(), from.file()));
        // also where no checkpoint was written yet: listeners may have kept figures of steps that come again
        for (RunListener listener : listeners) {
            listener.onResume(algorithm.info(state));
        }
        return state;
    }

    private void save(S state) throws IOException {
        Path file = folder.save(algorithm.save(state));
        for (RunListener listener : listeners) {
            listener.onCheckpoint(file);
        }
    }
}
