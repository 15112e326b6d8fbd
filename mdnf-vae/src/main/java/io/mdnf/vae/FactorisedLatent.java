package io.mdnf.vae;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Estimator;
import io.mdnf.random.Draws;

/**
 * Flows chosen per variable: z_d ~ q_d = (1/B) sum_b f_d^b, and KL(q || prior) summed over categories.
 *
 * <p>Averaged: z_d is drawn from q_d and carries the gradient of q_d, to first or second order. Chosen: z_d is the code
 * of one flow and carries that flow's gradient, as published (but with a choice per variable, since that is the q that
 * is scored).
 */
final class FactorisedLatent extends Latent {

    /** What is added inside the logarithm of q: categories no flow has keep a bounded pull. */
    private static final double ENTROPY_FLOOR = 1e-6;

    private final VaeSettings settings;
    private final Tensor inverseTemperature;
    private final Tensor noise;
    private final Tensor mask;

    FactorisedLatent(VaeNetworks networks, Tensor image) {
        settings = networks.settings();
        long n = image.extent(0);
        inverseTemperature = networks.graph().placeholder("inverseTemperature", 1, 1);
        Tensor q;
        Tensor code;
        if (settings.estimator() == Estimator.AVERAGED) {
            q = tables(networks, image, inverseTemperature);
            noise = networks.graph().placeholder("noise", q.shape());
            mask = null;
            // the largest log q + Gumbel noise is a draw from q
            Tensor drawn = q.stopGradient().log(FLOOR).plus(noise).argmaxOneHot();
            code = settings.order() == GradientOrder.SECOND
                    ? StraightThrough.carrySecondOrder(drawn, q)
                    : StraightThrough.carryGradient(drawn, q);
        } else {
            Tensor flows = flows(networks, image, inverseTemperature);
            q = mean(networks, flows);
            noise = null;
            mask = networks.graph().placeholder("mask", n, settings.components(), settings.latents());
            Tensor wide = mask.repeatAt(3, settings.categories()).reshape(flows.shape());
            code = networks.graph().ones(n, 1, settings.components()).matmul(flows.times(wide)).reshape(q.shape());
        }
        Tensor logLikelihood = VaeNetworks.logLikelihood(networks.decode(code.reshape(n, networks.width())), image);
        Tensor ratio = q.log(ENTROPY_FLOOR).minus(networks.logPrior(n));
        terms(logLikelihood, q.times(ratio).reshape(n, networks.width()).sum(1));
    }

    @Override
    void draw(ExecutionPlan plan, Draws draws, double temperature) {
        plan.write(inverseTemperature, 1 / temperature);
        if (noise != null) {
            plan.write(noise, draws.gumbel("noise", noise.size()));
            return;
        }
        int n = (int) mask.extent(0);
        int[] chosen = draws.uniform("component", n * settings.latents(), settings.components());
        float[] picks = new float[mask.size()];
        for (int i = 0; i < n; i++) {
            for (int d = 0; d < settings.latents(); d++) {
                picks[(i * settings.components() + chosen[i * settings.latents() + d]) * settings.latents() + d] = 1;
            }
        }
        plan.write(mask, picks);
    }
}
