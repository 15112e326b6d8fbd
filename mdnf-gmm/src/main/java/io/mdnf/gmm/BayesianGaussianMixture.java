package io.mdnf.gmm;

import io.mdnf.space.Check;

/**
 * A Bayesian Gaussian mixture over given data: pi ~ Dirichlet, (mu_k, Lambda_k) ~ Gauss-Wishart, z_n ~ pi,
 * x_n ~ Normal(mu_{z_n}, Lambda_{z_n}^-1), with the closed forms of its variational posterior
 * {@code q(Z) q(pi, mu, Lambda)}.
 *
 * <p>The two steps of EM are separate, so that a flow can take the place of {@link MixturePosterior#responsibilities}.
 *
 * @param data the points
 * @param prior the prior, of the data's dimension
 */
public record BayesianGaussianMixture(GaussianMixtureData data, MixturePrior prior) {

    /** Checks that prior and data fit. */
    public BayesianGaussianMixture {
        Check.that(prior.component().dimension() == data.dimension(), "the prior has dimension "
                + prior.component().dimension() + "; the data have " + data.dimension() + " columns");
    }

    /** Returns a mixture of K clusters with the paper's prior, {@link MixturePrior#standard}. */
    public static BayesianGaussianMixture standard(GaussianMixtureData data, int clusters) {
        return new BayesianGaussianMixture(data, MixturePrior.standard(data, clusters));
    }

    /** {@return K} */
    public int clusters() {
        return prior.clusters();
    }

    /** Returns the terms of the ELBO of any posterior with any responsibilities. */
    MixtureElbo elbo(MixturePosterior posterior, Responsibilities responsibilities) {
        Check.that(posterior.clusters() == clusters() && responsibilities.clusters() == clusters(), "the posterior has "
                + posterior.clusters() + " clusters and the responsibilities " + responsibilities.clusters()
                + "; the prior has " + clusters());
        return MixtureElbo.of(prior, posterior, ClusterStatistics.of(data, responsibilities),
                responsibilities.entropy());
    }

    /**
     * Returns the state of EM after so many steps and an E-step, closed form or not, that gave these responsibilities:
     * M-step (the q(pi, mu, Lambda) with the highest ELBO given q(Z)) and ELBO in one pass.
     */
    public EmState state(int step, Responsibilities responsibilities) {
        ClusterStatistics statistics = ClusterStatistics.of(data, responsibilities);
        MixturePosterior posterior = prior.updated(statistics);
        double elbo = MixtureElbo.of(prior, posterior, statistics, responsibilities.entropy()).total();
        return new EmState(step, posterior, responsibilities, elbo, new double[0], 0);
    }
}
