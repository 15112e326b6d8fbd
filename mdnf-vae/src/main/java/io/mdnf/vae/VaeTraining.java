package io.mdnf.vae;

import io.mdnf.file.Sha256;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.training.Ahead;
import io.mdnf.training.Algorithm;
import io.mdnf.training.Fingerprint;
import io.mdnf.training.ParameterAveraging;
import io.mdnf.training.StopRule;
import io.mdnf.training.TrainingSettings;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import io.mdnf.training.TrainingTask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Trains a discrete VAE. The order of images, the noise and the pixels of a step come from the seed and the step's
 * number alone, so that a training killed anywhere and resumed from a checkpoint ends with the same parameters, bit for
 * bit. The value of a step is its objective in nats per image: an estimate of the ELBO unless codes are relaxed. A rate
 * that decays does so over all epochs: a finished training that is taken further goes on at the rate of the longer one.
 *
 * <pre>{@code
 * VaeTraining task = new VaeTraining(settings, mnist.train().images(), 10);
 * try (GradientTraining<TrainedVae> training = new GradientTraining<>(task)) {
 *     TrainingState end = new Run<>(training, Seed.of(1)).checkpoints(folder, task.stepsPerEpoch()).execute(true);
 *     TrainedVae vae = training.result(end);
 * }
 * }</pre>
 */
public final class VaeTraining extends TrainingTask<TrainedVae> implements ParameterAveraging.Sharded {

    /** The part that holds the sum of the objective over the images of the epoch in progress. */
    private static final String SUM = "epoch.objective";

    private final VaeSettings settings;
    private final ImageRows images;
    private final Latent latent;
    private final Tensor image;
    /** The same images moved, or null. */
    private final Tensor moved;
    private final Tensor weight;
    private final Tensor loss;
    private final Tensor bound;
    private final Tensor divergenceWeight;
    private final VaeNetworks networks;
    private final Graph graph;
    private final List<ExecutionPlan> plans = new ArrayList<>();
    /** The rows of each shard. */
    private final List<Ahead<Key, Batch>> batches = new ArrayList<>();
    /** Images of a step, and of a shard of it. */
    private final int batch;
    private final int rows;
    private final int epochs;
    private final int stepsPerEpoch;
    /** Whether this only stands for shards that learn apart. */
    private final boolean apart;
    private int[] order;
    private Seed ordered;

    /** What decides the rows that a shard is fed. */
    private record Key(Seed seed, long step, Seed draws, int shard) {}

    /** Rows as the model sees them, the same moved or null, and what each weighs. */
    private record Batch(float[] pixels, float[] moved, float[] weights) {}

    /** Lays out and compiles the training step; at least one image is needed, and epochs count resumed ones too. */
    public VaeTraining(VaeSettings settings, ImageRows images, int epochs) {
        this(settings, images, epochs, stepsPerEpoch(settings, images), false, 1);
    }

    private VaeTraining(VaeSettings settings, ImageRows images, int epochs, int stepsPerEpoch, boolean alone,
            int runs) {
        int least = settings.averageEvery() > 0 && !alone ? settings.shards() : 1;
        Check.that(images.count() >= least, "images = ", images, ": at least ", least, " needed");
        Check.that(images.schema().isEmpty() || settings.pixels() == PixelKind.GREY, "pixels = ", settings.pixels(),
                ": a table has none");
        Check.that(images.schema().isEmpty() || !settings.moved(), "moved = true: a row of a table has no place");
        Check.that(settings.channels().isEmpty() || images.shape().height() > 1, "channels = ", settings.channels(),
                ": ", images, " have no known height and width; images get them by ImageRows.shaped");
        this.settings = settings;
        this.images = images;
        graph = new Graph(Precision.FLOAT, runs);
        this.epochs = epochs;
        this.stepsPerEpoch = stepsPerEpoch;
        apart = settings.averageEvery() > 0 && !alone;
        rows = settings.batch() / settings.shards();
        batch = alone ? rows : settings.batch();
        image = graph.placeholder("image", rows, images.size());
        weight = graph.placeholder("weight", rows);
        divergenceWeight = graph.placeholder("divergenceWeight", 1, 1);
        networks = VaeNetworks.training(settings, graph, Likelihood.of(images));
        moved = settings.moved() ? graph.placeholder("moved", rows, images.size()) : null;
        latent = Latent.of(networks, image, moved, divergenceWeight);
        loss = latent.loss().times(weight).sum();
        bound = latent.logLikelihood().minus(latent.divergence()).times(weight).sum();
        if (runs == 1) {
            trains(ExecutionPlan.compile(graph, loss, outputs()), how());
            plans.add(plan());
            while (plans.size() < settings.shards() && settings.averageEvery() == 0) {
                plans.add(plan().replica());
            }
        }
        plans.forEach(plan -> batches.add(new Ahead<>(this::batch)));
    }

