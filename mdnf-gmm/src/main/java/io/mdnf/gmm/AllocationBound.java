package io.mdnf.gmm;

import java.util.Arrays;

/**
 * What an E-step maximises, as a sum over points: {@code sum_k r_k (log rho_k - log r_k)} for each, in nats, where
 * log rho [N, K] is {@link MixturePosterior#expectedLogJoint}. It is concave in r and at most log sum_k rho_k.
 *
 * @param clusters K
 * @param logRho flat [N, K]
 */
record AllocationBound(int clusters, double[] logRho) {

    int points() {
        return logRho.length / clusters;
    }

    /** The bound of point n with its responsibilities in a flat table. */
    double ofPoint(double[] r, int n) {
        double sum = 0;
        for (int at = n * clusters; at < (n + 1) * clusters; at++) {
            if (r[at] > 0) {
                sum += r[at] * (logRho[at] - Math.log(r[at]));
            }
        }
        return sum;
    }

    double of(double[] r) {
        double sum = 0;
        for (int n = 0; n < points(); n++) {
            sum += ofPoint(r, n);
        }
        return sum;
    }

    /**
     * The best responsibilities that are multiples of 1 / atoms. The problem is separable and concave, so giving each
     * atom in turn to the cluster that gains most is exact.
     */
    double[] bestMultiples(int atoms) {
        double[] r = new double[logRho.length];
        int[] counts = new int[clusters];
        for (int n = 0; n < points(); n++) {
            Arrays.fill(counts, 0);
            for (int atom = 0; atom < atoms; atom++) {
                int best = 0;
                double most = Double.NEGATIVE_INFINITY;
                for (int k = 0; k < clusters; k++) {
                    double gain = logRho[n * clusters + k]
                            + negativeLogTerm(counts[k] + 1) - negativeLogTerm(counts[k]);
                    if (gain > most) {
                        most = gain;
                        best = k;
                    }
                }
                counts[best]++;
            }
            for (int k = 0; k < clusters; k++) {
                r[n * clusters + k] = (double) counts[k] / atoms;
            }
        }
        return r;
    }

    /** -c log c; the atoms' common factor and constant do not change which gain is largest. */
    private static double negativeLogTerm(int count) {
        return count == 0 ? 0 : -count * Math.log(count);
    }
}
