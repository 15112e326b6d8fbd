package io.mdnf.vae;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.mixture.Sampling;
import io.mdnf.random.Draws;
import io.mdnf.relaxation.GumbelSoftmax;
import io.mdnf.relaxation.RelaxedObjective;
import io.mdnf.relaxation.RelaxedSample;
import io.mdnf.space.CodeSpace;

/**
 * One method's training terms: a likelihood of sampled codes, and what is subtracted from it.
 *
 * @param logLikelihood log p(image | code) of the sampled code, [n]
 * @param divergence what the method subtracts, [n]; an estimate of KL(q || prior) for all but the relaxed methods
 * @param drawing writes the randomness and the temperature of a step
 */
record Latent(Tensor logLikelihood, Tensor divergence, Drawing drawing) {

    @FunctionalInterface
    interface Drawing {
        void draw(ExecutionPlan plan, Draws draws, double temperature);
    }

    static Latent of(VaeNetworks networks, Tensor image) {
        return switch (networks.settings().method()) {
            case MDNF, MDNF_JOINT -> flows(networks, image);
            case GUMBEL, JANG, MADDISON_21, MADDISON_22 -> relaxed(networks, image);
            case EXACT -> exact(networks, image);
        };
    }

    /**
     * A mixture of flows given the image. With a flow for every variable the divergence is summed over categories; with
     * one flow for the whole code, at most B atoms, it is estimated at the sampled code, log q(z) - log p(z).
     */
    private static Latent flows(VaeNetworks networks, Tensor image) {
        VaeSettings settings = networks.settings();
        int n = (int) image.extent(0);
        boolean joint = settings.method() == LatentMethod.MDNF_JOINT;
        Tensor inverseTemperature = networks.graph().placeholder("inverseTemperature", 1, 1);
        MixtureGraph q = networks.posterior(image, inverseTemperature);
        Sampling sampling = q.sample(n, joint ? Estimator.CHOSEN : settings.estimator());
        Tensor code = sampling.codes().reshape(n, networks.width());
        Tensor divergence = joint
                ? q.logProb(sampling.codes(), MixtureGraph.TRAINING).minus(networks.logPrior(code))
                : q.tables(null).divergence(networks.logPrior());
        return new Latent(networks.logLikelihood(code, image), divergence, (plan, draws, temperature) -> {
            plan.write(inverseTemperature, 1 / temperature);
            sampling.draw(plan, draws);
        });
    }

    /** The Gumbel-Softmax methods. What they maximise is no bound of the discrete model unless a type says so. */
    private static Latent relaxed(VaeNetworks networks, Tensor image) {
        VaeSettings settings = networks.settings();
        long n = image.extent(0);
        Tensor temperature = networks.graph().placeholder("temperature", 1, 1);
        GumbelSoftmax q = new GumbelSoftmax(settings.space(), networks.logits(image), temperature);
        Tensor noise = networks.graph().placeholder("noise", n, settings.latents(), settings.categories());
        RelaxedSample sample = settings.straightThrough() ? q.straightThrough(noise) : q.sample(noise);
        Tensor code = sample.code().reshape(n, networks.width());
        return new Latent(networks.logLikelihood(code, image), objective(networks).divergence(q, sample),
                (plan, draws, tau) -> {
                    plan.write(temperature, tau);
                    plan.write(noise, draws.gumbel("noise", noise.size()));
                });
    }

    private static RelaxedObjective objective(VaeNetworks networks) {
        VaeSettings settings = networks.settings();
        return switch (settings.method()) {
            case GUMBEL -> new RelaxedObjective.RelaxedPrior(new GumbelSoftmax(
                    settings.space(), networks.priorLogits(), networks.graph().ones(1, 1)));
            case JANG -> new RelaxedObjective.Jang();
            case MADDISON_21 -> new RelaxedObjective.MaddisonEq21(networks.priorLogits());
            case MADDISON_22 -> new RelaxedObjective.MaddisonEq22(networks.priorLogits());
            default -> throw new IllegalArgumentException(settings.method() + " is not relaxed");
        };
    }

    /**
     * A product of categoricals with the whole ELBO summed over all codes: no sampling, no relaxation, the exact
     * gradient. E_q[log p(x | z)] = sum_z q(z | x) log p(x | z), where every z is decoded once for all images.
     */
    private static Latent exact(VaeNetworks networks, Tensor image) {
        CodeSpace space = networks.settings().space();
        long n = image.extent(0);
        int width = networks.width();
        int size = space.sizeAtMost(VaeSettings.ENUMERABLE);
        Tensor all = networks.graph().constant(space.oneHot(space.all(size)), size, width);
        Tensor logQ = networks.logits(image).logSoftmax().reshape(n, width);
        Tensor weights = logQ.matmulTransposed(all).exp();
        Tensor logLikelihoods = VaeNetworks.logLikelihoods(networks.decode(all), image);
        Tensor divergence = logQ.exp().times(logQ).sum(1).minus(networks.logPrior(logQ.exp()));
        return new Latent(weights.times(logLikelihoods).sum(1), divergence, (plan, draws, temperature) -> { });
    }
}
