package io.mdnf.mixture;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * JOINT sampling by the masked sum: sample i draws its component, from all of them by weight or dealt out in turn when
 * weights are equal, and a base code of that component.
 */
final class MaskedSampling extends Sampling {

    private final MixtureGraph q;
    private final int samples;
    private final Tensor u;
    private final Tensor mask;

    private MaskedSampling(MixtureGraph q, int samples, Tensor u, Tensor mask) {
        super(masked(q, u, mask, null), equalWeights(q, samples));
        this.q = q;
        this.samples = samples;
        this.u = u;
        this.mask = mask;
    }

    static MaskedSampling build(MixtureGraph q, int samples) {
        Mixture mixture = q.mixture();
        int variables = mixture.space().variables();
        Tensor u = q.graph().placeholder("sample/u", samples, variables, mixture.space().width());
        Tensor mask = q.graph().placeholder("sample/mask", mixture.components(), samples, variables);
        return new MaskedSampling(q, samples, u, mask);
    }

    @Override
    public void draw(ExecutionPlan plan, Draws draws) {
        Mixture mixture = q.mixture();
        int variables = mixture.space().variables();
        ParameterValues values = values(plan, q);
        int[] chosen = mixture.weighting() == Weighting.EQUAL
                ? draws.allocation("component", samples, mixture.components())
                : drawn(mixture.weights(values), draws);
        int[][] component = new int[samples][variables];
        for (int i = 0; i < samples; i++) {
            Arrays.fill(component[i], chosen[i]);
        }
        plan.write(u, mixture.space().oneHot(mixture.baseCodes(values, component, draws)));
        plan.write(mask, mask(mixture.components(), component, variables));
    }

    private int[] drawn(double[] rho, Draws draws) {
        var rng = draws.stream("component");
        return IntStream.range(0, samples).map(i -> Draws.category(rng, rho, 0, rho.length)).toArray();
    }
}
