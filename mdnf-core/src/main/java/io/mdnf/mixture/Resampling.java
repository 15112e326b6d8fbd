package io.mdnf.mixture;

import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;

/**
 * Sampling of PER_VARIABLE mixtures by alternatives: one variable d of a drawn code is set to each of its categories in
 * turn, the variables that look at it are drawn anew with the same random numbers, and category k weighs
 * q_d(k | x_&lt;d). With G such groups and f = log p(D, x) - log q(x) the ELBO and its gradient by the tables are
 *
 * <pre>{@code
 * sum_g sum_k q_d(k | x_<d) f(x with x_d = k) / G        D sum_g sum_k dq_d(k | x_<d) f(x with x_d = k) / G
 * }</pre>
 *
 * <p>Nothing is linearised and nothing that follows d stays as it was, so the gradient by the tables is unbiased
 * whatever the networks look at; where q is the posterior f is the same for all categories, and there is no noise left.
 * Categories that q never draws are heard too. Random numbers decide on a component and a base code for each variable,
 * so running through the base codes of d runs through its categories, whatever the flow.
 */
final class Resampling {

    private Resampling() {}

    /** About so many codes, in groups of as many as a variable may have categories. */
    static Sampling of(MixtureGraph q, int samples) {
        Mixture mixture = q.mixture();
        Check.that(!mixture.isConditional(), "estimator = ", Estimator.RESAMPLED, ": ", mixture,
                " is conditional, and has one code for every row it is given; take an averaged estimator");
        Check.that(!mixture.isUnlimited(), "estimator = ", Estimator.RESAMPLED, ": ", mixture,
                " has no components to run through; take averaged or second-order");
        CodeSpace space = mixture.space();
        int variables = space.variables();
        int groups = Math.max(1, samples / space.width());
        int n = groups * space.width();
        Tensor code = q.graph().placeholder("sample/code", n, variables, space.width());
        Tensor entry = q.graph().placeholder("sample/entry", n, variables, space.width());
        Tables tables = q.tables(mixture.looksAtCode() ? code : null);
        Tensor own = tables.q().spread(0, n).times(entry).sum(2).sum(1).times(1.0 / groups);
        // a group says something of one variable, and is as likely to say it of any other
        Tensor weights = StraightThrough.carryGradient(own.stopGradient(), own.times(variables));
        CodeSampler sampler = CodeSampler.of(mixture, null);
        return new Sampling(code, code, weights, null, tables.logProb(entry), (plan, draws) -> {
            ParameterValues values = new ParameterValues(plan.layout(), plan.parameters(), q.graph().scope());
            int[] varied = varied(groups, variables, draws);
            int[][] codes = codes(mixture, sampler, values, varied, draws);
            double[] entries = new double[n * space.oneHotLength()];
            for (int i = 0; i < n; i++) {
                int d = varied[i / space.width()];
                if (i % space.width() < space.cardinality(d)) {
                    entries[(i * variables + d) * space.width() + codes[i][d]] = 1;
                }
            }
            plan.write(code, space.oneHot(codes));
            plan.write(entry, entries);
        });
    }

    /** The variable of each group: dealt out in turn, in random order. */
    private static int[] varied(int groups, int variables, Draws draws) {
        int[] dealt = draws.allocation("varied", groups, variables);
        int[] order = draws.permutation("variedOrder", groups);
        int[] varied = new int[groups];
        for (int g = 0; g < groups; g++) {
            varied[g] = dealt[order[g]];
        }
        return varied;
    }

    /** All codes, group by group; what a variable has too few categories for repeats its first one. */
    private static int[][] codes(Mixture mixture, CodeSampler sampler, ParameterValues values, int[] varied,
            Draws draws) {
        CodeSpace space = mixture.space();
        int width = space.width();
        int[][] drawn = PerVariableSampling.components(mixture, values, varied.length, draws);
        int[][] base = mixture.baseCodes(values, drawn, draws);
        int[][] component = new int[varied.length * width][];
        int[][] u = new int[component.length][];
        for (int i = 0; i < u.length; i++) {
            int d = varied[i / width];
            component[i] = drawn[i / width];
            u[i] = base[i / width].clone();
            u[i][d] = i % width < space.cardinality(d) ? i % width : 0;
        }
        return sampler.codes(values, component, u);
    }
}
