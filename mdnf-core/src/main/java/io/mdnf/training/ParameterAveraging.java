package io.mdnf.training;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Threads;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.work.Workers;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Trains shards of the data apart, each from the same state and on a worker of its own, and goes on from their mean:
 * parameters, optimiser and parts, summed in double precision in the order of shards. What comes of it follows from the
 * task alone, not from who worked, where or how often, and a state is one of the task's, so that a run may be resumed
 * elsewhere.
 *
 * <pre>{@code
 * VaeTraining task = new VaeTraining(VaeSettings.of(20, 10).withShards(4).withAverageEvery(50), images, 10);
 * try (ParameterAveraging<TrainedVae> training = new ParameterAveraging<>(task, Workers.here(2))) {
 *     TrainingState end = new Run<>(training, Seed.of(1)).checkpoints(folder, task.stepsPerEpoch()).execute(true);
 * }
 * }</pre>
 *
 * <p>A shard is laid out where it is first trained, and stays there while it is trained by the same worker; then a
 * round costs a state each way.
 *
 * @param <R> what comes of the training
 */
public final class ParameterAveraging<R> implements Algorithm<TrainingState, R> {

    /** A task whose data fall into shards. */
    public interface Sharded {

        /** {@return how each shard is trained} */
        List<Shard> shardsOfData();

        /** {@return the step at which shards that begin at a step are averaged} */
        long roundEnd(long step);
    }

    /** What is sent to whoever trains a shard: its data, and how. */
    public interface Shard extends Serializable {

        /** {@return the training of a shard, with the layout of the whole; who asks for it closes it} */
        TrainingTask<?> open();
    }

    /** A shard where it is trained. */
    private static final class Part implements Serializable {

        private static final long serialVersionUID = 1;
        private final int number;
        private final Workers.Sent<Shard> shard;
        private transient GradientTraining<?> training;

        Part(int number, Workers.Sent<Shard> shard) {
            this.number = number;
            this.shard = shard;
        }

        /** Several steps on one thread, whoever has more: products of several have other last bits. */
        synchronized TrainingState train(TrainingState from, int steps) {
            if (training == null) {
                training = new GradientTraining<>(shard.value().open());
            }
            try (Threads one = Threads.one()) {
                return training.advance(from.with(from.seed().fold("shard").fold(number)), steps);
            }
        }

        /** Waits for steps that another shard's failure left under way. */
        synchronized void close() {
            if (training != null) {
                training.close();
            }
            shard.close();
        }
    }

    private final GradientTraining<R> whole;
    private final Sharded sharded;
    private final Precision precision;
    private final Workers workers;
    private List<Part> parts;

    /** Trains a task, which is closed with this, by workers, who are not. */
    public <T extends TrainingTask<R> & Sharded> ParameterAveraging(T task, Workers workers) {
        Check.that(!task.isExact() && task.settings().evaluateEvery() == 0, task,
                ": the best of its own steps is no mean; set evaluateEvery = 0");
        this.whole = new GradientTraining<>(task);
        this.sharded = task;
        this.precision = task.settings().precision();
        this.workers = workers;
    }

    @Override
    public TrainingState init(Seed seed) {
        return whole.init(seed);
    }

    /** {@inheritDoc} A round is never cut short, nor is a state seen within one: what is learned would depend on it. */
    @Override
    public TrainingState advance(TrainingState state, int steps, Predicate<Info> goOn) {
        TrainingState at = state;
        boolean going = true;
        while (going && at.step() - state.step() < steps && !isFinished(at)) {
            at = round(at);
            going = goOn.test(info(at));
        }
        return at;
    }

    private TrainingState round(TrainingState from) {
        long begun = System.nanoTime();
        if (parts == null) {
            List<Shard> shards = sharded.shardsOfData();
            parts = IntStream.range(0, shards.size()).mapToObj(i -> new Part(i, workers.send(shards.get(i)))).toList();
        }
        int steps = (int) (sharded.roundEnd(from.step()) - from.step());
        TrainingState[] ends = new TrainingState[parts.size()];
        try (Workers.Sent<TrainingState> sent = workers.send(from)) {
            workers.run(parts, part -> part.train(sent.value(), steps), (part, end) -> ends[part] = end);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return mean(from, ends, System.nanoTime() - begun);
    }

    private TrainingState mean(TrainingState from, TrainingState[] ends, long nanos) {
        double[] parameters = mean(Arrays.stream(ends).map(TrainingState::parameters).toList(), precision);
        double[][] optimiser = IntStream.range(0, from.optimiser().length).mapToObj(slot -> mean(
                Arrays.stream(ends).map(end -> end.optimiser()[slot]).toList(), precision)).toArray(double[][]::new);
        Map<String, double[]> remembered = new TreeMap<>();
        from.parts().keySet().forEach(name -> remembered.put(name, mean(
                Arrays.stream(ends).map(end -> end.part(name)).toList(), Precision.DOUBLE)));
        ToDoubleFunction<TrainingState> value = TrainingState::value;
        return new TrainingState(from.seed(), ends[0].step(), parameters, optimiser, ends[0].updates(),
                Arrays.stream(ends).mapToDouble(value).sum() / ends.length,
                new TrainingState.Best(parameters, Double.NEGATIVE_INFINITY, ends[0].step()), remembered,
                from.nanos() + nanos);
    }

    private static double[] mean(List<double[]> vectors, Precision precision) {
        double[] mean = vectors.get(0).clone();
        vectors.stream().skip(1).forEach(vector -> Arrays.setAll(mean, i -> mean[i] + vector[i]));
        Arrays.setAll(mean, i -> mean[i] / vectors.size());
        if (precision == Precision.FLOAT) {
            Arrays.setAll(mean, i -> (float) mean[i]);
        }
        return mean;
    }

    @Override
    public boolean isFinished(TrainingState state) {
        return whole.isFinished(state);
    }

    @Override
    public Info info(TrainingState state) {
        return whole.info(state);
    }

    @Override
    public R result(TrainingState state) {
        return whole.result(state);
    }

    @Override
    public Checkpoint save(TrainingState state) {
        return whole.save(state);
    }

    @Override
    public TrainingState restore(Checkpoint checkpoint) {
        return whole.restore(checkpoint);
    }

    @Override
    public void close() {
        if (parts != null) {
            parts.forEach(Part::close);
        }
        whole.close();
    }

    @Override
    public String toString() {
        return "ParameterAveraging of " + whole.task();
    }
}
