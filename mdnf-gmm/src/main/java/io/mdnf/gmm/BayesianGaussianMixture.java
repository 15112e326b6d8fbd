package io.mdnf.gmm;

/**
 * A Bayesian Gaussian mixture over given data: pi ~ Dirichlet, (mu_k, Lambda_k) ~ Gauss-Wishart, z_n ~ pi,
 * x_n ~ Normal(mu_{z_n}, Lambda_{z_n}^-1), with the closed forms of its variational posterior
 * {@code q(Z) q(pi, mu, Lambda)}.
 *
 * <p>The two steps of EM are separate, so that a flow can take the place of the closed-form {@link #expectation}.
 *
 * @param data the points
 * @param prior the prior, of the data's dimension
 */
public record BayesianGaussianMixture(GaussianMixtureData data, MixturePrior prior) {

    /** Checks that prior and data fit. */
    public BayesianGaussianMixture {
        if (prior.component().dimension() != data.dimension()) {
            throw new IllegalArgumentException("the prior has dimension " + prior.component().dimension()
                    + "; the data have " + data.dimension() + " columns");
        }
    }

    /**
     * A mixture with the paper's prior, {@link MixturePrior#standard}.
     *
     * @param data the points
     * @param clusters K
     * @return the mixture
     */
    public static BayesianGaussianMixture standard(GaussianMixtureData data, int clusters) {
        return new BayesianGaussianMixture(data, MixturePrior.standard(data, clusters));
    }

    /** {@return K} */
    public int clusters() {
        return prior.clusters();
    }

    /**
     * The closed-form E-step: the q(Z) with the highest ELBO given the posterior of the parameters.
     *
     * @param posterior q(pi, mu, Lambda)
     * @return r[N, K]
     */
    public Responsibilities expectation(MixturePosterior posterior) {
        return posterior.responsibilities(data);
    }

    /**
     * The closed-form M-step: the q(pi, mu, Lambda) with the highest ELBO given q(Z).
     *
     * @param responsibilities r[N, K]
     * @return q(pi, mu, Lambda)
     */
    public MixturePosterior maximisation(Responsibilities responsibilities) {
        return prior.updated(ClusterStatistics.of(data, responsibilities));
    }

    /**
     * The ELBO of any posterior with any responsibilities.
     *
     * @param posterior q(pi, mu, Lambda)
     * @param responsibilities r[N, K]
     * @return the terms of the bound
     */
    public MixtureElbo elbo(MixturePosterior posterior, Responsibilities responsibilities) {
        if (posterior.clusters() != clusters() || responsibilities.clusters() != clusters()) {
            throw new IllegalArgumentException("the posterior has " + posterior.clusters()
                    + " clusters and the responsibilities " + responsibilities.clusters() + "; the prior has "
                    + clusters());
        }
        return MixtureElbo.of(prior, posterior, ClusterStatistics.of(data, responsibilities),
                responsibilities.entropy());
    }

    /**
     * The state of EM after an E-step, closed form or not, gave these responsibilities: M-step and ELBO in one pass.
     *
     * @param step the number of EM steps done
     * @param responsibilities r[N, K]
     * @return the state, with the best posterior for these responsibilities
     */
    public EmState state(int step, Responsibilities responsibilities) {
        ClusterStatistics statistics = ClusterStatistics.of(data, responsibilities);
        MixturePosterior posterior = prior.updated(statistics);
        double elbo = MixtureElbo.of(prior, posterior, statistics, responsibilities.entropy()).total();
        return new EmState(step, posterior, responsibilities, elbo);
    }
}
