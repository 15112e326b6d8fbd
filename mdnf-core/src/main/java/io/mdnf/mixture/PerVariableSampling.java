package io.mdnf.mixture;

import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.graph.Affine;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;

/**
 * Sampling of PER_VARIABLE mixtures: every sample chooses a component for every variable. With equal weights each
 * variable deals its samples out to the components in turn, in a random order of its own, which keeps variables
 * independent and makes each variable's frequencies as even as S allows.
 */
final class PerVariableSampling {

    private PerVariableSampling() {}

    static Sampling of(MixtureGraph q, int samples, Estimator estimator) {
        Mixture mixture = q.mixture();
        if (mixture.isUnlimited()) {
            return unlimited(q, samples, estimator);
        }
        if (mixture.looksAtCode()) {
            return mixture.isConditional() ? walked(q, samples, estimator) : outside(q, samples, estimator);
        }
        if (mixture.isConditional() && estimator.isAveraged()) {
            return fromTables(q, samples, estimator);
        }
        return mixture.base().isDelta() ? picked(q, samples, estimator) : walked(q, samples, estimator);
    }

    /** Flows without number: every sample has one of its own, made of noise. */
    private static Sampling unlimited(MixtureGraph q, int samples, Estimator estimator) {
        CodeSpace space = q.mixture().space();
        Tensor noise = q.graph().placeholder("sample/noise", samples, space.variables(), space.width());
        Tensor drawn = q.drawn(noise);
        return new Sampling(q.tables(drawn).carriedBy(drawn, estimator), drawn, null,
                (plan, draws) -> plan.write(noise, draws.gumbel("noise", noise.size())));
    }

    /** Drawn from the tables themselves: nothing of the size of all components is written. */
    private static Sampling fromTables(MixtureGraph q, int samples, Estimator estimator) {
        Tables tables = q.tables(null);
        Tensor noise = q.graph().placeholder("sample/noise", samples, tables.q().extent(1), tables.q().extent(2));
        Tensor drawn = tables.drawn(noise);
        return new Sampling(tables.carriedBy(drawn, estimator), drawn, null,
                (plan, draws) -> plan.write(noise, draws.gumbel("noise", noise.size())));
    }

    /** Deltas that look at no code: component b has one category for each variable (and row), and a mask picks it. */
    private static Sampling picked(MixtureGraph q, int samples, Estimator estimator) {
        Mixture mixture = q.mixture();
        int components = mixture.components();
        int variables = mixture.space().variables();
        if (mixture.isConditional()) {
            Tensor mask = q.graph().placeholder("sample/mask", components, samples, variables);
            Tensor codes = Affine.maskedSum(q.carriedBase().spread(1, samples), mask);
            return new Sampling(codes, codes.stopGradient(), q.choices(null, mask), (plan, draws) ->
                    plan.write(mask, mask(components, components(mixture, q.values(plan), samples, draws))));
        }
        // the same for all samples: one product per variable
        Tensor mask = q.graph().placeholder("sample/mask", variables, samples, components);
        Tensor given = q.carriedBase().reshape(components, variables, mixture.space().width()).permute(1, 0, 2);
        Tensor chosen = mask.matmul(given).permute(1, 0, 2);
        boolean averaged = estimator.isAveraged();
        Tensor codes = averaged ? q.tables(null).carriedBy(chosen, estimator) : chosen;
        Tensor choices = averaged ? null : q.choices(null, mask.permute(2, 1, 0));
        return new Sampling(codes, codes.stopGradient(), choices, (plan, draws) ->
                plan.write(mask, picks(components, components(mixture, q.values(plan), samples, draws))));
    }

