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

    /** From the marginals of the latent nodes, [D][K_d], in the order of {@link Evidence#latents}. */
    public static ExactPosterior of(Evidence evidence, double logEvidence, double[][] latent) {
        double[][] marginals = new double[evidence.network().size()][];
        int d = 0;
        for (int i = 0; i < marginals.length; i++) {
            if (evidence.isObserved(i)) {
                marginals[i] = new double[evidence.network().cardinality(i)];
                marginals[i][evidence.state(i)] = 1;
            } else {
                marginals[i] = latent[d++];
            }
        }
        return new ExactPosterior(evidence, logEvidence, marginals);
    }

    /** Returns p(x_i = k | evidence) of the node at a position for every state k, a fresh array. */
    public double[] marginal(int i) {
        return marginals[i].clone();
    }

    @Override
    public String toString() {
        return "log evidence " + logEvidence + " of " + evidence.network().name() + " given {" + evidence + "}";
    }
}
