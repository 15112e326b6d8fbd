package io.mdnf.gmm;

import java.util.Arrays;

/**
 * Where EM with flows stands: an immutable value.
 *
 * @param em step, posterior, responsibilities and the closed-form ELBO of the two
 * @param flow the flows' parameters, where the next E-step starts
 * @param iterations gradient steps of the last E-step, 0 at the start
 */
public record FlowEmState(EmState em, double[] flow, int iterations) {

    /**
     * Copies the parameters.
     *
     * @param em where EM stands
     * @param flow the flows' parameters
     * @param iterations gradient steps of the last E-step
     */
    public FlowEmState {
        flow = flow.clone();
    }

    @Override
    public double[] flow() {
        return flow.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FlowEmState state && em.equals(state.em) && Arrays.equals(flow, state.flow)
                && iterations == state.iterations;
    }

    @Override
    public int hashCode() {
        return em.hashCode() * 31 + Arrays.hashCode(flow);
    }

    @Override
    public String toString() {
        return "FlowEmState[" + em + ", " + flow.length + " parameters, " + iterations + " iterations]";
    }
}
