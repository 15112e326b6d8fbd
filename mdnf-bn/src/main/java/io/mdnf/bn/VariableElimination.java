package io.mdnf.bn;

import io.mdnf.space.Check;
import io.mdnf.space.LogSpace;

/**
 * Exact inference by variable elimination in min-fill order: one pass forward for log p(evidence), one pass back for
 * all marginals, on the same tables. Logarithms throughout, so neither zeros nor tiny probabilities do harm.
 */
public final class VariableElimination {

    /** How much of what Java could still take: a collector needs room. */
    private static final double SHARE = 0.8;

    private VariableElimination() {
    }

    /** Returns how many bytes exact inference may take now: most of what Java has not used of its heap (-Xmx). */
    public static long availableBytes() {
        Runtime java = Runtime.getRuntime();
        return (long) (SHARE * (java.maxMemory() - java.totalMemory() + java.freeMemory()));
    }

    /**
     * Returns log p(evidence) in nats; -infinity for impossible evidence.
     *
     * @throws TooLargeException if the tables need more than {@link #availableBytes}
     */
    public static double logEvidence(Evidence evidence) {
        return BucketTree.eliminate(evidence, availableBytes(), LogFactor::sumOnto).value();
    }

    /** Returns log evidence and all marginals within {@link #availableBytes}, as the other does. */
    public static ExactPosterior posterior(Evidence evidence) {
        return posterior(evidence, availableBytes());
    }

    /**
     * Returns log evidence and all marginals within a limit of memory; {@link EliminationPlan#bytes} is what they need.
     *
     * @throws TooLargeException if the tables need more
     * @throws IllegalArgumentException if the evidence has probability 0, so that there is no posterior
     */
    public static ExactPosterior posterior(Evidence evidence, long mostBytes) {
        BucketTree tree = BucketTree.eliminate(evidence, mostBytes, LogFactor::sumOnto);
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
            marginals[variable] = LogSpace.normalise(beliefs[b].sumOnto(new int[] {variable}).values());
        }
        return new ExactPosterior(evidence, tree.value(), marginals);
    }
}
