package io.mdnf.vae;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.distribution.Product;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.graph.Threads;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.training.TrainingState;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * A discrete VAE with its parameters: encodes images into q(z | x), decodes codes into pixels, and says what the model
 * is worth by valid bounds.
 *
 * <pre>{@code
 * try (TrainedVae vae = TrainedVae.of(settings, new ImageShape(28, 28), checkpoint)) {
 *     VaeEvaluation test = vae.evaluate(mnist.test().images(), Seed.of(1), 1, 100, false);
 *     float[] digits = vae.sample(64, Seed.of(1));
 * }
 * }</pre>
 */
public final class TrainedVae implements AutoCloseable {

    /** The most codes whose likelihoods are summed to get log p(x) itself. */
    public static final int ENUMERABLE = 1 << 17;

    private final VaeSettings settings;
    private final CodeSpace codes;
    private final Likelihood likelihood;
    private final int batch;
    private final Map<String, double[]> parameters;
    private final CodeDistribution prior;
    /** q(z | x) of an autoregressive posterior given nothing yet; null until it is asked for. */
    private FlowMixture conditionals;
    private final VaeBounds bounds;

    private final ExecutionPlan encoder;
    private final Tensor image;
    private final Tensor encoded;
    private final ExecutionPlan decoder;
    private final Tensor code;
    private final Tensor mean;

    /** Parameters by name, as plain layers have them. */
    TrainedVae(VaeSettings settings, Likelihood likelihood, Map<String, double[]> parameters) {
        this.settings = settings;
        this.codes = settings.space();
        this.likelihood = likelihood;
        this.batch = settings.batch();
        this.parameters = parameters;

        Graph seeing = new Graph(Precision.FLOAT);
        image = seeing.placeholder("image", batch, likelihood.size());
        encoded = encoded(VaeNetworks.trained(settings, seeing, likelihood));
        encoder = plan(seeing, encoded);

        Graph drawing = new Graph(Precision.FLOAT);
        VaeNetworks networks = VaeNetworks.trained(settings, drawing, likelihood);
        code = drawing.placeholder("code", batch, networks.width());
        mean = likelihood.means(networks.decode(code));
        decoder = plan(drawing, mean);

        prior = prior(1);
        bounds = new VaeBounds(this);
    }

    /** The model of a {@link VaeTraining}'s checkpoint, with the settings and the shape of images it was trained
     * with. */
    public static TrainedVae of(VaeSettings settings, ImageShape shape, Checkpoint checkpoint) {
        return of(settings, new PixelLikelihood(shape), checkpoint);
    }

    /** The same, trained on the rows of a table. */
    public static TrainedVae of(VaeSettings settings, TableSchema schema, Checkpoint checkpoint) {
        return of(settings, new TableLikelihood(schema), checkpoint);
    }

    private static TrainedVae of(VaeSettings settings, Likelihood likelihood, Checkpoint checkpoint) {
        TrainingState state = TrainingState.of(checkpoint);
        return new TrainedVae(settings, likelihood,
                BatchStatistics.folded(checkpoint.layout(), state.parameters(), state.parts()));
    }

    /**
     * What q(z | x) is made of: q_d(k) [n, D, K] of a product, features [n, m] of conditionals, the one-hot atoms
     * [B, n, D, K] of a joint mixture, p(z | x) [n, K^D].
     */
    private Tensor encoded(VaeNetworks networks) {
        return switch (settings.posterior()) {
            case AUTOREGRESSIVE -> networks.features(image);
            case EXACT -> Latent.Exact.of(networks, image).posterior();
            case PRODUCT -> settings.algorithm().isQuantised() ? networks.quantised(image).codes()
                    : posterior(networks).tables(null).q();
            case JOINT -> posterior(networks).atoms();
        };
    }

    private MixtureGraph posterior(VaeNetworks networks) {
        return networks.posterior(image, networks.graph().ones(1, 1), 1);
    }

    /** A forward plan with this model's parameters. */
    ExecutionPlan plan(Graph graph, Tensor... outputs) {
        ExecutionPlan plan = ExecutionPlan.forward(graph, outputs);
        plan.load(flat(plan.layout(), ""));
        return plan;
    }