    /** One of several trainings that share a plan. */
    private VaeTraining(VaeTraining all, ExecutionPlan plan) {
        settings = all.settings;
        images = all.images;
        graph = all.graph;
        batch = all.batch;
        rows = all.rows;
        epochs = all.epochs;
        stepsPerEpoch = all.stepsPerEpoch;
        apart = false;
        image = all.image;
        weight = all.weight;
        divergenceWeight = all.divergenceWeight;
        networks = all.networks;
        moved = all.moved;
        latent = all.latent;
        loss = all.loss;
        bound = all.bound;
        trains(plan, how());
        plans.add(plan);
        batches.add(new Ahead<>(this::batch));
    }

    /**
     * So many trainings that share every call: a step of all is one run of one plan, which on a device takes far fewer
     * calls than a step of each. Every training is run with a seed of its own, on a thread of its own, as if it were
     * alone, and closed when it ends, since each step waits for the others; see {@link ExecutionPlan#compileRuns}.
     */
    public static List<VaeTraining> together(VaeSettings settings, ImageRows images, int epochs, int runs) {
        Check.that(runs >= 2, "runs = ", runs, ": at least 2; one is a training by itself");
        Check.that(settings.shards() == 1, "shards = ", settings.shards(), ": runs that share a plan have one each");
        VaeTraining all = new VaeTraining(settings, images, epochs, stepsPerEpoch(settings, images), false, runs);
        return ExecutionPlan.compileRuns(all.graph, all.loss, all.outputs()).stream()
                .map(plan -> new VaeTraining(all, plan)).toList();
    }

    private Tensor[] outputs() {
        return Stream.concat(Stream.of(bound), Stream.of(networks.statistics().outputs())).toArray(Tensor[]::new);
    }

    private TrainingSettings how() {
        long steps = (long) epochs * stepsPerEpoch();
        TrainingSettings how = TrainingSettings.of(settings.optimiser().rule(), settings.rate())
                .withPrecision(Precision.FLOAT).withTemperature(settings.temperature());
        return settings.decaying() && steps > 0 ? how.withDecay(steps) : how.withStop(StopRule.maxSteps(steps));
    }

    @Override
    public int shards() {
        return plans.size();
    }

    @Override
    public ExecutionPlan plan(int shard) {
        return plans.get(shard);
    }

    /** A shard of the images, as it is sent: settings by name. */
    private record Part(Map<String, String> settings, ImageRows images, int epochs, int stepsPerEpoch)
            implements ParameterAveraging.Shard {

        @Override
        public VaeTraining open() {
            return new VaeTraining(VaeSettings.of(settings), images, epochs, stepsPerEpoch, true, 1);
        }
    }

    /** {@inheritDoc} Image i belongs to shard i modulo their number. */
    @Override
    public List<ParameterAveraging.Shard> shardsOfData() {
        return IntStream.range(0, settings.shards()).<ParameterAveraging.Shard>mapToObj(shard -> new Part(
                settings.toMap(), images.chosen(IntStream.range(0, images.count())
                        .filter(i -> i % settings.shards() == shard).toArray()), epochs, stepsPerEpoch)).toList();
    }

