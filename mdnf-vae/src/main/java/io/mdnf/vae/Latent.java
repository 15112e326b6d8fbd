package io.mdnf.vae;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.mixture.Sampling;
import io.mdnf.mixture.Tables;
import io.mdnf.random.Draws;
import io.mdnf.relaxation.GumbelSoftmax;
import io.mdnf.relaxation.RelaxedObjective;
import io.mdnf.relaxation.RelaxedSample;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * One algorithm's training terms.
 *
 * @param logLikelihood log p(image | code) of sampled codes, [n]
 * @param divergence what the algorithm subtracts, [n]; an estimate of KL(q || prior) for all but the relaxed algorithms
 * @param loss what is minimised, [n]: the divergence times its weight minus the likelihood, or an algorithm's own
 * @param drawing writes the randomness and the temperature of a step
 */
record Latent(Tensor logLikelihood, Tensor divergence, Tensor loss, Drawing drawing) {

    @FunctionalInterface
    interface Drawing {
        void draw(ExecutionPlan plan, Draws draws, double temperature);
    }

    /** The terms of images, with the divergence's weight [1, 1]. */
    static Latent of(VaeNetworks networks, Tensor image, Tensor weight) {
        return of(networks, image, null, weight);
    }

    /** The same, where q learns from moved images too, of which the model learns nothing; null for none. */
    static Latent of(VaeNetworks networks, Tensor image, Tensor moved, Tensor weight) {
        VaeSettings settings = networks.settings();
        if (settings.posterior() == Posterior.EXACT) {
            return exact(networks, image);
        }
        return switch (settings.algorithm()) {
            case MDNF, GAPPED, RAO_GUMBEL -> flows(networks, image, weight);
            case REINFORCE, WAKE_SLEEP -> compared(networks, image, moved, weight);
            case DISARM -> opposite(networks, image, weight);
            case VQ, FSQ -> quantised(networks, image, weight);
            case GUMBEL, JANG, MADDISON_21, MADDISON_22 -> relaxed(networks, image, weight);
            case SUMMED -> summed(networks, image, weight);
        };
    }

    private static Latent of(Tensor logLikelihood, Tensor divergence, Tensor weight, Drawing drawing) {
        return new Latent(logLikelihood, divergence, divergence.scaledBy(weight).minus(logLikelihood), drawing);
    }

    /**
     * A mixture of flows given the image. With a flow for every variable the divergence of each is summed over its
     * categories, given the drawn variables before it; with one flow for the whole code, at most B atoms, it is
     * estimated at the sampled code, log q(z) - log p(z).
     */
    private static Latent flows(VaeNetworks networks, Tensor image, Tensor weight) {
        VaeSettings settings = networks.settings();
        int n = (int) image.extent(0);
        boolean joint = settings.posterior() == Posterior.JOINT;
        Tensor inverseTemperature = networks.graph().placeholder("inverseTemperature", 1, 1);
        MixtureGraph q = networks.posterior(image, inverseTemperature, 1);
        Sampling sampling = q.sample(n, joint ? Estimator.CHOSEN : settings.estimator());
        Carried carried = carried(settings.algorithm(), q, sampling, inverseTemperature);
        Tensor codes = carried.codes();
        Tensor divergence = joint
                ? q.logProb(codes, MixtureGraph.TRAINING).minus(networks.logPriorOf(codes))
                : q.tables(sampling.drawn()).divergence(networks.logPrior(codes));
        return of(networks.logLikelihood(codes, image), divergence, weight, (plan, draws, temperature) -> {
            plan.write(inverseTemperature, 1 / temperature);
            sampling.draw(plan, draws);
            carried.drawing().draw(plan, draws);
        });
    }

    /** Drawn codes with the gradient of an algorithm. */
    private static Carried carried(LatentAlgorithm algorithm, MixtureGraph q, Sampling sampling,
            Tensor inverseTemperature) {
        Tensor z = sampling.drawn();
        return switch (algorithm) {
            case GAPPED -> Carried.gapped(z, q.tables(z).logs(), inverseTemperature);
            case RAO_GUMBEL -> Carried.raoGumbel(z, q.tables(z).logs(), inverseTemperature);
            default -> new Carried(sampling.codes(), (plan, draws) -> { });
        };
    }

