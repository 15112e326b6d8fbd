package io.mdnf.training;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.random.Seed;
import java.util.function.Predicate;

/**
 * What a {@link Run} can carry through kills to its end: a state is an immutable value that can be saved; a step makes
 * a new one from it. The same state and settings give the same next state, bit for bit.
 *
 * <pre>{@code
 * TrainingState state = training.init(Seed.of(1));
 * while (!training.isFinished(state)) {
 *     state = training.advance(state, 100);
 * }
 * FlowMixture q = training.result(state);
 * }</pre>
 *
 * @param <S> the state
 * @param <R> what comes of it, such as a distribution
 */
public interface Algorithm<S, R> extends AutoCloseable {

    /** Returns the state before the first step; all randomness of the run comes from the seed. */
    S init(Seed seed);

    /**
     * Returns the state after several steps, fewer if the run ends or {@code goOn}, asked after every step, is false.
     * Throws DivergenceException on NaN or infinity.
     */
    S advance(S state, int steps, Predicate<Info> goOn);

    /** Returns the state after several steps, fewer if the run ends. */
    default S advance(S state, int steps) {
        return advance(state, steps, info -> true);
    }

    /** Returns whether the run has ended, so that {@link #advance} would do nothing. */
    boolean isFinished(S state);

    /** Returns where the run stands, figures for people and files. */
    Info info(S state);

    /** Returns the best that a state has come to. */
    R result(S state);

    /** Returns the state as a checkpoint. */
    Checkpoint save(S state);

    /**
     * Returns the state of a checkpoint; throws IllegalArgumentException if it was saved by another algorithm or with
     * other settings, target or data, naming the difference.
     */
    S restore(Checkpoint checkpoint);

    /** Releases native memory. */
    @Override
    void close();

    /**
     * Where a run stands: steps done, temperature and estimate of the last one, the best bound so far, evaluated by
     * itself, how many components are in use, and the share of offers that chains took; NaN where none move.
     */
    record Info(long step, double temperature, double elbo, double bestElbo, int components, double accepted) {

        /** Without chains. */
        public Info(long step, double temperature, double elbo, double bestElbo, int components) {
            this(step, temperature, elbo, bestElbo, components, Double.NaN);
        }
    }
}
