package io.mdnf.bn;

/**
 * What exact inference found: log p(evidence) and p(x_i = k | evidence) for every variable.
 */
public final class ExactPosterior {

    private final Evidence evidence;
    private final double logEvidence;
    private final double[][] marginals;

    ExactPosterior(Evidence evidence, double logEvidence, double[][] marginals) {
        this.evidence = evidence;
        this.logEvidence = logEvidence;
        this.marginals = marginals;
    }

    /** {@return the network and what was observed} */
    public Evidence evidence() {
        return evidence;
    }

    /** {@return log p(evidence) in nats} */
    public double logEvidence() {
        return logEvidence;
    }

    /**
     * The posterior of one variable; for an observed variable all mass is on what was observed.
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
