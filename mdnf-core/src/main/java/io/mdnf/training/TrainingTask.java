package io.mdnf.training;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.random.Seed;
import java.util.Map;
import java.util.Optional;

/**
 * What differs between gradient trainings; {@link GradientTraining} does the rest. Needed are a compiled plan, what is fed
 * to it, what its value is, and what comes of the parameters; everything else has a default.
 *
 * <p>A task may keep scratch between {@link #feed} and {@link #after} of one step, but what the next step needs is in the
 * state: its parameters, and {@link #parts} by name.
 *
 * @param <R> what comes of the training
 */
public interface TrainingTask<R> extends AutoCloseable {

    /** Returns the compiled step: the loss, its gradients, and what {@link #value} reads. */
    ExecutionPlan plan();

    /** Returns how to train. */
    TrainingSettings settings();

    /** Returns what the training is: algorithm, settings, target, data; only trainings that are never saved need none. */
    default Fingerprint fingerprint() {
        throw new UnsupportedOperationException(this + " is part of another training, which is saved in its place");
    }

    /**
     * First parameters.
     *
     * @param seed where they come from
     * @return flat, in the order of the plan's layout
     */
    default double[] initial(Seed seed) {
        return plan().layout().initial(seed);
    }

    /**
     * What the task remembers beside the parameters, before the first step.
     *
     * @param seed of the run
     * @return arrays by name
     */
    default Map<String, double[]> parts(Seed seed) {
        return Map.of();
    }

    /**
     * Writes the placeholders of a step: temperature, randomness, data.
     *
     * @param step the step
     */
    void feed(TrainingStep step);

    /** Returns what the run of the plan estimated, to be maximised; not finite means that the training diverged. */
    double value();

    /**
     * What the task remembers after a step.
     *
     * @param step the step
     * @param value what it estimated
     * @return arrays by name
     */
    default Map<String, double[]> after(TrainingStep step, double value) {
        return step.parts();
    }

    /** Returns whether {@link #value} is the bound of the parameters itself, so that no evaluation is needed. */
    default boolean isExact() {
        return false;
    }

    /**
     * Judges parameters by themselves, for the best so far.
     *
     * @param parameters flat
     * @param step whose number says how many steps have led to them
     * @return what they are worth, to be maximised
     */
    default double evaluate(double[] parameters, TrainingStep step) {
        throw new UnsupportedOperationException(this + " has no evaluation; set evaluateEvery = 0");
    }

    /** Returns the smallest gain that makes parameters better than the best so far. */
    default double worth() {
        return 1e-6;
    }

    /**
     * Which parameters a step moves.
     *
     * @param step the step
     * @return one value per parameter, or nothing for all of them
     */
    default Optional<boolean[]> active(TrainingStep step) {
        return Optional.empty();
    }

    /**
     * Where a step is in the schedules of rate and temperature.
     *
     * @param step from 0
     * @return from 0
     */
    default long clock(long step) {
        return step;
    }

    /**
     * Whether a stage ends, so that {@link #nextStage} says how to go on.
     *
     * @param steps done
     * @return true at the end of a stage
     */
    default boolean endsStage(long steps) {
        return false;
    }

    /**
     * The state in which the next stage begins, or in which the training ends.
     *
     * @param state at the end of a stage
     * @return the state to go on from
     */
    default TrainingState nextStage(TrainingState state) {
        return state;
    }

    /**
     * Whether the training has ended.
     *
     * @param state the state
     * @return by default what the stop rule says
     */
    default boolean isFinished(TrainingState state) {
        return settings().stop().isMet(state.progress());
    }

    /**
     * Figures for people and files.
     *
     * @param state the state
     * @return where the training stands
     */
    default Algorithm.Info info(TrainingState state) {
        return new Algorithm.Info(state.step(), settings().temperature().at(clock(Math.max(0, state.step() - 1))),
                state.figures().value(), state.best().value(), components());
    }

    /** Returns how many components are trained, the first axis of their parameters. */
    default int components() {
        return 1;
    }

    /**
     * What comes of a state.
     *
     * @param state the state
     * @return the result
     */
    R result(TrainingState state);

    /** Releases native memory. */
    @Override
    default void close() {
        plan().close();
    }
}
