package io.mdnf.training;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.random.Seed;
import java.util.Map;
import java.util.Optional;

/**
 * What differs between gradient trainings; {@link GradientTraining} does the rest. Needed are a compiled plan
 * ({@link #trains}), what is fed to it, and what comes of the parameters; everything else has a default.
 *
 * <p>A task may keep scratch between {@link #feed} and {@link #after} of one step, but what the next step needs is in
 * the state: its parameters, and {@link #parts} by name.
 *
 * @param <R> what comes of the training
 */
public abstract class TrainingTask<R> implements AutoCloseable {

    private ExecutionPlan plan;
    private TrainingSettings settings;

    /** Says what a step computes (loss, gradients, what {@link #value} reads) and how to train; before any training. */
    protected final void trains(ExecutionPlan step, TrainingSettings how) {
        plan = step;
        settings = how;
    }

    /** Returns the compiled step. */
    public final ExecutionPlan plan() {
        return plan;
    }

    /** Returns how many plans share a step, each with a share of its data and on a thread of its own. */
    public int shards() {
        return 1;
    }

    /** Returns the plan of a shard, from 0: the first is {@link #plan}, the others its replicas. */
    public ExecutionPlan plan(int shard) {
        return plan;
    }

    /** Writes the placeholders of a shard's plan; shards are fed at the same time. */
    public void feed(TrainingStep step, int shard) {
        feed(step);
    }

    /** Returns how to train. */
    public final TrainingSettings settings() {
        return settings;
    }

    /** Returns what the training is: algorithm, settings, target, data; trainings that are never saved need none. */
    public Fingerprint fingerprint() {
        throw new UnsupportedOperationException(this + " is part of another training, which is saved in its place");
    }

    /** Returns first parameters, flat, in the order of the plan's layout. */
    public double[] initial(Seed seed) {
        return plan.layout().initial(seed);
    }

    /** Returns what the task remembers beside the parameters, before the first step of a run: arrays by name. */
    public Map<String, double[]> parts(Seed seed) {
        return Map.of();
    }

    /** Writes the placeholders of a step: temperature, randomness, data. */
    public abstract void feed(TrainingStep step);

    /**
     * Returns what the run of the plan estimated, to be maximised: the loss with its sign changed, unless a task knows
     * better. Not finite means that the training diverged.
     */
    public double value() {
        return -plan.loss();
    }

    /** Returns what the task remembers after a step that estimated a value: arrays by name. */
    public Map<String, double[]> after(TrainingStep step, double value) {
        return step.parts();
    }

    /** Returns whether {@link #value} is the bound of the parameters itself, so that no evaluation is needed. */
    public boolean isExact() {
        return false;
    }

    /**
     * Returns what flat parameters are worth by themselves, to be maximised, for the best so far; the step's number
     * says how many steps have led to them.
     */
    public double evaluate(double[] parameters, TrainingStep step) {
        throw new UnsupportedOperationException(this + " has no evaluation; set evaluateEvery = 0");
    }

    /** Returns the smallest gain that makes parameters better than the best so far. */
    public double worth() {
        return 1e-6;
    }

    /** Returns which parameters a step moves, one value per parameter, or nothing for all of them. */
    public Optional<boolean[]> active(TrainingStep step) {
        return Optional.empty();
    }

    /** Returns where a step, from 0, is in the schedules of rate and temperature, from 0. */
    public long clock(long step) {
        return step;
    }

    /** Returns whether a stage ends after so many steps, so that {@link #nextStage} says how to go on. */
    public boolean endsStage(long steps) {
        return false;
    }

    /** Returns the state in which the next stage begins, or in which the training ends. */
    public TrainingState nextStage(TrainingState state) {
        return state;
    }

    /** Returns whether the training has ended: by default what the stop rule says. */
    public boolean isFinished(TrainingState state) {
        return settings.stop().isMet(state.progress());
    }

    /** Returns where the training stands, for people and files. */
    public Algorithm.Info info(TrainingState state) {
        return new Algorithm.Info(state.step(), settings.temperature().at(clock(Math.max(0, state.step() - 1))),
                state.value(), state.best().value(), components());
    }

    /** Returns how many components are trained, the first axis of their parameters. */
    public int components() {
        return 1;
    }

    /** Returns what comes of a state. */
    public abstract R result(TrainingState state);

    /** Releases native memory. */
    @Override
    public void close() {
        plan.close();
    }
}
