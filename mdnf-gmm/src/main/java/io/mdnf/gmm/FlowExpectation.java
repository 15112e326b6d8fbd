package io.mdnf.gmm;

import io.mdnf.random.Seed;

/** An E-step that fits a mixture of discrete flows. Holds a compiled graph; not for several threads at once. */
interface FlowExpectation extends AutoCloseable {

    /** Parameters of the flows before the first E-step. */
    double[] initial(Seed seed);

    /**
     * Fits q(Z).
     *
     * @param bound what is maximised
     * @param flow where the flows start
     * @param previous r of the previous E-step, which the result shall not fall behind; null at first
     * @param emStep for the temperature
     * @param seed of this E-step's randomness
     */
    FlowFit fit(AllocationBound bound, double[] flow, double[] previous, int emStep, Seed seed);

    @Override
    void close();

    static FlowExpectation of(int points, int clusters, FlowSettings settings, Seed bases) {
        return settings.method() == FlowSettings.Method.VIF
                ? new VifExpectation(points, clusters, settings, bases)
                : new BoostedExpectation(points, clusters, settings);
    }
}
