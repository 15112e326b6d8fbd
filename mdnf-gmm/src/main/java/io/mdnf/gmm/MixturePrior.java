package io.mdnf.gmm;

import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.List;

/**
 * The prior of a Bayesian Gaussian mixture: weights ~ Dirichlet(alpha, ..., alpha) over K clusters, and every cluster's
 * mean and precision from the same Gauss-Wishart.
 *
 * @param clusters K, at least 1
 * @param alpha the Dirichlet parameter, positive; below 1 it favours using few clusters
 * @param component the Gauss-Wishart of each cluster
 */
public record MixturePrior(int clusters, double alpha, GaussWishart component) {

    /** Checks the ranges. */
    public MixturePrior {
        Check.that(clusters >= 1, "clusters is " + clusters + "; at least 1 is needed");
        Check.that(alpha > 0 && !Double.isInfinite(alpha), "alpha is " + alpha + "; it must be positive and finite");
    }

    /** Returns the paper's prior: alpha = 1/K, m = mean of the data, beta = 1, nu = D, W = identity. */
    public static MixturePrior standard(GaussianMixtureData data, int clusters) {
        int dimension = data.dimension();
        double[][] identity = new double[dimension][dimension];
        for (int d = 0; d < dimension; d++) {
            identity[d][d] = 1;
        }
        return new MixturePrior(clusters, 1.0 / clusters, new GaussWishart(1, dimension, data.mean(), identity));
    }

    /** The posterior given the statistics of data and responsibilities (Bishop 10.58-10.63). */
    MixturePosterior updated(ClusterStatistics statistics) {
        double[] counts = statistics.counts();
        Check.that(counts.length == clusters, "the responsibilities have " + counts.length
                + " clusters; the prior has " + clusters);
        double[] alphas = new double[clusters];
        List<GaussWishart> components = new ArrayList<>();
        for (int k = 0; k < clusters; k++) {
            alphas[k] = alpha + counts[k];
            components.add(component.updated(counts[k], statistics.means()[k], statistics.scatters()[k]));
        }
        return new MixturePosterior(alphas, components);
    }
}