    /** {@inheritDoc} Also at the end of every epoch. */
    @Override
    public long roundEnd(long step) {
        long into = step % stepsPerEpoch;
        long end = (into / settings.averageEvery() + 1) * settings.averageEvery();
        return step - into + Math.min(stepsPerEpoch, end);
    }

    @Override
    public void close() {
        plans.subList(1, plans.size()).forEach(ExecutionPlan::close);
        super.close();
    }

    @Override
    public Fingerprint fingerprint() {
        Sha256 hash = new Sha256();
        float[] row = new float[images.size()];
        for (int i = 0; i < images.count(); i++) {
            images.read(i, row, 0);
            hash.add(row);
        }
        Fingerprint own = Fingerprint.of("vae").with("settings", settings).with("images", images.count() + " " + hash);
        return images.schema().map(schema -> own.with("schema", schema)).orElse(own);
    }

    @Override
    public Map<String, double[]> parts(Seed seed) {
        Map<String, double[]> parts = networks.statistics().first();
        parts.put(SUM, new double[1]);
        return parts;
    }

    /** First parameters; of centred networks the decoder starts where it describes the mean row. */
    @Override
    public double[] initial(Seed seed) {
        double[] first = super.initial(seed);
        return settings.centred()
                ? plan().layout().with(networks.outputBias(), networks.likelihood().first(images), first) : first;
    }

    private static int stepsPerEpoch(VaeSettings settings, ImageRows images) {
        return (images.count() + settings.batch() - 1) / settings.batch();
    }

    /** Returns the steps of one pass over the images; the last batch of a pass may be smaller. */
    public int stepsPerEpoch() {
        return stepsPerEpoch;
    }

    /** How many images so many steps learn from, repeated ones counted. */
    public long imagesSeen(long steps) {
        return steps / stepsPerEpoch() * images.count() + steps % stepsPerEpoch() * settings.batch();
    }

    /** The mean objective of the epoch in progress, in nats per image; after the last step of an epoch, of that
     * epoch. */
    public double epochObjective(TrainingState state) {
        long into = state.step() % stepsPerEpoch();
        long seen = into == 0 && state.step() > 0 ? images.count() : into * settings.batch();
        // what shards remember is their mean
        return state.part(SUM)[0] * (apart ? settings.shards() : 1) / Math.max(1, seen);
    }

    @Override
    public void feed(TrainingStep step) {
        feed(step, 0);
    }

    @Override
    public void feed(TrainingStep step, int shard) {
        Check.that(!apart, "shards that are averaged every ", settings.averageEvery(),
                " steps are trained by ParameterAveraging");
        Draws draws = under(step.draws(), shard);
        ExecutionPlan own = plan(shard);
        write(own, batches.get(shard).take(new Key(step.seed(), step.number(), draws.seed(), shard)));
        Seed following = under(step.nextDraws(), shard).seed();
        batches.get(shard).begin(new Key(step.seed(), step.number() + 1, following, shard));
        own.write(divergenceWeight, divergenceWeight(step.number()));
        latent.drawing().draw(own, draws, step.temperature());
    }

    private static Draws under(Draws draws, int shard) {
        return shard == 0 ? draws : draws.under("shard" + shard);
    }

    private Batch batch(Key key) {
        int start = start(key.step);
        return batch(images.shown(key.draws), order(key.seed, key.step), start + key.shard * rows, start,
                Math.max(1, count(start)), new Draws(key.draws));
    }

    /** Rises from 0 to 1 over the epochs of warming up. */
    private double divergenceWeight(long step) {
        double epochs = (double) step / stepsPerEpoch();
        return settings.warmUp() > epochs ? epochs / settings.warmUp() : 1;
    }

    /** {@inheritDoc} Whatever weight its divergence has while training. */
    @Override
    public double value() {
        return plans.stream().mapToDouble(shard -> shard.value(bound)).sum();
    }