    /** Every sample passes through every flow and a mask picks one, as often as variables wait for each other. */
    private static Sampling walked(MixtureGraph q, int samples, Estimator estimator) {
        Mixture mixture = q.mixture();
        int variables = mixture.space().variables();
        Tensor u = q.graph().placeholder("sample/u", samples, variables, mixture.space().width());
        Tensor mask = q.graph().placeholder("sample/mask", mixture.components(), samples, variables);
        Tensor chosen = q.walk(u, mask);
        Tensor drawn = chosen.stopGradient();
        Tensor codes = chosen;
        if (estimator.isAveraged()) {
            codes = q.tables(drawn).carriedBy(chosen, estimator);
        } else if (mixture.looksAtCode()) {
            // what an earlier variable does to a later shift is left to log q
            codes = carried(q, u, mask, drawn);
        }
        return new Sampling(codes, drawn, estimator.isAveraged() ? null : q.choices(u, mask), (plan, draws) -> {
            ParameterValues values = q.values(plan);
            int[][] component = components(mixture, values, samples, draws);
            plan.write(u, mixture.space().oneHot(mixture.baseCodes(values, component, draws)));
            plan.write(mask, mask(mixture.components(), component));
        });
    }

    /** Codes sampled outside the graph, variable by variable; one parallel pass gives them their gradient. */
    private static Sampling outside(MixtureGraph q, int samples, Estimator estimator) {
        Mixture mixture = q.mixture();
        int variables = mixture.space().variables();
        long[] shape = {samples, variables, mixture.space().width()};
        Tensor code = q.graph().placeholder("sample/code", shape);
        Tensor u = estimator.isAveraged() ? null : q.graph().placeholder("sample/u", shape);
        Tensor mask = u == null ? null : q.graph().placeholder("sample/mask", mixture.components(), samples, variables);
        Tensor codes = u == null ? q.tables(code).carriedBy(code, estimator) : carried(q, u, mask, code);
        CodeSampler sampler = CodeSampler.of(mixture, null);
        return new Sampling(codes, code, u == null ? null : q.choices(u, mask), (plan, draws) -> {
            ParameterValues values = q.values(plan);
            int[][] component = components(mixture, values, samples, draws);
            int[][] base = mixture.baseCodes(values, component, draws);
            if (u != null) {
                plan.write(u, mixture.space().oneHot(base));
                plan.write(mask, mask(mixture.components(), component));
            }
            plan.write(code, mixture.space().oneHot(sampler.codes(values, component, base)));
        });
    }

    /** One pass of all flows, looking at given codes: x[n, d, k] = sum_b M[b, n, d] f^b(u)[b, n, d, k]. */
    private static Tensor carried(MixtureGraph q, Tensor u, Tensor mask, Tensor code) {
        Tensor repeated = u.repeatLeading(q.mixture().components());
        return Affine.maskedSum(((VariableWiseFlow) q.mixture().flow()).carry(q.flowSetting(), repeated, code), mask);
    }

    /** The 0/1 mask [B, n, D] that picks each sample's component. */
    static double[] mask(int components, int[][] component) {
        int n = component.length;
        int variables = component[0].length;
        double[] mask = new double[components * n * variables];
        for (int i = 0; i < n; i++) {
            for (int d = 0; d < variables; d++) {
                mask[(component[i][d] * n + i) * variables + d] = 1;
            }
        }
        return mask;
    }

    /** The same mask as [D, n, B]. */
    private static double[] picks(int components, int[][] component) {
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
        for (int d = 0; d < variables; d++) {
            int[] own = components(mixture, values, d, samples, draws.under("variable" + d));
            for (int i = 0; i < samples; i++) {
                component[i][d] = own[i];
            }
        }
        return component;
    }

    /** A component for every sample by row {@code row} of the weights, [n]. */
    static int[] components(Mixture mixture, ParameterValues values, int row, int samples, Draws draws) {
        int components = mixture.components();
        int[] chosen = new int[samples];
        if (mixture.weighting() == Weighting.EQUAL) {
            int[] dealt = draws.allocation("component", samples, components);
            int[] order = draws.permutation("order", samples);
            Arrays.setAll(chosen, i -> dealt[order[i]]);
        } else {
            double[] weights = mixture.weights(values);
            var rng = draws.stream("component");
            Arrays.setAll(chosen, i -> Draws.category(rng, weights, row * components, components));
        }
        return chosen;
    }
}
