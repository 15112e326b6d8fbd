package io.mdnf.vae;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.training.DivergenceException;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Trains a discrete VAE step by step. The order of images, the noise and the pixels of a step come from the seed and
 * the step's number alone, so that a training killed anywhere and resumed from a checkpoint ends with the same
 * parameters, bit for bit.
 *
 * <pre>{@code
 * try (VaeTraining training = new VaeTraining(settings, mnist.train().images(), Seed.of(1))) {
 *     while (training.epoch() < 10) {
 *         training.step();
 *     }
 *     folder.save(training.save());
 * }
 * }</pre>
 */
public final class VaeTraining implements AutoCloseable {

    private static final Optimiser ADAM = new Optimiser.Adam();

    private final VaeSettings settings;
    private final ImageRows images;
    private final Seed seed;
    private final Latent latent;
    private final Tensor image;
    private final Tensor weight;
    private final Tensor loss;
    private final Graph graph;
    private final ExecutionPlan plan;
    private final float[] pixels;
    private final float[] weights;
    private long step;
    private double objective;
    private double objectiveSum;
    private int[] order;
    private long orderedEpoch = -1;

    /**
     * A training at its first step.
     *
     * @param settings the model
     * @param images what it learns from, at least one
     * @param seed where all randomness comes from
     */
    public VaeTraining(VaeSettings settings, ImageRows images, Seed seed) {
        if (images.count() < 1) {
            throw new IllegalArgumentException("images = " + images + ": at least one is needed");
        }
        this.settings = settings;
        this.images = images;
        this.seed = seed;
        graph = new Graph(Precision.FLOAT);
        image = graph.placeholder("image", settings.batch(), images.size());
        weight = graph.placeholder("weight", settings.batch());
        latent = Latent.of(new VaeNetworks(settings, graph, images.size()), image);
        loss = latent.divergence().minus(latent.logLikelihood()).times(weight).sum();
        plan = ExecutionPlan.compile(graph, loss);
        plan.load(graph.layout().initial(seed.fold("parameters")));
        pixels = new float[settings.batch() * images.size()];
        weights = new float[settings.batch()];
    }

    /**
     * A training that goes on where a checkpoint was saved.
     *
     * @param settings the same settings
     * @param images the same images
     * @param checkpoint made by {@link #save}
     * @return the training
     */
    public static VaeTraining resume(VaeSettings settings, ImageRows images, Checkpoint checkpoint) {
        VaeTraining training = new VaeTraining(settings, images, checkpoint.seed());
        checkpoint.requireLayout(training.layout());
        training.plan.restore(checkpoint.parameters(), ADAM, checkpoint.optimiserState(), checkpoint.updates());
        training.step = checkpoint.step();
        training.objectiveSum = checkpoint.array("epoch.objective")[0];
        return training;
    }

    /** Returns the settings. */
    public VaeSettings settings() {
        return settings;
    }

    /** Returns the steps of one pass over the images; the last batch of a pass may be smaller. */
    public int stepsPerEpoch() {
        return (images.count() + settings.batch() - 1) / settings.batch();
    }

    /** Returns how many steps were made. */
    public long steps() {
        return step;
    }

    /** Returns how many images were learned from so far, repeated ones counted. */
    public long imagesSeen() {
        return epoch() * images.count() + step % stepsPerEpoch() * settings.batch();
    }

    /** Returns how many epochs were completed. */
    public long epoch() {
        return step / stepsPerEpoch();
    }

    /** Returns the temperature of the next step. */
    public double temperature() {
        return settings.temperature().at(step);
    }

    /** Returns the objective of the last step, in nats per image; an estimate of the ELBO unless codes are relaxed. */
    public double objective() {
        return objective;
    }

    /**
     * Returns the mean objective of the epoch in progress, over images; after the last step of an epoch, of that epoch.
     */
    public double epochObjective() {
        long into = step % stepsPerEpoch();
        long seen = into == 0 && step > 0 ? images.count() : into * settings.batch();
        return objectiveSum / Math.max(1, seen);
    }

