package io.mdnf.mixture;

import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.ParameterValues;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Made;

/**
 * Samples codes outside the graph where each variable waits for the ones before it.
 *
 * <p>The component and the base code of every sample and variable are given, so the code is determined: it is what the
 * flows would return.
 */
public interface CodeSampler {

    /**
     * The codes.
     *
     * @param values the mixture's parameters
     * @param component [n][D], the component of each sample and variable
     * @param base [n][D], the base codes
     * @return x, [n][D]
     */
    int[][] codes(ParameterValues values, int[][] component, int[][] base);

    /** Returns whether it scores codes too, faster than a graph. */
    default boolean scores() {
        return false;
    }

    /**
     * The exact log-probabilities of codes, if it {@linkplain #scores scores}.
     *
     * @param values the mixture's parameters
     * @param rho its weights, flat [D, B]
     * @param x [n][D]
     * @return log q, [n]
     */
    default double[] logProb(ParameterValues values, double[] rho, int[][] x) {
        throw new IllegalStateException("this sampler does not score codes");
    }

    /**
     * Whether codes that wait for each other can be sampled fast.
     *
     * @param mixture the mixture
     * @return true for MADE shifts
     */
    static boolean isAvailable(Mixture mixture) {
        return mixture.flow() instanceof ShiftFlow shift && shift.network() instanceof Made;
    }

    /**
     * The fastest sampler.
     *
     * @param mixture the mixture
     * @param given of a conditional mixture, the one row of logits from outside; else null
     * @return the sampler
     */
    static CodeSampler of(Mixture mixture, double[] given) {
        if (mixture.flow() instanceof ShiftFlow shift && shift.network() instanceof DirectLogits) {
            return new DirectSampler(mixture);
        }
        return isAvailable(mixture) ? new MadeSampler(mixture) : new PlannedSampler(mixture, given);
    }
}