    /**
     * DisARM: codes z and z' of every image by the same noise with its two entries swapped, so that they agree
     * less than independent ones. With f = log p(x | z) - KL(z), the gradient of E[f] is, without bias,
     * <pre>
     *   (f(z) - f(z')) / 2  sum_d max_k q_d(k) grad (log q_d(z_d) - log q_d(z'_d))
     * </pre>
     * beside that of f itself.
     */
    private static Latent opposite(VaeNetworks networks, Tensor image, Tensor weight) {
        int n = (int) image.extent(0);
        int latents = networks.settings().latents();
        Tensor noise = networks.graph().placeholder("noise", 2L * n, latents, 2);
        MixtureGraph q = networks.posterior(image, networks.graph().ones(1, 1), 2);
        Tensor z = q.drawn(noise);
        Tables tables = q.tables(z);
        Tensor logLikelihood = networks.logLikelihood(z, image.repeatLeading(2).reshape(2L * n, image.extent(1)));
        Tensor divergence = tables.divergence(networks.logPrior(z));
        Tensor loss = divergence.scaledBy(weight).minus(logLikelihood);
        Tensor probabilities = tables.q().stopGradient();
        Tensor most = probabilities.times(probabilities.argmaxOneHot()).sum(2);
        Tensor scores = tables.logs().times(z).sum(2).times(most).sum(1);
        Tensor score = difference(loss.stopGradient(), n).times(difference(scores, n)).times(0.5);
        return new Latent(mean(logLikelihood, 2), mean(divergence, 2), mean(loss, 2).plus(score),
                (plan, draws, temperature) -> {
                    double[] one = draws.gumbel("noise", noise.size() / 2);
                    double[] both = Arrays.copyOf(one, 2 * one.length);
                    IntStream.range(0, one.length).forEach(i -> both[one.length + i] = one[i ^ 1]);
                    plan.write(noise, both);
                });
    }

    /** The first n of [2 n] minus the others. */
    private static Tensor difference(Tensor pairs, int n) {
        return pairs.slice(0, 0, n).minus(pairs.slice(0, n, n));
    }

    /** The nearest words; one code is q(z | x), so what is subtracted is -log p(z). */
    private static Latent quantised(VaeNetworks networks, Tensor image, Tensor weight) {
        Quantised nearest = networks.quantised(image);
        Tensor divergence = networks.logPriorOf(nearest.codes()).times(-1);
        Latent plain = of(networks.wordsLogLikelihood(nearest.words(), image), divergence, weight,
                (plan, draws, temperature) -> { });
        return nearest.distances() == null ? plain : new Latent(plain.logLikelihood, divergence,
                plain.loss.plus(nearest.distances()), plain.drawing);
    }