    private double[] flat(ParameterLayout layout, String prefix) {
        double[] values = new double[layout.size()];
        for (Parameter p : layout.parameters()) {
            double[] own = parameters.get(prefix + p.name());
            Check.that(own != null && own.length == p.size(), "parameter ", prefix, p,
                    " is not that of the model's settings");
            System.arraycopy(own, 0, values, layout.offset(p.name()), p.size());
        }
        return values;
    }

    /** The prior with its logits divided by a temperature above 0; it may hold native memory: close it. */
    public CodeDistribution prior(double temperature) {
        Check.that(temperature > 0 && temperature < Double.POSITIVE_INFINITY, "temperature = ", temperature,
                ": a finite number above 0");
        if (settings.prior() == CodePrior.UNIFORM) {
            return Product.uniform(codes);
        }
        Mixture mixture = VaeNetworks.prior(settings);
        ParameterLayout layout = mixture.layout();
        double[] flat = flat(layout, "prior/");
        // the last layer: dividing it divides the logits
        for (String last : settings.prior() == CodePrior.LEARNED ? new String[] {"flow/shift/logits"}
                : new String[] {"flow/shift/weights", "flow/shift/bias"}) {
            flat = layout.with(last, Arrays.stream(layout.read(last, flat)).map(l -> l / temperature).toArray(), flat);
        }
        FlowMixture flows = new FlowMixture(mixture, flat);
        return settings.prior() == CodePrior.LEARNED ? flows.product() : flows;
    }

    /** Returns the settings the model was trained with. */
    public VaeSettings settings() {
        return settings;
    }

    /** Returns the columns of the table it learned from; nothing if it learned from images. */
    public Optional<TableSchema> schema() {
        return likelihood.schema();
    }

    /** Returns what an image is. */
    Likelihood likelihood() {
        return likelihood;
    }

    /** Returns a parameter's values by its name. */
    double[] parameter(String name) {
        return parameters.get(name).clone();
    }

    /** The product whose tables q_d(k), of float accuracy, start at an offset. */
    private Product product(double[] tables, int offset) {
        int categories = settings.categories();
        double[][] q = new double[settings.latents()][];
        Arrays.setAll(q, d -> normalised(tables, offset + d * categories, categories));
        return new Product(q);
    }

    /** Probabilities of float accuracy as they stand from an offset on, with a sum of 1 in double. */
    private static double[] normalised(double[] values, int offset, int length) {
        double sum = Arrays.stream(values, offset, offset + length).sum();
        return Arrays.stream(values, offset, offset + length).map(p -> p / sum).toArray();
    }

    /** The atoms of the i-th image of a batch among all [B, n, D * K], equally weighted. */
    private Atoms atoms(double[] all, int i) {
        int components = settings.components();
        int width = codes.oneHotLength();
        double[] own = new double[components * width];
        for (int b = 0; b < components; b++) {
            System.arraycopy(all, (b * batch + i) * width, own, b * width, width);
        }
        double[] equal = new double[components];
        Arrays.fill(equal, 1.0 / components);
        return Atoms.merged(codes, codes.indices(own), equal);
    }

    /** q(z | x) of the first images of a batch [batch * pixels]; conditionals hold native memory. */
    private CodeDistribution[] encode(float[] images, int count) {
        encoder.write(image, images);
        encoder.run();
        double[] values = encoder.read(encoded);
        int row = values.length / batch;
        CodeDistribution[] result = new CodeDistribution[count];
        if (settings.posterior() == Posterior.AUTOREGRESSIVE && conditionals == null) {
            Mixture mixture = VaeNetworks.posterior(settings);
            conditionals = new FlowMixture(mixture, flat(mixture.layout(), "posterior/"), new double[row]);
        }
        Arrays.setAll(result, i -> switch (settings.posterior()) {
            case PRODUCT -> product(values, i * row);
            case JOINT -> atoms(values, i);
            case EXACT -> Atoms.merged(codes, codes.all(row), normalised(values, i * row, row));
            case AUTOREGRESSIVE -> conditionals.given(Arrays.copyOfRange(values, i * row, (i + 1) * row));
        });
        return result;
    }

    /** q(z | x) of every image; the seed is that of dynamic pixels. Conditionals hold native memory: close them. */
    public CodeDistribution[] posteriors(ImageRows images, Seed seed) {
        CodeDistribution[] result = new CodeDistribution[images.count()];
        try (Threads threads = Threads.of(encoder, 1)) {
            for (int start = 0; start < result.length; start += batch) {
                int n = Math.min(batch, result.length - start);
                System.arraycopy(encode(pixels(images, start, n, seed.fold(start)), n), 0, result, start, n);
            }
        }
        return result;
    }

