package io.mdnf.bn;

import io.mdnf.space.Check;

/**
 * Exact inference by variable elimination in min-fill order: one pass forward for log p(evidence), one pass back for
 * all marginals, on the same tables. Logarithms throughout, so neither zeros nor tiny probabilities do harm.
 */
public final class VariableElimination {

    /** Most table entries taken unless told otherwise: 256 MB. */
    public static final long MOST_ENTRIES = 1L << 25;

    private VariableElimination() {
    }

    /**
     * Returns log p(evidence) in nats; -infinity for impossible evidence.
     *
     *
     * @throws TooLargeException if the tables need more than {@link #MOST_ENTRIES} entries
     */
    public static double logEvidence(Evidence evidence) {
        return BucketTree.summing(evidence, MOST_ENTRIES).value();
    }

    /** Returns log evidence and all marginals within {@link #MOST_ENTRIES} table entries, as the other does. */
    public static ExactPosterior posterior(Evidence evidence) {
        return posterior(evidence, MOST_ENTRIES);
    }

    /**
     * Returns log evidence and all marginals within a limit of table entries, 8 bytes each.
     *
     *
     * @throws TooLargeException if the tables need more
     * @throws IllegalArgumentException if the evidence has probability 0, so that there is no posterior
     */
    public static ExactPosterior posterior(Evidence evidence, long mostEntries) {
        BucketTree tree = BucketTree.summing(evidence, mostEntries);
        Check.that(tree.value() != Double.NEGATIVE_INFINITY, "evidence {" + evidence + "} has probability 0 in network "
                + Names.quote(evidence.network().name()) + ", expected possible evidence");
        BayesianNetwork network = evidence.network();
        double[][] marginals = new double[network.size()][];
        for (int i = 0; i < marginals.length; i++) {
            if (evidence.isObserved(i)) {
                marginals[i] = new double[network.cardinality(i)];
                marginals[i][evidence.state(i)] = 1;
            }
        }
        LogFactor[] beliefs = tree.calibrate();
        for (int b = 0; b < beliefs.length; b++) {
            int variable = tree.variable(b);
            marginals[variable] = beliefs[b].sumOnto(new int[] {variable}).normalised();
        }
        return new ExactPosterior(evidence, tree.value(), marginals);
    }
}