    /**
     * Several codes of every image, s = 1 .. S, drawn without gradient; rows are [S n].
     *
     * <p>REINFORCE: variable d of a code is rewarded by what follows, r_d = log p(x | z) - sum_{e &gt; d} KL_e, less
     * the mean of the other codes. Wake-sleep: q and p learn from all codes by the weights w_s = p(x, z_s) / q(z_s),
     * normalised. Moved images are further rows, by which REINFORCE improves q alone: encoders of few images
     * are too sure of new ones.
     */
    private static Latent compared(VaeNetworks networks, Tensor still, Tensor moved, Tensor weight) {
        VaeSettings settings = networks.settings();
        Graph graph = networks.graph();
        int samples = settings.samples();
        Tensor image = moved == null ? still : Tensor.concat(0, still, moved);
        int n = (int) image.extent(0);
        MixtureGraph q = networks.posterior(image, graph.ones(1, 1), samples);
        Sampling sampling = q.sample(samples * n, Estimator.AVERAGED);
        Tensor z = sampling.drawn();
        Tables tables = q.tables(z);
        Tensor prior = networks.logPrior(z);
        Tensor logLikelihood = logLikelihood(networks, z, image, samples);
        Tensor logQ = tables.logs().times(z).sum(2);
        Tensor divergences = tables.divergences(prior);
        Tensor divergence = divergences.sum(1);
        Drawing drawing = (plan, draws, temperature) -> sampling.draw(plan, draws);
        if (settings.algorithm() == LatentAlgorithm.WAKE_SLEEP) {
            Tensor joint = logLikelihood.plus(networks.logPriorOf(z));
            Tensor total = logQ.sum(1);
            Tensor weights = joint.minus(total).stopGradient().reshape(samples, n).permute(1, 0).softmax()
                    .permute(1, 0).stopGradient();
            Tensor learned = joint.plus(total).reshape(samples, n);
            return new Latent(mean(logLikelihood, samples), mean(divergence, samples),
                    weights.times(learned).sum(0).times(-1), drawing);
        }
        Tensor score = logQ.times(advantages(settings, logLikelihood, divergences.scaledBy(weight))).sum(1);
        Tensor loss = mean(divergence.scaledBy(weight).minus(logLikelihood).minus(score), samples);
        if (moved == null) {
            return new Latent(mean(logLikelihood, samples), mean(divergence, samples), loss, drawing);
        }
        int own = n / 2;
        Tensor alone = mean(tables.divergence(prior.stopGradient()).scaledBy(weight).minus(score), samples);
        return new Latent(mean(logLikelihood, samples).slice(0, 0, own), mean(divergence, samples).slice(0, 0, own),
                loss.slice(0, 0, own).plus(alone.slice(0, own, own)), drawing);
    }

    /** How much better every code is from each of its variables on than the others of its image, [S n, D], a number. */
    private static Tensor advantages(VaeSettings settings, Tensor logLikelihood, Tensor divergences) {
        int samples = settings.samples();
        int latents = settings.latents();
        long rows = logLikelihood.extent(0);
        double[] later = IntStream.range(0, latents * latents).mapToDouble(i -> i / latents > i % latents ? 1 : 0)
                .toArray();
        Tensor reward = logLikelihood.repeatAt(1, latents)
                .minus(divergences.matmul(divergences.graph().constant(later, latents, latents))).stopGradient()
                .reshape(samples, rows / samples * latents);
        return reward.minus(reward.sum(0).times(1.0 / samples).repeatLeading(samples))
                .times(samples / (samples - 1.0)).reshape(rows, latents).stopGradient();
    }

    /**
     * log p(image | code) of S codes of every image, [S n]. Where there are fewer codes than are drawn, each is decoded
     * once for all, and what was drawn picks among them.
     */
    static Tensor logLikelihood(VaeNetworks networks, Tensor z, Tensor image, int samples) {
        long n = image.extent(0);
        CodeSpace space = networks.settings().space();
        if (space.size() > Math.min(VaeSettings.ENUMERABLE, samples * n)) {
            return networks.logLikelihood(z, image.repeatLeading(samples).reshape(samples * n, image.extent(1)));
        }
        Tensor all = all(networks);
        Tensor codes = all.reshape(all.extent(0), networks.width());
        Tensor each = networks.logLikelihoods(codes, image);
        // of D matches between two codes D are needed for them to be the same
        Tensor picked = z.reshape(samples * n, networks.width()).matmulTransposed(codes)
                .plus(1 - space.variables()).relu().stopGradient();
        return picked.times(each.repeatLeading(samples).reshape(samples * n, all.extent(0))).sum(1);
    }

    /** The means [n] over the codes of an image, of rows [S n]. */
    private static Tensor mean(Tensor rows, int samples) {
        return rows.reshape(samples, rows.extent(0) / samples).sum(0).times(1.0 / samples);
    }

