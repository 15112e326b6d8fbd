package io.mdnf.vae;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.graph.Threads;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.mixture.Sampling;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The bounds of a {@link TrainedVae} by one graph: codes are hard samples of the q that is scored, whatever the model
 * was trained with.
 */
final class VaeBounds implements AutoCloseable {

    /** Codes among which the likeliest is looked for. */
    private static final int TRIES = 32;

    private final TrainedVae vae;
    private final VaeSettings settings;
    private final int batch;
    private final CodeSpace codes;

    private final ExecutionPlan plan;
    private final Tensor image;
    private final Tensor logLikelihood;
    private final Tensor divergence;
    /** log p(z) - log q(z | x) of the drawn codes, [n]. */
    private final Tensor logRatio;
    private Tensor drawn;
    private Tensor logProb;
    private Drawing drawing = seed -> { };
    private Tensor noise;

    private interface Drawing {
        void draw(Seed seed);
    }

    VaeBounds(TrainedVae vae) {
        this.vae = vae;
        this.settings = vae.settings();
        this.batch = settings.batch();
        this.codes = settings.space();
        Graph graph = new Graph(Precision.FLOAT);
        VaeNetworks networks = VaeNetworks.trained(settings, graph, vae.likelihood());
        image = graph.placeholder("image", batch, vae.likelihood().size());
        if (settings.posterior() == Posterior.EXACT) {
            Latent exact = Latent.of(networks, image, graph.ones(1, 1));
            logLikelihood = exact.logLikelihood();
            divergence = exact.divergence();
            logRatio = divergence.times(-1);
            plan = vae.plan(graph, logLikelihood, divergence, logRatio);
        } else if (settings.algorithm().isQuantised()) {
            drawn = networks.quantised(image).codes();
            logLikelihood = networks.logLikelihood(drawn, image);
            logRatio = networks.logPriorOf(drawn);
            divergence = logRatio.times(-1);
            plan = vae.plan(graph, logLikelihood, divergence, logRatio, drawn);
        } else {
            boolean joint = settings.posterior() == Posterior.JOINT;
            MixtureGraph q = networks.posterior(image, graph.ones(1, 1), 1);
            Tensor z = drawn(q, graph, joint);
            logProb = q.logProb(z, graph.precision().tiny());
            Tensor ratio = networks.logPriorOf(z).minus(logProb);
            drawn = z.plus(0);
            logLikelihood = networks.logLikelihood(z, image);
            divergence = joint ? ratio.times(-1) : q.tables(z).divergence(networks.logPrior(z)).spread(0, batch);
            logRatio = ratio;
            plan = vae.plan(graph, logLikelihood, divergence, logRatio, logProb, drawn);
        }
    }

    /** Codes of a batch, [n, D, K]. */
    private Tensor drawn(MixtureGraph q, Graph graph, boolean joint) {
        if (settings.isUnlimited()) {
            noise = graph.placeholder("noise", batch, codes.variables(), codes.width());
            drawing = seed -> plan().write(noise, new Draws(seed).gumbel("noise", noise.size()));
            return q.drawn(noise).stopGradient();
        }
        Sampling sampling = q.sample(batch, joint ? Estimator.CHOSEN : Estimator.AVERAGED);
        drawing = seed -> sampling.draw(plan(), new Draws(seed));
        return sampling.drawn();
    }

    private ExecutionPlan plan() {
        return plan;
    }

    private void run(Seed seed) {
        drawing.draw(seed);
        plan.run();
    }

    VaeEvaluation evaluate(ImageRows images, Seed seed, int samples, int importance, boolean exact) {
        try (Threads threads = Threads.of(plan, 1)) {
            return evaluated(images, seed, samples, importance, exact);
        }
    }

