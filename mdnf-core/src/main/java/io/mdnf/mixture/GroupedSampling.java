package io.mdnf.mixture;

import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Tensor;
import io.mdnf.network.ShiftNetwork.Dependence;
import io.mdnf.random.Draws;
import java.util.Arrays;

/**
 * JOINT sampling dealt out to components: component b passes only its own m = ceil(S / B) samples, u [B, m, D, K]; with
 * deltas m = 1, for all its samples are the same.
 *
 * <p>Weights: with free weights every sample of component b has rho_b / m, which is differentiable, so the weights learn
 * from the samples; with equal weights S samples are dealt out in turn from a random start and each has 1 / S.
 *
 * <p>Autoregressive flows take their codes from outside the graph, sampled variable by variable, and one parallel pass
 * gives them their gradient; what an earlier variable does to a later shift is then left to log q, where the code is the
 * network's input.
 */
final class GroupedSampling extends Sampling {

    private final MixtureGraph q;
    private final int samples;
    private final int each;
    private final Tensor u;
    private final Tensor code;
    private final Tensor share;
    private final CodeSampler sampler;

    private GroupedSampling(MixtureGraph q, int samples, int each, Tensor u, Tensor code, Tensor share, Tensor codes,
            Tensor weights) {
        super(codes, weights);
        this.q = q;
        this.samples = samples;
        this.each = each;
        this.u = u;
        this.code = code;
        this.share = share;
        this.sampler = code == null ? null : CodeSampler.of(q.mixture());
    }

    static GroupedSampling build(MixtureGraph q, int samples) {
        Mixture mixture = q.mixture();
        int components = mixture.components();
        int variables = mixture.space().variables();
        int width = mixture.space().width();
        boolean delta = mixture.base().isDelta();
        int each = delta ? 1 : (samples + components - 1) / components;
        long[] shape = {components, each, variables, width};
        Tensor u = delta ? null : q.graph().placeholder("sample/u", shape);
        Tensor from = delta ? q.baseProbabilities() : u;
        boolean parallel = mixture.flow() instanceof VariableWiseFlow
                && mixture.flow().dependence() == Dependence.AUTOREGRESSIVE && CodeSampler.isAvailable(mixture);
        Tensor code = parallel ? q.graph().placeholder("sample/code", shape) : null;
        Tensor moved;
        if (parallel) {
            moved = ((VariableWiseFlow) mixture.flow()).carry(q.flowSetting(), from, code);
        } else if (delta && q.looksAtNothing()) {
            moved = q.carriedBase();
        } else {
            moved = mixture.flow().forward(q.flowSetting(), from);
        }
        boolean dealt = mixture.weighting() == Weighting.EQUAL && !q.hasGivenWeights() && samples % components != 0;
        Tensor share = dealt ? q.graph().placeholder("sample/share", components * each) : null;
        Tensor weights = dealt
                ? share
                : q.weights().reshape(components).repeatAt(1, each).reshape(components * each).times(1.0 / each);
        return new GroupedSampling(q, samples, each, u, code, share,
                moved.reshape(components * each, variables, width), weights);
    }

    @Override
    public void draw(ExecutionPlan plan, Draws draws) {
        Mixture mixture = q.mixture();
        int components = mixture.components();
        int variables = mixture.space().variables();
        if (share != null) {
            double[] weights = new double[components * each];
            int[] dealt = new int[components];
            for (int b : draws.allocation("component", samples, components)) {
                weights[b * each + dealt[b] % each] += 1.0 / samples;
                dealt[b]++;
            }
            plan.write(share, weights);
        }
        if (u != null || code != null) {
            ParameterValues values = values(plan, q);
            int[][] component = new int[components * each][variables];
            for (int i = 0; i < component.length; i++) {
                Arrays.fill(component[i], i / each);
            }
            int[][] base = mixture.baseCodes(values, component, draws);
            if (u != null) {
                plan.write(u, mixture.space().oneHot(base));
            }
            if (code != null) {
                plan.write(code, mixture.space().oneHot(sampler.codes(values, component, base)));
            }
        }
    }
}
