package io.mdnf.vae;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.relaxation.GumbelSoftmax;
import io.mdnf.relaxation.RelaxedObjective;
import io.mdnf.relaxation.RelaxedSample;
import io.mdnf.relaxation.Temperature;
import io.mdnf.space.CodeSpace;

/** The Gumbel-Softmax methods. What they maximise is no bound of the discrete model unless a method's type says so. */
final class RelaxedLatent extends Latent {

    private final Temperature temperature;
    private final Tensor noise;

    RelaxedLatent(VaeNetworks networks, Tensor image) {
        VaeSettings settings = networks.settings();
        CodeSpace space = settings.space();
        long n = image.extent(0);
        temperature = Temperature.placeholder(networks.graph(), "temperature");
        GumbelSoftmax q = new GumbelSoftmax(space, networks.logits(image), temperature);
        noise = networks.graph().placeholder("noise", n, settings.latents(), settings.categories());
        RelaxedSample sample = settings.straightThrough() ? q.straightThrough(noise) : q.sample(noise);
        Tensor code = sample.code().reshape(n, networks.width());
        Tensor logLikelihood = VaeNetworks.logLikelihood(networks.decode(code), image);
        terms(logLikelihood, objective(networks, space).divergence(q, sample));
    }

    private static RelaxedObjective objective(VaeNetworks networks, CodeSpace space) {
        return switch (networks.settings().method()) {
            case GUMBEL -> new RelaxedObjective.RelaxedPrior(
                    new GumbelSoftmax(space, networks.priorLogits(), Temperature.fixed(networks.graph(), 1)));
            case JANG -> new RelaxedObjective.Jang();
            case MADDISON_21 -> new RelaxedObjective.MaddisonEq21(networks.priorLogits());
            case MADDISON_22 -> new RelaxedObjective.MaddisonEq22(networks.priorLogits());
            default -> throw new IllegalArgumentException(networks.settings().method() + " is not relaxed");
        };
    }

    @Override
    void draw(ExecutionPlan plan, Draws draws, double tau) {
        temperature.write(plan, tau);
        plan.write(noise, draws.gumbel("noise", noise.size()));
    }
}