    private VaeEvaluation evaluated(ImageRows images, Seed seed, int samples, int importance, boolean exact) {
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
            plan.write(image, vae.pixels(images, start, n, own));
            double[][] logWeights = new double[n][draws];
            for (int s = 0; s < draws; s++) {
                run(own.fold("codes").fold(s));
                double[] likelihoods = plan.read(logLikelihood);
                double[] divergences = plan.read(divergence);
                double[] ratios = plan.read(logRatio);
                for (int i = 0; i < n; i++) {
                    logWeights[i][s] = likelihoods[i] + ratios[i];
                    if (s < samples) {
                        elbo[start + i] += (likelihoods[i] - divergences[i]) / samples;
                        reconstruction += likelihoods[i] / samples / count;
                        kl += divergences[i] / samples / count;
                    }
                }
            }
            for (int i = 0; i < n && importance > 0; i++) {
                weighted[start + i] = LogSpace.meanExp(Arrays.copyOf(logWeights[i], importance));
            }
        }
        boolean summed = exact && codes.size() <= TrainedVae.ENUMERABLE;
        return new VaeEvaluation(count, samples, Estimate.of(elbo), reconstruction, kl, importance,
                importance > 0 ? Optional.of(Estimate.of(weighted)) : Optional.empty(),
                summed ? Optional.of(Estimate.of(logLikelihoods(images, seed))) : Optional.empty());
    }

    /** A code of each image, drawn. */
    int[][] drawn(ImageRows images, Seed seed) {
        return codes(images, seed, start -> {
            run(seed.fold("code").fold(start));
            return codes.indices(plan.read(drawn));
        });
    }

    /** A code of each image: without noise, or the likeliest of some drawn ones. */
    int[][] likeliest(ImageRows images, Seed seed) {
        return codes(images, seed, start -> {
            if (noise != null) {
                plan.write(noise, new double[noise.size()]);
                plan.run();
                return codes.indices(plan.read(drawn));
            }
            int[][] best = new int[batch][];
            double[] value = new double[batch];
            for (int t = 0; t < TRIES; t++) {
                run(seed.fold("code").fold(start).fold(t));
                int[][] found = codes.indices(plan.read(drawn));
                double[] logQ = plan.read(logProb);
                for (int i = 0; i < batch; i++) {
                    if (best[i] == null || logQ[i] > value[i]) {
                        best[i] = found[i];
                        value[i] = logQ[i];
                    }
                }
            }
            return best;
        });
    }

    /** The codes of all images, a batch that starts somewhere after the other. */
    private int[][] codes(ImageRows images, Seed seed, IntFunction<int[][]> ofBatch) {
        int[][] result = new int[images.count()][];
        try (Threads threads = Threads.of(plan, 1)) {
            for (int start = 0; start < result.length; start += batch) {
                int n = Math.min(batch, result.length - start);
                plan.write(image, vae.pixels(images, start, n, seed.fold(start)));
                System.arraycopy(ofBatch.apply(start), 0, result, start, n);
            }
        }
        return result;
    }

    double[] logLikelihoods(ImageRows images, Seed seed) {
        int size = codes.sizeAtMost(TrainedVae.ENUMERABLE);
        Graph graph = new Graph(Precision.FLOAT);
        VaeNetworks networks = VaeNetworks.trained(settings, graph, vae.likelihood());
        Tensor some = graph.placeholder("code", batch, networks.width());
        Tensor seenBy = graph.placeholder("image", batch, vae.likelihood().size());
        Tensor all = networks.logLikelihoods(some, seenBy);
        double[] result = new double[images.count()];
        Arrays.fill(result, Double.NEGATIVE_INFINITY);
        try (ExecutionPlan summing = vae.plan(graph, all)) {
            for (int first = 0; first < size; first += batch) {
                int m = Math.min(batch, size - first);
                int[][] chunk = IntStream.range(first, first + m).mapToObj(codes::code).toArray(int[][]::new);
                double[] logPrior = vae.prior().logProb(chunk);
                summing.write(some, Arrays.copyOf(codes.oneHot(chunk), some.size()));
                for (int start = 0; start < images.count(); start += batch) {
                    int n = Math.min(batch, images.count() - start);
                    summing.write(seenBy, vae.pixels(images, start, n, seed.fold(start)));
                    summing.run();
                    add(summing.read(all), logPrior, start, n, result);
                }
            }
        }
        return result;
    }

    private void add(double[] logLikelihood, double[] logPrior, int start, int n, double[] result) {
        double[] joint = new double[logPrior.length + 1];
        for (int i = 0; i < n; i++) {
            for (int c = 0; c < logPrior.length; c++) {
                joint[c] = logLikelihood[i * batch + c] + logPrior[c];
            }
            joint[logPrior.length] = result[start + i];
            result[start + i] = LogSpace.sumExp(joint);
        }
    }

    @Override
    public void close() {
        plan.close();
    }
}
