package io.mdnf.training;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.random.Seed;

/**
 * What a {@link Run} can carry through kills to its end: a state is an immutable value that can be saved; a step makes a
 * new one from it. The same state and settings give the same next state, bit for bit.
 *
 * <p>{@link Algorithm} adds a posterior over codes as the result; training of another kind implements this by itself.
 *
 * @param <S> the state
 */
public interface Stepwise<S> extends AutoCloseable {

    /**
     * The first state.
     *
     * @param seed where all randomness of the run comes from
     * @return the state before the first step
     */
    S init(Seed seed);

    /**
     * One step.
     *
     * @param state where to start
     * @return the next state
     */
    default S step(S state) {
        return advance(state, 1);
    }

    /**
     * Several steps, fewer if the run ends.
     *
     * @param state where to start
     * @param steps how many
     * @return the state after them
     * @throws DivergenceException on NaN or infinity
     */
    S advance(S state, int steps);

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
     * The state as a checkpoint.
     *
     * @param state the state
     * @return the checkpoint
     */
    Checkpoint save(S state);

    /**
     * The state of a checkpoint.
     *
     * @param checkpoint saved by this algorithm with the same settings
     * @return the state
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
