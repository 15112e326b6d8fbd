package io.mdnf.bn;

import java.util.Arrays;

/** A configuration of a network and its log joint. */
public final class ScoredCode {

    private final int[] states;
    private final double logJoint;

    ScoredCode(int[] states, double logJoint) {
        this.states = states;
        this.logJoint = logJoint;
    }

    /** {@return the state of every node, observed ones included, a fresh array} */
    public int[] states() {
        return states.clone();
    }

    /**
     * State of one node.
     *
     * @param i position of the node
     * @return its state
     */
    public int state(int i) {
        return states[i];
    }

    /** {@return log p(x) of the whole configuration, in nats} */
    public double logJoint() {
        return logJoint;
    }

    @Override
    public String toString() {
        return Arrays.toString(states) + " log joint " + logJoint;
    }
}
