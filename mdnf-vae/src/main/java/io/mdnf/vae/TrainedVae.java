package io.mdnf.vae;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.Product;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * A discrete VAE with its parameters: encodes images into q(z | x), decodes codes into pixels, and says what the model
 * is worth by valid bounds.
 *
 * <pre>{@code
 * try (TrainedVae vae = TrainedVae.of(settings, 784, checkpoint)) {
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
    private final int pixels;
    private final int batch;
    private final ParameterLayout layout;
    private final double[] parameters;
    private final Product prior;

    private final ExecutionPlan encoder;
    private final Tensor image;
    private final Tensor posterior;
    private final ExecutionPlan decoder;
    private final Tensor code;
    private final Tensor decodedImage;
    private final Tensor logLikelihood;
    private final Tensor mean;

    TrainedVae(VaeSettings settings, int pixels, ParameterLayout layout, double[] parameters) {
        this.settings = settings;
        this.codes = settings.space();
        this.pixels = pixels;
        this.batch = settings.batch();
        this.layout = layout;
        this.parameters = parameters;

        Graph seeing = new Graph(Precision.FLOAT);
        VaeNetworks networks = new VaeNetworks(settings, seeing, pixels);
        image = seeing.placeholder("image", batch, pixels);
        posterior = posterior(networks);
        encoder = plan(seeing, posterior);

        Graph drawing = new Graph(Precision.FLOAT);
        networks = new VaeNetworks(settings, drawing, pixels);
        code = drawing.placeholder("code", batch, networks.width());
        decodedImage = drawing.placeholder("image", batch, pixels);
        Tensor decoded = networks.decode(code);
        logLikelihood = VaeNetworks.decodedLogLikelihood(decoded, decodedImage);
        mean = decoded.sigmoid();
        decoder = plan(drawing, logLikelihood, mean);

        prior = prior();
    }

    /** The model of a {@link VaeTraining}'s checkpoint, with the settings and the numbers per image it was trained
     * with. */
    public static TrainedVae of(VaeSettings settings, int pixels, Checkpoint checkpoint) {
        return new TrainedVae(settings, pixels, checkpoint.layout(), checkpoint.parameters());
    }

    /** q_d(k) [n, D, K] of a product, or the one-hot atoms [B, n, D, K] of a joint mixture. */
    private Tensor posterior(VaeNetworks networks) {
        if (!settings.method().isFlow()) {
            return networks.logits(image).softmax();
        }
        MixtureGraph q = networks.posterior(image, networks.graph().ones(1, 1));
        return settings.method() == LatentMethod.MDNF ? q.tables(null).q() : q.atoms();
    }

    private ExecutionPlan plan(Graph graph, Tensor... outputs) {
        ExecutionPlan plan = ExecutionPlan.forward(graph, outputs);
        ParameterLayout part = plan.layout();
        double[] values = new double[part.size()];
        for (Parameter p : part.parameters()) {
            System.arraycopy(layout.read(p.name(), parameters), 0, values, part.offset(p.name()), p.size());
        }
        plan.load(values);
        return plan;
    }

    private Product prior() {
        if (settings.prior() == CodePrior.UNIFORM) {
            return Product.uniform(codes);
        }
        double[] p = layout.read("prior/logits", parameters);
        for (int row = 0; row < p.length; row += settings.categories()) {
            LogSpace.normalise(p, row, row + settings.categories());
        }
        return product(p, 0);
    }

    /** The product whose tables q_d(k), of float accuracy, start at an offset. */
    private Product product(double[] tables, int offset) {
        int categories = settings.categories();
        double[][] q = new double[settings.latents()][];
        for (int d = 0; d < q.length; d++) {
            q[d] = Arrays.copyOfRange(tables, offset + d * categories, offset + (d + 1) * categories);
            double sum = Arrays.stream(q[d]).sum();
            for (int k = 0; k < categories; k++) {
                q[d][k] /= sum;
            }
        }
        return new Product(q);
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

    /** Returns the settings the model was trained with. */
    public VaeSettings settings() {
        return settings;
    }

    /** q(z | x) of the first images of a batch [batch * pixels]. */
    private CodeDistribution[] encode(float[] images, int count) {
        encoder.write(image, images);
        encoder.run();
        double[] values = encoder.read(posterior);
        CodeDistribution[] result = new CodeDistribution[count];
        Arrays.setAll(result, i -> settings.method() == LatentMethod.MDNF_JOINT
                ? atoms(values, i)
                : product(values, i * codes.oneHotLength()));
        return result;
    }

    /** Decodes up to one batch of codes; likelihoods are of the images last written. */
    private void decode(int[][] drawn) {
        double[] oneHot = codes.oneHot(drawn);
        decoder.write(code, Arrays.copyOf(oneHot, batch * codes.oneHotLength()));
        decoder.run();
    }

    /** KL(q || prior), exactly: the logarithm of a product of priors is a sum over variables. */
    private double divergence(CodeDistribution q) {
        double[][] marginals = q.marginals(0, Seed.of(0)).probabilities();
        double[][] p = prior.q();
        double sum = -q.entropy(0, Seed.of(0)).value();
        for (int d = 0; d < p.length; d++) {
            for (int k = 0; k < p[d].length; k++) {
                sum -= marginals[d][k] * Math.log(p[d][k]);
            }
        }
        return sum;
    }

    /**
     * Valid bounds on a set of images, at least one; the seed draws codes, and dynamic pixels.
     *
     * @param samples codes drawn per image for the ELBO, at least 1
     * @param importance codes per image for the importance-weighted bound, 0 for none
     * @param exact whether to compute log p(x) itself if there are at most {@link #ENUMERABLE} codes
     */
    public VaeEvaluation evaluate(ImageRows images, Seed seed, int samples, int importance, boolean exact) {
        Check.that(images.count() >= 1 && samples >= 1 && importance >= 0, "images = ", images.count(), ", samples = ",
                samples, ", importance = ", importance, ": at least 1, 1 and 0");
        int count = images.count();
        double[] elbo = new double[count];
        double[] weighted = new double[importance > 0 ? count : 0];
        double reconstruction = 0;
        double kl = 0;
        int draws = Math.max(samples, importance);
        for (int start = 0; start < count; start += batch) {
            int n = Math.min(batch, count - start);
            Seed own = seed.fold(start);
            float[] seen = pixels(images, start, n, own);
            CodeDistribution[] q = encode(seen, n);
            decoder.write(decodedImage, seen);
            int[][][] drawn = new int[n][][];
            Arrays.setAll(drawn, i -> q[i].sample(draws, own.fold(i)));
            double[][] logP = new double[n][draws];
            for (int s = 0; s < draws; s++) {
                int now = s;
                decode(Arrays.stream(drawn).map(codes -> codes[now]).toArray(int[][]::new));
                double[] values = decoder.read(logLikelihood);
                for (int i = 0; i < n; i++) {
                    logP[i][s] = values[i];
                }
            }
            for (int i = 0; i < n; i++) {
                double likelihood = Arrays.stream(logP[i], 0, samples).average().orElseThrow();
                double divergence = divergence(q[i]);
                elbo[start + i] = likelihood - divergence;
                reconstruction += likelihood / count;
                kl += divergence / count;
                if (importance > 0) {
                    weighted[start + i] = importanceWeighted(q[i], Arrays.copyOf(drawn[i], importance), logP[i]);
                }
            }
        }
        boolean summed = exact && codes.size() <= ENUMERABLE;
        return new VaeEvaluation(count, samples, Estimate.of(elbo), reconstruction, kl, importance,
                importance > 0 ? Optional.of(Estimate.of(weighted)) : Optional.empty(),
                summed ? Optional.of(Estimate.of(logLikelihoods(images, seed))) : Optional.empty());
    }

    /** log mean p(x, z) / q(z) over drawn codes. */
    private double importanceWeighted(CodeDistribution q, int[][] drawn, double[] logLikelihoods) {
        double[] logQ = q.logProb(drawn);
        double[] logPrior = prior.logProb(drawn);
        double[] logWeights = new double[drawn.length];
        Arrays.setAll(logWeights, s -> logLikelihoods[s] + logPrior[s] - logQ[s]);
        return LogSpace.meanExp(logWeights);
    }

    /** log p(x) of each image, summed over all codes, exact up to float likelihoods; the pixels are those of {@link
     * #evaluate} with the same seed. */
    public double[] logLikelihoods(ImageRows images, Seed seed) {
        int size = codes.sizeAtMost(ENUMERABLE);
        Graph graph = new Graph(Precision.FLOAT);
        VaeNetworks networks = new VaeNetworks(settings, graph, pixels);
        Tensor some = graph.placeholder("code", batch, networks.width());
        Tensor seenBy = graph.placeholder("image", batch, pixels);
        Tensor all = VaeNetworks.logLikelihoods(networks.decode(some), seenBy);
        double[] result = new double[images.count()];
        Arrays.fill(result, Double.NEGATIVE_INFINITY);
        try (ExecutionPlan plan = plan(graph, all)) {
            for (int first = 0; first < size; first += batch) {
                int m = Math.min(batch, size - first);
                int[][] chunk = IntStream.range(first, first + m).mapToObj(codes::code).toArray(int[][]::new);
                plan.write(some, Arrays.copyOf(codes.oneHot(chunk), some.size()));
                for (int start = 0; start < images.count(); start += batch) {
                    int n = Math.min(batch, images.count() - start);
                    plan.write(seenBy, pixels(images, start, n, seed.fold(start)));
                    plan.run();
                    add(plan.read(all), chunk, start, n, result);
                }
            }
        }
        return result;
    }

    private void add(double[] logLikelihood, int[][] chunk, int start, int n, double[] result) {
        double[] joint = new double[chunk.length + 1];
        double[] logPrior = prior.logProb(chunk);
        for (int i = 0; i < n; i++) {
            for (int c = 0; c < chunk.length; c++) {
                joint[c] = logLikelihood[i * batch + c] + logPrior[c];
            }
            joint[chunk.length] = result[start + i];
            result[start + i] = LogSpace.sumExp(joint);
        }
    }

    /** What the model sees of n images from a start on, in a whole batch [batch * pixels]. */
    private float[] pixels(ImageRows images, int start, int n, Seed seed) {
        float[] seen = new float[batch * pixels];
        settings.pixels().write(images, IntStream.range(start, start + n).toArray(), 0, n, seed.fold("pixels"), seen);
        return seen;
    }

    /** Images drawn from the model, a code from the prior and then the mean of its pixels: [count * pixels], in 0 to
     * 1. */
    public float[] sample(int count, Seed seed) {
        return means(prior.sample(count, seed));
    }

    /** Images as the model sees them, a code drawn from q(z | x) and then the mean of its pixels: [images * pixels]. */
    public float[] reconstruct(ImageRows images, Seed seed) {
        return means(codes(images, seed, (i, q) -> q.sample(1, seed.fold("code").fold(i))[0]));
    }

    /** The most probable code of each image, [images][D]; the seed is that of dynamic pixels. */
    public int[][] codes(ImageRows images, Seed seed) {
        return codes(images, seed, (i, q) -> q.mostProbable(1).get(0).code());
    }

    /** The mean pixels of codes [n][D]: [n * pixels], in 0 to 1. */
    public float[] means(int[][] chosen) {
        float[] result = new float[chosen.length * pixels];
        for (int start = 0; start < chosen.length; start += batch) {
            int n = Math.min(batch, chosen.length - start);
            decode(Arrays.copyOfRange(chosen, start, start + n));
            double[] values = decoder.read(mean);
            for (int i = 0; i < n * pixels; i++) {
                result[start * pixels + i] = (float) values[i];
            }
        }
        return result;
    }

    /** A code of each image, by its number and its posterior. */
    private int[][] codes(ImageRows images, Seed seed, BiFunction<Integer, CodeDistribution, int[]> code) {
        int[][] result = new int[images.count()][];
        for (int start = 0; start < result.length; start += batch) {
            int n = Math.min(batch, result.length - start);
            CodeDistribution[] q = encode(pixels(images, start, n, seed.fold(start)), n);
            for (int i = 0; i < n; i++) {
                result[start + i] = code.apply(start + i, q[i]);
            }
        }
        return result;
    }

    @Override
    public void close() {
        encoder.close();
        decoder.close();
    }
}
