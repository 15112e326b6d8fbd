package io.mdnf.mixture;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;

/**
 * PER_VARIABLE sampling: every sample chooses a component for every variable. With equal weights each variable deals its
 * samples out to the components in turn, in a random order of its own, which keeps variables independent and makes each
 * variable's frequencies as even as S allows.
 */
final class PerVariableSampling extends Sampling {

    private final MixtureGraph q;
    private final int samples;
    private final Tensor u;
    private final Tensor mask;
    private final Tensor code;
    private final CodeSampler sampler;
    private final Tensor tables;

    private PerVariableSampling(MixtureGraph q, int samples, Tensor u, Tensor mask, Tensor code, CodeSampler sampler,
            Tensor codes, Tensor tables) {
        super(codes, equalWeights(q, samples));
        this.tables = tables;
        this.q = q;
        this.samples = samples;
        this.u = u;
        this.mask = mask;
        this.code = code;
        this.sampler = sampler;
    }

    static PerVariableSampling build(MixtureGraph q, int samples, Estimator estimator) {
        Mixture mixture = q.mixture();
        int variables = mixture.space().variables();
        int width = mixture.space().width();
        long[] shape = {samples, variables, width};
        boolean averaged = estimator == Estimator.AVERAGED;
        boolean outside = mixture.looksAtCode();
        Tensor code = outside ? q.graph().placeholder("sample/code", shape) : null;
        Tensor u = null;
        Tensor mask = null;
        Tensor chosen = code;
        if (q.looksAtNothing() && mixture.base().isDelta()) {
            // component b gives the same category every time: one product per variable picks it
            mask = q.graph().placeholder("sample/mask", variables, samples, mixture.components());
            Tensor given = q.carriedBase().reshape(mixture.components(), variables, width).permute(1, 0, 2);
            chosen = mask.matmul(given).permute(1, 0, 2);
        } else if (!outside || !averaged) {
            u = q.graph().placeholder("sample/u", shape);
            mask = q.graph().placeholder("sample/mask", mixture.components(), samples, variables);
            chosen = masked(q, u, mask, code);
        }
        Tensor tables = averaged ? q.tables(code) : null;
        Tensor codes = averaged ? averaged(chosen, tables) : chosen;
        return new PerVariableSampling(
                q, samples, u, mask, code, outside ? CodeSampler.of(mixture) : null, codes, tables);
    }

    @Override
    public Tensor tables() {
        return tables == null ? super.tables() : tables;
    }

    @Override
    public void draw(ExecutionPlan plan, Draws draws) {
        Mixture mixture = q.mixture();
        ParameterValues values = values(plan, q);
        int[][] component = components(mixture, values, samples, draws);
        if (mask != null && u == null) {
            plan.write(mask, picks(component, mixture.components()));
            return;
        }
        int[][] base = mixture.baseCodes(values, component, draws);
        if (u != null) {
            plan.write(u, mixture.space().oneHot(base));
            plan.write(mask, mask(mixture.components(), component, mixture.space().variables()));
        }
        if (code != null) {
            plan.write(code, mixture.space().oneHot(sampler.codes(values, component, base)));
        }
    }

    /** The 0/1 mask [D, n, B] that picks each sample's component. */
    private static double[] picks(int[][] component, int components) {
        int n = component.length;
        double[] mask = new double[component[0].length * n * components];
        for (int i = 0; i < n; i++) {
            for (int d = 0; d < component[i].length; d++) {
                mask[(d * n + i) * components + component[i][d]] = 1;
            }
        }
        return mask;
    }

    /** A component for every sample and variable, [n][D]. */
    static int[][] components(Mixture mixture, ParameterValues values, int samples, Draws draws) {
        int variables = mixture.space().variables();
        int[][] component = new int[samples][variables];
        double[] weights = mixture.weighting() == Weighting.EQUAL ? null : mixture.weights(values);
        for (int d = 0; d < variables; d++) {
            Draws own = draws.under("variable" + d);
            if (weights == null) {
                int[] dealt = own.allocation("component", samples, mixture.components());
                int[] order = own.permutation("order", samples);
                for (int i = 0; i < samples; i++) {
                    component[i][d] = dealt[order[i]];
                }
            } else {
                var rng = own.stream("component");
                for (int i = 0; i < samples; i++) {
                    component[i][d] = Draws.category(rng, weights, d * mixture.components(), mixture.components());
                }
            }
        }
        return component;
    }
}
