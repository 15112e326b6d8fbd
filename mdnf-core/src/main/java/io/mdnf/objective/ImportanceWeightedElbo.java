package io.mdnf.objective;

import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;

/**
 * The importance-weighted ELBO (Burda et al. 2015): samples are taken in groups of k consecutive ones, and each group
 * contributes log of its weighted mean of p(D, x_i) / q(x_i). A lower bound of log p(D) for every q and k, because the
 * inner mean is an unbiased estimate of p(D); for independent samples it does not fall as k grows, and k = 1 is the
 * ELBO.
 *
 * @param group k, at least 1; the number of samples must be a multiple of it
 */
public record ImportanceWeightedElbo(int group) implements Objective {

    /** Checks k. */
    public ImportanceWeightedElbo {
        Check.that(group >= 1, "group = ", group, ": at least 1 sample makes a group");
    }

    @Override
    public Tensor estimate(Tensor logJoint, Tensor logProb, Tensor weights) {
        long n = logJoint.extent(0);
        Check.that(n % group == 0, "group = ", group, " does not divide the ", n, " samples");
        long groups = n / group;
        // within a group the weights w_i * groups sum to 1 on average
        Tensor terms = logJoint.minus(logProb).plus(weights.times(groups).log(logJoint.graph().precision().tiny()));
        return terms.reshape(groups, group).logSumExp().sum().times(1.0 / groups);
    }
}