    private int start(long step) {
        return (int) (step % stepsPerEpoch()) * batch;
    }

    /** The images of a step; the last of an epoch may have none for a shard, which then takes one again. */
    private int count(int start) {
        return Math.max(0, Math.min(batch, images.count() - start));
    }

    @Override
    public Map<String, double[]> after(TrainingStep step, double value) {
        int start = start(step.number());
        double before = start == 0 ? 0 : step.parts().get(SUM)[0];
        Map<String, double[]> parts = networks.statistics().after(plans, step.number(), step.parts());
        parts.put(SUM, new double[] {before + value * count(start)});
        return parts;
    }

    /** {@inheritDoc} The ELBO is the mean objective of the epoch in progress; no bound is evaluated. */
    @Override
    public Algorithm.Info info(TrainingState state) {
        return new Algorithm.Info(state.step(), settings.temperature().at(state.step()), epochObjective(state),
                Double.NaN, settings.components());
    }

    /**
     * The objective on given images again and again, with fresh noise each time, at the temperature of the next step:
     * [repeats] means over the images, in nats. Nothing is learned: it says what training would see. Not a bound where
     * {@link #value} is none.
     */
    public double[] objectives(TrainingState state, ImageRows some, int repeats, Seed noise) {
        Check.that(some.count() >= 1 && some.size() == images.size(), "images = ", some, ": at least one of ",
                images.size(), " pixels is needed");
        int[] inOrder = IntStream.range(0, some.count()).toArray();
        double[] means = new double[repeats];
        try (ExecutionPlan values = ExecutionPlan.forward(graph, bound)) {
            values.load(state.parameters());
            for (int r = 0; r < repeats; r++) {
                for (int start = 0; start < some.count(); start += rows) {
                    int count = Math.min(rows, some.count() - start);
                    Draws draws = new Draws(noise.fold(r).fold(start));
                    write(values, batch(some, inOrder, start, start, count, draws));
                    latent.drawing().draw(values, draws, settings.temperature().at(state.step()));
                    values.run();
                    means[r] += values.value(bound) * count / some.count();
                }
            }
        }
        return means;
    }

    private synchronized int[] order(Seed seed, long step) {
        Seed own = seed.fold("epoch").fold(step / stepsPerEpoch());
        if (!own.equals(ordered)) {
            order = settings.shuffled() ? new Draws(own).permutation("order", images.count())
                    : IntStream.range(0, images.count()).toArray();
            ordered = own;
        }
        return order;
    }

    /** The images from one on, of a batch that starts at another and has so many. */
    private Batch batch(ImageRows from, int[] indices, int first, int start, int count, Draws draws) {
        // places left over in the last batch take the first images again, which weigh nothing
        int[] taken = IntStream.range(first, first + rows).map(i -> indices[i % indices.length]).toArray();
        float[] pixels = new float[rows * from.size()];
        float[] shifted = moved == null ? null : new float[pixels.length];
        if (shifted != null) {
            settings.pixels().write(new MovedRows(from, draws.seed().fold("moved")), taken, 0, rows,
                    draws.seed().fold("moved pixels"), shifted);
        }
        settings.pixels().write(from, taken, 0, rows, draws.seed().fold("pixels"), pixels);
        float[] weights = new float[rows];
        Arrays.fill(weights, 0, Math.max(0, Math.min(rows, start + count - first)), 1f / count);
        return new Batch(pixels, shifted, weights);
    }

    private void write(ExecutionPlan to, Batch batch) {
        to.write(image, batch.pixels);
        if (moved != null) {
            to.write(moved, batch.moved);
        }
        to.write(weight, batch.weights);
    }

    /** Returns the model; it does not change when training goes on. */
    @Override
    public TrainedVae result(TrainingState state) {
        return new TrainedVae(settings, networks.likelihood(),
                BatchStatistics.folded(plan().layout(), state.parameters(), state.parts()));
    }

    @Override
    public String toString() {
        return "VaeTraining(" + settings + ", " + images + ")";
    }
}
