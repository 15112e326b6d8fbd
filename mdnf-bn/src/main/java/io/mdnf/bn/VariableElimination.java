package io.mdnf.bn;

import io.mdnf.elimination.BucketTree;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.Memory;
import io.mdnf.elimination.TooLargeException;
import io.mdnf.space.Check;
import java.util.List;

/**
 * Exact inference by variable elimination in a searched order: one pass forward for log p(evidence), one pass back for
 * all marginals, on the same tables. Logarithms throughout, so neither zeros nor tiny probabilities do harm.
 */
public final class VariableElimination {

    private VariableElimination() {
    }

    /**
     * Returns log p(evidence) in nats; -infinity for impossible evidence.
     *
     * @throws TooLargeException if the tables need more than {@link Memory#available}
     */
    public static double logEvidence(Evidence evidence) {
        return evidence.latents().length == 0 ? allObserved(evidence)
                : eliminate(evidence, Memory.available(), false).value();
    }

    private static double allObserved(Evidence evidence) {
        return evidence.network().logJoint(evidence.complete(new int[0]));
    }

    /** Returns the order and the cost of exact inference. */
    public static EliminationPlan plan(Evidence evidence) {
        return evidence.latents().length == 0 ? new EliminationPlan(List.of(), 0, 0, 0) : evidence.reduction().plan();
    }

    /** The tables over what the evidence's reduction leaves of the latent variables, of which there is one. */
    static BucketTree eliminate(Evidence evidence, long mostBytes, boolean maximum) {
        BayesianNetwork network = evidence.network();
        return evidence.reduction().eliminate(mostBytes,
                "exact inference on " + Names.quote(network.name()) + " of " + network.size() + " nodes", maximum);
    }

    /** Returns log evidence and all marginals within {@link Memory#available}, as the other does. */
    public static ExactPosterior posterior(Evidence evidence) {
        return posterior(evidence, Memory.available());
    }

    /**
     * Returns log evidence and all marginals within a limit of memory; {@link EliminationPlan#bytes} is what they need.
     *
     * @throws TooLargeException if the tables need more
     * @throws IllegalArgumentException if the evidence has probability 0, so that there is no posterior
     */
    public static ExactPosterior posterior(Evidence evidence, long mostBytes) {
        BayesianNetwork network = evidence.network();
        BucketTree tree = evidence.latents().length == 0 ? null : eliminate(evidence, mostBytes, false);
        double logEvidence = tree == null ? allObserved(evidence) : tree.value();
        Check.that(logEvidence != Double.NEGATIVE_INFINITY, "evidence {" + evidence + "} has probability 0 in network "
                + Names.quote(network.name()) + ", expected possible evidence");
        return ExactPosterior.of(evidence, logEvidence, tree == null ? new double[0][]
                : evidence.reduction().codes().spread(tree.marginals(), 1));
    }
}