    /** Returns what a step runs, for profiles. */
    public ExecutionPlan plan() {
        return plan;
    }

    /** Returns names and shapes of the parameters. */
    public ParameterLayout layout() {
        return plan.layout();
    }

    /**
     * One step of Adam on one batch.
     *
     * @throws DivergenceException if the objective is not finite; the parameters are those before the step
     */
    public void step() {
        int inEpoch = (int) (step % stepsPerEpoch());
        if (inEpoch == 0) {
            objectiveSum = 0;
        }
        int start = inEpoch * settings.batch();
        int count = Math.min(settings.batch(), images.count() - start);
        Draws draws = new Draws(seed.fold("step").fold(step));
        write(plan, images, order(), start, count, draws);
        latent.draw(plan, draws, temperature());
        plan.run();
        double value = -plan.value(loss);
        if (!Double.isFinite(value)) {
            throw new DivergenceException("the objective is " + value, step, temperature(),
                    "method " + settings.method(), save());
        }
        plan.update(ADAM, settings.rate());
        objective = value;
        objectiveSum += value * count;
        step++;
    }

    /**
     * The objective on given images again and again, with fresh noise each time, at the temperature of the next step.
     * Nothing is learned: it says what training would see. Not a bound where {@link #objective} is none.
     *
     * @param some at least one
     * @param repeats how often
     * @param noise where the randomness comes from
     * @return [repeats] means over the images, in nats
     */
    public double[] objectives(ImageRows some, int repeats, Seed noise) {
        if (some.count() < 1 || some.size() != images.size()) {
            throw new IllegalArgumentException("images = " + some + ": at least one of " + images.size()
                    + " pixels is needed");
        }
        int[] inOrder = IntStream.range(0, some.count()).toArray();
        double[] means = new double[repeats];
        try (ExecutionPlan values = ExecutionPlan.forward(graph, loss)) {
            values.load(plan.parameters());
            for (int r = 0; r < repeats; r++) {
                for (int start = 0; start < some.count(); start += settings.batch()) {
                    int count = Math.min(settings.batch(), some.count() - start);
                    Draws draws = new Draws(noise.fold(r).fold(start));
                    write(values, some, inOrder, start, count, draws);
                    latent.draw(values, draws, temperature());
                    values.run();
                    means[r] -= values.value(loss) * count / some.count();
                }
            }
        }
        return means;
    }

    private int[] order() {
        long epoch = epoch();
        if (orderedEpoch != epoch) {
            order = settings.shuffled()
                    ? new Draws(seed.fold("epoch").fold(epoch)).permutation("order", images.count())
                    : IntStream.range(0, images.count()).toArray();
            orderedEpoch = epoch;
        }
        return order;
    }

    private void write(ExecutionPlan to, ImageRows from, int[] indices, int start, int count, Draws draws) {
        settings.pixels().write(from, indices, start, count, draws.seed().fold("pixels"), pixels);
        // places left over in the last batch keep old images, which weigh nothing
        Arrays.fill(weights, 0, count, 1f / count);
        Arrays.fill(weights, count, weights.length, 0);
        to.write(image, pixels);
        to.write(weight, weights);
    }

    /** Returns everything needed to go on, or to use the model. */
    public Checkpoint save() {
        return Checkpoint.of(plan.layout(), plan.parameters()).precision(Precision.FLOAT).seed(seed).step(step)
                .optimiser("Adam", plan.updates() == 0 ? zeros() : plan.optimiserState(), plan.updates())
                .array("epoch.objective", objectiveSum).build();
    }

    private double[][] zeros() {
        return new double[ADAM.slots()][plan.layout().size()];
    }

    /** Returns the model as it is now; it does not change when training goes on. */
    public TrainedVae model() {
        return new TrainedVae(settings, images.size(), plan.layout(), plan.parameters());
    }

    @Override
    public void close() {
        plan.close();
    }
}
