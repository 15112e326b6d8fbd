package io.mdnf.training;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.Threads;
import io.mdnf.random.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The one training by gradients: feed, run, check, judge, update, step after step. What is fed and what it means comes
 * from a {@link TrainingTask}.
 *
 * <p>The best parameters are those with the best bound: a step's own estimate where that is the bound itself, else an
 * evaluation every few steps and at the end, never the best of noisy estimates. All numbers of a step are checked; a
 * training that met NaN or infinity says where and keeps the last good state.
 *
 * <pre>{@code
 * try (var training = new GradientTraining<>(new Vif(target, mixture, settings))) {
 *     TrainingState end = new Run<>(training, Seed.of(1)).checkpoints(folder, 500).execute(true);
 *     FlowMixture q = training.result(end);
 * }
 * }</pre>
 *
 * @param <R> what comes of the training
 */
public final class GradientTraining<R> implements Algorithm<TrainingState, R> {

    private final TrainingTask<R> task;
    private final ExecutionPlan plan;
    private TrainingState live;
    private Fingerprint fingerprint;
    private ExecutorService threads;

    /** Trains a task, which is closed with this. */
    public GradientTraining(TrainingTask<R> task) {
        this.task = task;
        this.plan = task.plan();
    }

    /** Returns the task. */
    public TrainingTask<R> task() {
        return task;
    }

    @Override
    public TrainingState init(Seed seed) {
        return start(seed, task.initial(seed.fold("parameters")));
    }

    /** Returns a first state at given parameters, in the order of the plan's layout. */
    public TrainingState start(Seed seed, double[] parameters) {
        return TrainingState.first(seed, parameters.clone(), task.settings().optimiser().slots(), task.parts(seed));
    }

    /** Trains to the end and returns the last state. */
    public TrainingState finish(TrainingState first) {
        return advance(first, Integer.MAX_VALUE);
    }

    @Override
    public TrainingState advance(TrainingState state, int steps, Predicate<Info> goOn) {
        try (Threads threads = Threads.of(plan, task.shards())) {
            return advanced(state, steps, goOn);
        }
    }

    private TrainingState advanced(TrainingState state, int steps, Predicate<Info> goOn) {
        use(state);
        // the parameters of what follows are stale: the plan has them
        TrainingState at = state;
        long started = System.nanoTime();
        boolean going = true;
        for (int i = 0; i < steps && going && !task.isFinished(at); i++) {
            at = step(at);
            long now = System.nanoTime();
            at = at.with(at.best(), at.nanos() + now - started);
            started = now;
            if (task.endsStage(at.step())) {
                at = task.nextStage(read(at));
                use(at);
            }
            going = goOn.test(task.info(at));
        }
        live = read(at);
        return live;
    }

    /** Brings parameters and optimiser of a state into the plan, unless they are there. */
    private void use(TrainingState state) {
        if (state != live) {
            plan.restore(state.parameters(), task.settings().optimiser(), state.optimiser(), state.updates());
        }
        live = null;
    }

    /** The state with what the plan holds. */
    private TrainingState read(TrainingState at) {
        double[] parameters = plan.parameters();
        TrainingState.Best best = at.best().value() > Double.NEGATIVE_INFINITY ? at.best()
                : new TrainingState.Best(parameters, at.best().value(), at.best().step());
        return new TrainingState(at.seed(), at.step(), parameters, plan.optimiserState(), plan.updates(), at.value(),
                best, at.parts(), at.nanos());
    }