    /** The prior of codes. */
    public CodeDistribution prior() {
        return prior;
    }

    /**
     * Valid bounds on a set of images, at least one; the seed draws codes, and dynamic pixels.
     *
     * @param samples codes drawn per image for the ELBO, at least 1
     * @param importance codes per image for the importance-weighted bound, 0 for none
     * @param exact whether to compute log p(x) itself if there are at most {@link #ENUMERABLE} codes
     */
    public VaeEvaluation evaluate(ImageRows images, Seed seed, int samples, int importance, boolean exact) {
        return bounds.evaluate(images, seed, samples, importance, exact);
    }

    /** Refuses rows of another kind, or images of another shape, than the model was trained on. */
    public void check(ImageRows images) {
        likelihood.check(images);
    }

    /** What the model sees of n images from a start on, in a whole batch [batch * pixels]. */
    float[] pixels(ImageRows images, int start, int n, Seed seed) {
        check(images);
        float[] seen = new float[batch * likelihood.size()];
        settings.pixels().write(images, IntStream.range(start, start + n).toArray(), 0, n, seed.fold("pixels"), seen);
        return seen;
    }

    /** Images drawn from the model, a code from the prior and then the mean of its pixels: [count * pixels], in 0 to
     * 1. */
    public float[] sample(int count, Seed seed) {
        return sample(count, seed, 1);
    }

    /**
     * The same at a temperature above 0: below 1 a learned prior draws its likelier codes more often than it should.
     */
    public float[] sample(int count, Seed seed, double temperature) {
        try (CodeDistribution tempered = prior(temperature)) {
            return means(tempered.sample(count, seed));
        }
    }

    /** Images as the model sees them, a code drawn from q(z | x) and then the mean of its pixels: [images * pixels]. */
    public float[] reconstruct(ImageRows images, Seed seed) {
        return means(drawn(images, seed));
    }

    /** A code of each image, [images][D], drawn from q(z | x). */
    int[][] drawn(ImageRows images, Seed seed) {
        return settings.posterior() == Posterior.EXACT
                ? codes(images, seed, (i, q) -> q.sample(1, seed.fold("code").fold(i))[0])
                : bounds.drawn(images, seed);
    }

    /**
     * A code of each image, [images][D]: the most probable one; of conditionals, one after the other, the most probable
     * category of each variable, or with a number of flows the likeliest of 32 drawn codes. The seed is that of dynamic
     * pixels.
     */
    public int[][] codes(ImageRows images, Seed seed) {
        return settings.posterior() == Posterior.AUTOREGRESSIVE ? bounds.likeliest(images, seed)
                : codes(images, seed, (i, q) -> q.mostProbable(1).get(0).code());
    }

    /** A code of each image, by its number and its posterior. */
    private int[][] codes(ImageRows images, Seed seed, BiFunction<Integer, CodeDistribution, int[]> code) {
        CodeDistribution[] q = posteriors(images, seed);
        return IntStream.range(0, q.length).mapToObj(i -> code.apply(i, q[i])).toArray(int[][]::new);
    }

    /** The mean pixels of codes [n][D]: [n * pixels], in 0 to 1; of a table what {@link TableVae} tells apart. */
    public float[] means(int[][] chosen) {
        int outputs = likelihood.outputs();
        float[] result = new float[chosen.length * outputs];
        try (Threads threads = Threads.of(decoder, 1)) {
            for (int start = 0; start < chosen.length; start += batch) {
                int n = Math.min(batch, chosen.length - start);
                double[] oneHot = codes.oneHot(Arrays.copyOfRange(chosen, start, start + n));
                decoder.write(code, Arrays.copyOf(oneHot, batch * codes.oneHotLength()));
                decoder.run();
                double[] values = decoder.read(mean);
                for (int i = 0; i < n * outputs; i++) {
                    result[start * outputs + i] = (float) values[i];
                }
            }
        }
        return result;
    }

    @Override
    public void close() {
        encoder.close();
        decoder.close();
        bounds.close();
        prior.close();
    }
}
