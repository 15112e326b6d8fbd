package io.mdnf.bn;

/**
 * What exact inference found.
 *
 * @param evidence the network and what was observed
 * @param logEvidence log p(evidence) in nats
 * @param marginals p(x_i = k | evidence), [node][state], of an observed node all on what was observed; shared, not to be
 *     changed
 */
public record ExactPosterior(Evidence evidence, double logEvidence, double[][] marginals) {

    /**
     * The posterior of one variable.
     *
     * @param i position of the node
     * @return p(x_i = k | evidence) for every state k, a fresh array
     */
    public double[] marginal(int i) {
        return marginals[i].clone();
    }

    /**
     * The posterior of one variable by name.
     *
     * @param variable name of the node
     * @return as {@link #marginal(int)}
     * @throws IllegalArgumentException with the nearest name if there is no such variable
     */
    public double[] marginal(String variable) {
        return marginal(evidence.network().indexOf(variable));
    }

    @Override
    public String toString() {
        return "log evidence " + logEvidence + " of " + evidence.network().name() + " given {" + evidence + "}";
    }
}
