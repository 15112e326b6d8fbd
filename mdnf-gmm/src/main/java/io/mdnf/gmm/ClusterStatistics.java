package io.mdnf.gmm;

import io.mdnf.space.Check;

/**
 * All that the M-step and the ELBO need of data and responsibilities (Bishop 10.51-10.53): per cluster the count N_k,
 * the mean [D] and the scatter N_k S_k [D, D]. Two passes, so that a far-away origin costs no digits.
 */
record ClusterStatistics(double[] counts, double[][] means, double[][] scatters) {

    static ClusterStatistics of(GaussianMixtureData data, Responsibilities r) {
        Check.that(data.size() == r.size(), "there are responsibilities for " + r.size() + " points; the data have "
                + data.size());
        int clusters = r.clusters();
        int dimension = data.dimension();
        double[] points = data.values();
        double[] counts = r.counts();
        double[][] means = means(points, dimension, counts, r);
        double[][] scatters = new double[clusters][dimension * dimension];
        double[] offset = new double[dimension];
        for (int n = 0; n < r.size(); n++) {
            for (int k = 0; k < clusters; k++) {
                double share = r.get(n, k);
                if (share == 0) {
                    continue;
                }
                for (int d = 0; d < dimension; d++) {
                    offset[d] = points[n * dimension + d] - means[k][d];
                }
                double[] scatter = scatters[k];
                for (int i = 0; i < dimension; i++) {
                    double weighted = share * offset[i];
                    int row = i * dimension;
                    for (int j = 0; j <= i; j++) {
                        scatter[row + j] += weighted * offset[j];
                    }
                }
            }
        }
        for (double[] scatter : scatters) {
            mirror(scatter, dimension);
        }
        return new ClusterStatistics(counts, means, scatters);
    }

    private static double[][] means(double[] points, int dimension, double[] counts, Responsibilities r) {
        double[][] means = new double[counts.length][dimension];
        for (int n = 0; n < r.size(); n++) {
            for (int k = 0; k < counts.length; k++) {
                double share = r.get(n, k);
                for (int d = 0; d < dimension; d++) {
                    means[k][d] += share * points[n * dimension + d];
                }
            }
        }
        for (int k = 0; k < counts.length; k++) {
            for (int d = 0; d < dimension; d++) {
                // An empty cluster has no mean; any finite one does, since it is only ever weighted by its count.
                means[k][d] = counts[k] > 0 ? means[k][d] / counts[k] : 0;
            }
        }
        return means;
    }

    private static void mirror(double[] lower, int dimension) {
        for (int i = 0; i < dimension; i++) {
            for (int j = 0; j < i; j++) {
                lower[j * dimension + i] = lower[i * dimension + j];
            }
        }
    }

    /** sum_n r[n, k] E[log Normal(x_n | mu_k, Lambda_k^-1)] under q (Bishop 10.71), without touching the points. */
    double expectedLogLikelihood(GaussWishart q, int k) {
        return counts[k] * q.expectedLogLikelihood(means[k]) - 0.5 * q.nu() * q.trace(scatters[k]);
    }
}
