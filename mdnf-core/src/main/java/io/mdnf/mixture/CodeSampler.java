package io.mdnf.mixture;

import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.ParameterValues;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Made;
import io.mdnf.random.Draws;
import io.mdnf.space.CodeSpace;

/**
 * Samples codes outside the graph where each variable waits for the ones before it.
 *
 * <p>The component and the base code of every sample and variable are given, so the code is determined: it is what the
 * flows would return.
 *
 * <p>Internal: a {@link Mixture} finds its own.
 */
public interface CodeSampler {

    /** The codes x [n][D], from the component and the base code of each sample and variable, both [n][D]. */
    int[][] codes(ParameterValues values, int[][] component, int[][] base);

    /** Codes [n][D] of flows without number. */
    default int[][] drawn(ParameterValues values, int n, Draws draws) {
        throw new IllegalStateException("this sampler chooses among components");
    }

    /** Returns whether it scores codes too, faster than a graph. */
    default boolean scores() {
        return false;
    }

    /** The exact log q [n] of codes x [n][D], if it {@linkplain #scores scores}; rho are the weights, flat [D, B]. */
    default double[] logProb(ParameterValues values, double[] rho, int[][] x) {
        throw new IllegalStateException("this sampler does not score codes");
    }

    /** Whether codes that wait for each other can be sampled fast: with MADE shifts. */
    static boolean isAvailable(Mixture mixture) {
        return mixture.flow() instanceof ShiftFlow shift && shift.network() instanceof Made;
    }

    /** The fastest sampler; a conditional mixture is given the one row of logits from outside, others null. */
    static CodeSampler of(Mixture mixture, double[] given) {
        if (mixture.isUnlimited()) {
            return new PlannedSampler(mixture, given);
        }
        if (mixture.flow() instanceof ShiftFlow shift && shift.network() instanceof DirectLogits) {
            return (values, component, base) -> shifted(mixture.space(), values, component, base);
        }
        return isAvailable(mixture) ? new MadeSampler(mixture) : new PlannedSampler(mixture, given);
    }

    /** Where the logits are the parameters a shift is looked up, however many components there are. */
    private static int[][] shifted(CodeSpace space, ParameterValues values, int[][] component, int[][] base) {
        int[][] shifts = space.indices(values.under("flow").under("shift").read("logits"));
        int[][] codes = new int[component.length][space.variables()];
        for (int i = 0; i < codes.length; i++) {
            for (int d = 0; d < codes[i].length; d++) {
                codes[i][d] = (base[i][d] + shifts[component[i][d]][d]) % space.cardinality(d);
            }
        }
        return codes;
    }
}
