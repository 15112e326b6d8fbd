package io.mdnf.vae;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.space.CodeSpace;

/**
 * A product of categoricals with the whole ELBO summed over all codes: no sampling, no relaxation, the exact gradient.
 * E_q[log p(x | z)] = sum_z q(z | x) log p(x | z), where every z is decoded once for all images.
 */
final class ExactLatent extends Latent {


    ExactLatent(VaeNetworks networks, Tensor image) {
        VaeSettings settings = networks.settings();
        Graph graph = networks.graph();
        CodeSpace space = settings.space();
        long n = image.extent(0);
        int width = networks.width();
        int size = space.sizeAtMost(VaeSettings.ENUMERABLE);
        Tensor all = graph.constant(space.oneHot(space.all(size)), size, width);
        Tensor logQ = networks.logits(image).logSoftmax();
        Tensor weights = logQ.reshape(n, width).matmulTransposed(all).exp();
        Tensor decoded = networks.decode(all);
        Tensor nothing = decoded.softplus().sum(1);
        Tensor logLikelihoods = image.matmulTransposed(decoded).minus(nothing.repeatLeading(n));
        Tensor logLikelihood = weights.times(logLikelihoods).sum(1);
        Tensor ratio = logQ.minus(networks.logPrior(n));
        terms(logLikelihood, logQ.exp().times(ratio).reshape(n, width).sum(1));
    }

    @Override
    void draw(ExecutionPlan plan, Draws draws, double temperature) {
        // nothing is random, and there is no temperature
    }
}
