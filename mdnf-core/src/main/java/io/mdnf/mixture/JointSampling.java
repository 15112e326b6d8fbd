package io.mdnf.mixture;

import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.graph.Affine;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Tensor;
import io.mdnf.network.Dependence;
import io.mdnf.random.Draws;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Sampling of JOINT mixtures: one component for the whole code. */
final class JointSampling {

    private JointSampling() {}

    /**
     * Samples dealt out to components: component b passes only its own m = ceil(S / B) samples, u [B, m, D, K]; with
     * deltas m = 1, for all its samples are the same.
     *
     * <p>Weights: with free weights every sample of component b has rho_b / m, which is differentiable, so the weights
     * learn from the samples; with equal weights S samples are dealt out in turn from a random start and each has 1 /
     * S.
     *
     * <p>Autoregressive flows take their codes from outside the graph, sampled variable by variable, and one parallel
     * pass gives them their gradient; what an earlier variable does to a later shift is then left to log q, where the
     * code is the network's input.
     */
    static Sampling dealt(MixtureGraph q, int samples) {
        Mixture mixture = q.mixture();
        int components = mixture.components();
        boolean delta = mixture.base().isDelta();
        int each = delta ? 1 : (samples + components - 1) / components;
        int variables = mixture.space().variables();
        int width = mixture.space().width();
        long[] shape = {components, each, variables, width};
        Tensor u = delta ? null : q.graph().placeholder("sample/u", shape);
        Tensor from = delta ? q.baseProbabilities() : u;
        boolean parallel = mixture.flow() instanceof VariableWiseFlow
                && mixture.flow().dependence() == Dependence.AUTOREGRESSIVE && CodeSampler.isAvailable(mixture);
        Tensor code = parallel ? q.graph().placeholder("sample/code", shape) : null;
        Tensor moved;
        if (parallel) {
            moved = ((VariableWiseFlow) mixture.flow()).carry(q.flowSetting(), from, code);
        } else if (delta && q.movesByItself()) {
            moved = q.carriedBase();
        } else {
            moved = mixture.flow().forward(q.flowSetting(), from);
        }
        boolean inTurn = mixture.weighting() == Weighting.EQUAL && !q.hasGivenWeights() && samples % components != 0;
        Tensor share = inTurn ? q.graph().placeholder("sample/share", components * each) : null;
        Tensor weights = inTurn
                ? share
                : q.weights().reshape(components).repeatAt(1, each).reshape(components * each).times(1.0 / each);
        CodeSampler sampler = code == null ? null : CodeSampler.of(mixture, null);
        int[][] component = IntStream.range(0, components * each).mapToObj(i -> whole(i / each, variables))
                .toArray(int[][]::new);
        Tensor choices = u == null || mixture.base().parameters().isEmpty() ? null
                : q.baseProbabilities().spread(1, each).times(u).sum(3).log(q.graph().precision().tiny()).sum(2)
                        .reshape(components * each);
        Tensor codes = moved.reshape(components * each, variables, width);
        return new Sampling(codes, codes.stopGradient(), weights, choices, null, (plan, draws) -> {
            if (share != null) {
                plan.write(share, shares(samples, components, each, draws));
            }
            if (u == null && code == null) {
                return;
            }
            ParameterValues values = q.values(plan);
            int[][] base = mixture.baseCodes(values, component, draws);
            if (u != null) {
                plan.write(u, mixture.space().oneHot(base));
            }
            if (code != null) {
                plan.write(code, mixture.space().oneHot(sampler.codes(values, component, base)));
            }
        });
    }

    /** The weight of each of the B m samples when S are dealt out in turn. */
    private static double[] shares(int samples, int components, int each, Draws draws) {
        double[] weights = new double[components * each];
        int[] dealt = new int[components];
        for (int b : draws.allocation("component", samples, components)) {
            weights[b * each + dealt[b] % each] += 1.0 / samples;
            dealt[b]++;
        }
        return weights;
    }

    /** One sample for every row of what is given: each draws its component, by weight or dealt out in random order when
     * weights are equal, and a base code of it; a mask picks the component's code, sum_b M[b, n] f^b(u)[b, n]. */
    static Sampling perRow(MixtureGraph q, int samples) {
        Mixture mixture = q.mixture();
        int variables = mixture.space().variables();
        Tensor mask = q.graph().placeholder("sample/mask", mixture.components(), samples, variables);
        boolean atoms = mixture.base().isDelta() && q.movesByItself();
        Tensor u = atoms ? null : q.graph().placeholder("sample/u", samples, variables, mixture.space().width());
        Tensor codes = atoms ? Affine.maskedSum(q.carriedBase().spread(1, samples), mask) : q.walk(u, mask);
        return new Sampling(codes, codes.stopGradient(), q.choices(u, mask), (plan, draws) -> {
            ParameterValues values = q.values(plan);
            int[] chosen = PerVariableSampling.components(mixture, values, 0, samples, draws);
            int[][] component = Arrays.stream(chosen).mapToObj(b -> whole(b, variables)).toArray(int[][]::new);
            plan.write(mask, PerVariableSampling.mask(mixture.components(), component));
            if (u != null) {
                plan.write(u, mixture.space().oneHot(mixture.baseCodes(values, component, draws)));
            }
        });
    }

    /** One component for all variables. */
    private static int[] whole(int component, int variables) {
        int[] all = new int[variables];
        Arrays.fill(all, component);
        return all;
    }
}
