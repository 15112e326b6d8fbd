package io.mdnf.vae;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.random.Draws;

/**
 * One flow for the whole code: q(z) = (1/B) sum_b prod_d [z_d = f_d^b], at most B atoms, entropy at most log B.
 *
 * <p>The divergence is estimated at the sampled code, log q(z) - log p(z), with the floor of the core's mixtures.
 */
final class JointLatent extends Latent {

    private final VaeSettings settings;
    private final Tensor inverseTemperature;
    private final Tensor mask;

    JointLatent(VaeNetworks networks, Tensor image) {
        settings = networks.settings();
        long n = image.extent(0);
        int width = networks.width();
        int components = settings.components();
        inverseTemperature = networks.graph().placeholder("inverseTemperature", 1, 1);
        mask = networks.graph().placeholder("mask", n, 1, components);
        Tensor flows = flows(networks, image, inverseTemperature);
        Tensor code = mask.matmul(flows).reshape(n, width);
        Tensor logLikelihood = VaeNetworks.logLikelihood(networks.decode(code), image);
        Tensor repeated = code.repeatAt(1, components);
        Tensor agreement = flows.times(repeated)
                .reshape(n, components, settings.latents(), settings.categories()).sum(3);
        Tensor logQ = agreement.log(MixtureGraph.TRAINING).sum(2).logSumExp().plus(-Math.log(components));
        Tensor logPrior = code.times(networks.logPrior(n).reshape(n, width)).sum(1);
        terms(logLikelihood, logQ.minus(logPrior));
    }

    @Override
    void draw(ExecutionPlan plan, Draws draws, double temperature) {
        plan.write(inverseTemperature, 1 / temperature);
        int n = (int) mask.extent(0);
        int[] chosen = draws.uniform("component", n, settings.components());
        float[] picks = new float[mask.size()];
        for (int i = 0; i < n; i++) {
            picks[i * settings.components() + chosen[i]] = 1;
        }
        plan.write(mask, picks);
    }
}