    /** One step on the plan's own parameters. */
    private TrainingState step(TrainingState at) {
        TrainingSettings settings = task.settings();
        long clock = task.clock(at.step());
        TrainingStep step =
                new TrainingStep(at.seed(), at.step(), settings.temperature().at(clock), at.parts());
        run(step);
        double value = task.value();
        if (!Double.isFinite(value)) {
            throw diverged("the objective is " + value, step);
        }
        TrainingState.Best best = at.best();
        boolean evaluates = !task.isExact() && settings.evaluateEvery() > 0;
        if (task.isExact()) {
            best = better(best, value, at.step());
        } else if (evaluates && clock > 0 && clock % settings.evaluateEvery() == 0) {
            best = better(best, task.evaluate(plan.parameters(), step), at.step());
        }
        Optional<boolean[]> active = task.active(step);
        if (active.isPresent()) {
            plan.update(settings.optimiser(), settings.rateAt(clock), active.get());
        } else {
            plan.update(settings.optimiser(), settings.rateAt(clock));
        }
        if (!plan.isFinite()) {
            throw diverged("a gradient is not finite", step);
        }
        TrainingState done = new TrainingState(at.seed(), at.step() + 1, at.parameters(), at.optimiser(), at.updates(),
                value, best, task.after(step, value), at.nanos());
        if (evaluates && (task.endsStage(done.step()) || task.isFinished(done))) {
            TrainingStep end = new TrainingStep(step.seed(), done.step(), step.temperature(), step.parts());
            best = better(best, task.evaluate(plan.parameters(), end), done.step());
            return done.with(best, done.nanos());
        }
        return done;
    }

    /** Feeds and runs every shard; the update adds gradients in the order of shards, whichever ended first. */
    private void run(TrainingStep step) {
        List<Future<?>> others = new ArrayList<>();
        for (int shard = 1; shard < task.shards(); shard++) {
            int own = shard;
            others.add(threads().submit(() -> {
                task.feed(step, own);
                task.plan(own).run();
            }));
        }
        task.feed(step, 0);
        plan.run();
        others.forEach(Ahead::await);
    }

    private ExecutorService threads() {
        if (threads == null) {
            threads = Executors.newFixedThreadPool(task.shards() - 1, body -> {
                Thread thread = new Thread(body, "mdnf-shard");
                thread.setDaemon(true);
                return thread;
            });
        }
        return threads;
    }

    /** The better of the best so far and the plan's parameters. */
    private TrainingState.Best better(TrainingState.Best best, double bound, long step) {
        // while no bound is finite the latest parameters are the best guess
        return bound > best.value() + task.worth() || best.value() == Double.NEGATIVE_INFINITY
                ? new TrainingState.Best(plan.parameters(), bound, step) : best;
    }

    private DivergenceException diverged(String what, TrainingStep step) {
        return new DivergenceException(what, step.number(), step.temperature(), notFinite());
    }

    /** Names the parameter and component of the first gradient that is not finite. */
    private String notFinite() {
        ParameterLayout layout = plan.layout();
        double[] gradients = plan.gradients();
        for (Parameter p : layout.parameters()) {
            double[] part = layout.read(p.name(), gradients);
            for (int i = 0; i < part.length; i++) {
                if (!Double.isFinite(part[i])) {
                    int perComponent = Math.max(1, part.length / task.components());
                    return "parameter " + p.name() + " of component " + i / perComponent;
                }
            }
        }
        return "with the gradient of every component finite";
    }

    @Override
    public boolean isFinished(TrainingState state) {
        return task.isFinished(state);
    }

    @Override
    public Info info(TrainingState state) {
        return task.info(state);
    }

    @Override
    public R result(TrainingState state) {
        // the task may use the plan
        live = null;
        return task.result(state);
    }

    @Override
    public Checkpoint save(TrainingState state) {
        return state.save(fingerprint().text(), plan.layout(), task.settings());
    }

    @Override
    public TrainingState restore(Checkpoint checkpoint) {
        fingerprint().require(checkpoint);
        checkpoint.requireLayout(plan.layout());
        return TrainingState.of(checkpoint);
    }

    /** Computed when first needed: it may hash much data. */
    private Fingerprint fingerprint() {
        if (fingerprint == null) {
            fingerprint = task.fingerprint();
        }
        return fingerprint;
    }

    @Override
    public void close() {
        if (threads != null) {
            threads.shutdown();
            awaitShards();
        }
        task.close();
    }

    /** A step that failed may have left a shard at work on what is closed next. */
    private void awaitShards() {
        boolean interrupted = Thread.interrupted();
        while (!threads.isTerminated()) {
            try {
                threads.awaitTermination(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "GradientTraining of " + task;
    }
}