    /** The Gumbel-Softmax algorithms. What they maximise is no bound of the discrete model unless a type says so. */
    private static Latent relaxed(VaeNetworks networks, Tensor image, Tensor weight) {
        VaeSettings settings = networks.settings();
        long n = image.extent(0);
        Tensor temperature = networks.graph().placeholder("temperature", 1, 1);
        GumbelSoftmax q = new GumbelSoftmax(settings.space(), networks.logits(image), temperature);
        Tensor noise = networks.graph().placeholder("noise", n, settings.latents(), settings.categories());
        RelaxedSample sample = settings.straightThrough() ? q.straightThrough(noise) : q.sample(noise);
        return of(networks.logLikelihood(sample.code(), image), objective(networks).divergence(q, sample), weight,
                (plan, draws, tau) -> {
                    plan.write(temperature, tau);
                    plan.write(noise, draws.gumbel("noise", noise.size()));
                });
    }

    private static RelaxedObjective objective(VaeNetworks networks) {
        VaeSettings settings = networks.settings();
        return switch (settings.algorithm()) {
            case GUMBEL -> new RelaxedObjective.RelaxedPrior(new GumbelSoftmax(
                    settings.space(), networks.priorLogits(), networks.graph().ones(1, 1)));
            case JANG -> new RelaxedObjective.Jang();
            case MADDISON_21 -> new RelaxedObjective.MaddisonEq21(networks.priorLogits());
            case MADDISON_22 -> new RelaxedObjective.MaddisonEq22(networks.priorLogits());
            default -> throw new IllegalArgumentException(settings.algorithm() + " is not relaxed");
        };
    }

    /** All codes one-hot, [m, D, K]. */
    static Tensor all(VaeNetworks networks) {
        CodeSpace space = networks.settings().space();
        int size = space.sizeAtMost(VaeSettings.ENUMERABLE);
        return networks.graph().constant(space.oneHot(space.all(size)), size, space.variables(), space.width());
    }

    /**
     * A product of categoricals with the whole ELBO summed over all codes: no sampling, no relaxation, the exact
     * gradient. E_q[log p(x | z)] = sum_z q(z | x) log p(x | z), where every z is decoded once for all images.
     */
    private static Latent summed(VaeNetworks networks, Tensor image, Tensor weight) {
        long n = image.extent(0);
        int width = networks.width();
        Tensor all = all(networks);
        Tensor codes = all.reshape(all.extent(0), width);
        Tensor logQ = networks.logits(image).logSoftmax().reshape(n, width);
        Tensor weights = logQ.matmulTransposed(codes).exp();
        Tensor logLikelihoods = networks.logLikelihoods(codes, image);
        Tensor cross = logQ.exp().matmul(networks.logPrior(all).reshape(width, 1)).reshape(n);
        Tensor divergence = logQ.exp().times(logQ).sum(1).minus(cross);
        return of(weights.times(logLikelihoods).sum(1), divergence, weight, (plan, draws, temperature) -> { });
    }

    /** log p(x) = log sum_z p(x | z) p(z), and what it is made of under p(z | x). */
    private static Latent exact(VaeNetworks networks, Tensor image) {
        Exact exact = Exact.of(networks, image);
        Tensor likelihood = exact.posterior().times(exact.logLikelihoods()).sum(1);
        return new Latent(likelihood, likelihood.minus(exact.logEvidence()), exact.logEvidence().times(-1),
                (plan, draws, temperature) -> { });
    }

    /**
     * Bayes' rule over all m codes.
     *
     * @param logLikelihoods log p(x | z), [n, m]
     * @param logEvidence log p(x), [n]
     * @param posterior p(z | x), [n, m]
     */
    record Exact(Tensor logLikelihoods, Tensor logEvidence, Tensor posterior) {

        static Exact of(VaeNetworks networks, Tensor image) {
            Tensor all = all(networks);
            long n = image.extent(0);
            Tensor logLikelihoods = networks.logLikelihoods(
                    all.reshape(all.extent(0), networks.width()), image);
            Tensor joint = logLikelihoods.plus(networks.logPriorOf(all).repeatLeading(n));
            return new Exact(logLikelihoods, joint.logSumExp(), joint.softmax());
        }
    }
}
