package io.mdnf.vae;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;

/** One method's training terms: a likelihood of sampled codes, and what is subtracted from it. */
abstract sealed class Latent permits FactorisedLatent, JointLatent, RelaxedLatent, ExactLatent {

    /** What keeps the logarithm of a sampled category's probability finite. */
    static final double FLOOR = 1e-30;

    /** CodeSpace up to this width are averaged over flows by one product; for wider ones it would cost more than it saves. */
    private static final int NARROW = 64;

    /** Builds the method's terms. */
    static Latent of(VaeNetworks networks, Tensor image) {
        return switch (networks.settings().method()) {
            case MDNF -> new FactorisedLatent(networks, image);
            case MDNF_JOINT -> new JointLatent(networks, image);
            case GUMBEL, JANG, MADDISON_21, MADDISON_22 -> new RelaxedLatent(networks, image);
            case EXACT -> new ExactLatent(networks, image);
        };
    }

    private Tensor logLikelihood;
    private Tensor divergence;

    /** What a method's constructor found. */
    final void terms(Tensor likelihood, Tensor subtracted) {
        logLikelihood = likelihood;
        divergence = subtracted;
    }

    /** log p(image | code) of the sampled code, [n]. */
    final Tensor logLikelihood() {
        return logLikelihood;
    }

    /** What the method subtracts, [n]; an estimate of KL(q || prior) for all but the relaxed methods. */
    final Tensor divergence() {
        return divergence;
    }

    /** Writes the randomness and the temperature of a step. */
    abstract void draw(ExecutionPlan plan, Draws draws, double temperature);

    /** One-hot shifts of all flows with their straight-through gradient, [n, B, D * K]; deltas at 0 make them codes. */
    static Tensor flows(VaeNetworks networks, Tensor image, Tensor inverseTemperature) {
        VaeSettings settings = networks.settings();
        return StraightThrough.FIRST_ORDER
                .oneHot(networks.flowLogits(image), settings.space(), inverseTemperature)
                .reshape(image.extent(0), settings.components(), networks.width());
    }

    /**
     * The distribution of each variable when flows are chosen one by one, with its straight-through gradient: the mean
     * of their shifts, [n, D, K].
     */
    static Tensor tables(VaeNetworks networks, Tensor image, Tensor inverseTemperature) {
        VaeSettings settings = networks.settings();
        if (settings.categories() > 2) {
            return mean(networks, flows(networks, image, inverseTemperature));
        }
        Tensor second = StraightThrough.second(networks.flowDifferences(image), inverseTemperature);
        int components = settings.components();
        return StraightThrough.pairs(counts(second, components, settings.latents()), components)
                .times(1.0 / components);
    }

    /** The mean over flows [n, B, D * K], [n, D, K]. */
    static Tensor mean(VaeNetworks networks, Tensor flows) {
        VaeSettings settings = networks.settings();
        int components = settings.components();
        int width = networks.width();
        long n = flows.extent(0);
        Tensor counts = width <= NARROW
                ? counts(flows.reshape(n, (long) components * width), components, width)
                : networks.graph().ones(n, 1, components).matmul(flows);
        return counts.times(1.0 / components).reshape(n, settings.latents(), settings.categories());
    }

    /** The sum over components of [n, B * width], [n, width], by one product; exact for codes, in float too. */
    private static Tensor counts(Tensor values, int components, int width) {
        double[] collect = new double[components * width * width];
        for (int i = 0; i < components * width; i++) {
            collect[i * width + i % width] = 1;
        }
        return values.matmul(values.graph().constant(collect, (long) components * width, width));
    }
}
