package io.mdnf.training;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.random.Seed;
import java.util.function.Predicate;

/**
 * What a {@link Run} can carry through kills to its end: a state is an immutable value that can be saved; a step makes a
 * new one from it. The same state and settings give the same next state, bit for bit.
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

    /**
     * The first state.
     *
     * @param seed where all randomness of the run comes from
     * @return the state before the first step
     */
    S init(Seed seed);

    /**
     * Several steps, fewer if the run ends or is told to.
     *
     * @param state where to start
     * @param steps how many
     * @param goOn asked after every step; false ends it there
     * @return the state after them
     * @throws DivergenceException on NaN or infinity
     */
    S advance(S state, int steps, Predicate<Info> goOn);

    /**
     * Several steps, fewer if the run ends.
     *
     * @param state where to start
     * @param steps how many
     * @return the state after them
     * @throws DivergenceException on NaN or infinity
     */
    default S advance(S state, int steps) {
        return advance(state, steps, info -> true);
    }

    /**
     * Whether the run has ended.
     *
     * @param state the state
     * @return true if {@link #advance} would do nothing
     */
    boolean isFinished(S state);

    /**
     * Figures for people and files.
     *
     * @param state the state
     * @return where the run stands
     */
    Info info(S state);

    /**
     * What a state has come to.
     *
     * @param state the state
     * @return the best found
     */
    R result(S state);

    /**
     * The state as a checkpoint.
     *
     * @param state the state
     * @return the checkpoint
     */
    Checkpoint save(S state);

    /**
     * The state of a checkpoint.
     *
     * @param checkpoint saved by the same algorithm with the same settings, target and data
     * @return the state
     * @throws IllegalArgumentException if it was saved by another, naming the difference
     */
    S restore(Checkpoint checkpoint);

    /** Releases native memory. */
    @Override
    void close();

    /**
     * Where a run stands.
     *
     * @param step steps done
     * @param temperature of the last step
     * @param elbo the last step's estimate
     * @param bestElbo the best bound so far, evaluated by itself
     * @param components how many components are in use
     */
    record Info(long step, double temperature, double elbo, double bestElbo, int components) {}
}
