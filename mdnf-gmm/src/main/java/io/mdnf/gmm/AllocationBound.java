package io.mdnf.gmm;

import io.mdnf.distribution.GridAllocation;
import java.util.Arrays;
import java.util.stream.IntStream;

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
        return IntStream.range(0, points()).mapToDouble(n -> ofPoint(r, n)).sum();
    }

    /** The best responsibilities that are multiples of 1 / atoms, exactly. */
    double[] bestMultiples(int atoms) {
        double[] r = new double[logRho.length];
        for (int start = 0; start < r.length; start += clusters) {
            int[] counts = GridAllocation.counts(Arrays.copyOfRange(logRho, start, start + clusters), atoms);
            for (int k = 0; k < clusters; k++) {
                r[start + k] = (double) counts[k] / atoms;
            }
        }
        return r;
    }
}
