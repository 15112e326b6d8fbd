package io.mdnf.bn;

/**
 * What exact inference found.
 *
 * @param evidence the network and what was observed
 * @param logEvidence log p(evidence) in nats
 * @param marginals p(x_i = k | evidence), [node][state], of an observed node all on what was observed; shared, not
 *     to be changed
 */
public record ExactPosterior(Evidence evidence, double logEvidence, double[][] marginals) {

    /** Returns p(x_i = k | evidence) of the node at a position for every state k, a fresh array. */
    public double[] marginal(int i) {
        return marginals[i].clone();
    }

    @Override
    public String toString() {
        return "log evidence " + logEvidence + " of " + evidence.network().name() + " given {" + evidence + "}";
    }
}
