package io.mdnf.gmm;

import io.mdnf.random.Draws;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** k-means (Lloyd) from a k-means++ start, to start EM: centres [K, D] and the nearest centre of each point [N]. */
record KMeans(double[][] centres, int[] assignment) {
    /** A guard: it ends by itself when no point changes its cluster. */
    private static final int MOST_ROUNDS = 100;

    static KMeans fit(GaussianMixtureData data, int clusters, RandomGenerator random) {
        double[][] centres = plusPlus(data, clusters, random);
        int[] assignment = nearest(data, centres);
        for (int round = 0; round < MOST_ROUNDS; round++) {
            centres = means(data, assignment, centres);
            int[] next = nearest(data, centres);
            if (Arrays.equals(next, assignment)) {
                break;
            }
            assignment = next;
        }
        return new KMeans(centres, assignment);
    }

    /** Each next centre is a point drawn with probability proportional to its squared distance from those chosen. */
    private static double[][] plusPlus(GaussianMixtureData data, int clusters, RandomGenerator random) {
        double[][] centres = new double[clusters][];
        double[] distances = new double[data.size()];
        Arrays.fill(distances, Double.POSITIVE_INFINITY);
        int chosen = random.nextInt(data.size());
        for (int k = 0; k < clusters; k++) {
            centres[k] = data.row(chosen);
            double total = 0;
            for (int n = 0; n < distances.length; n++) {
                distances[n] = Math.min(distances[n], squaredDistance(data, n, centres[k]));
                total += distances[n];
            }
            chosen = total > 0 ? Draws.category(random.nextDouble() * total, distances, 0, distances.length)
                    : random.nextInt(data.size());
        }
        return centres;
    }

    private static int[] nearest(GaussianMixtureData data, double[][] centres) {
        int[] result = new int[data.size()];
        for (int n = 0; n < result.length; n++) {
            double best = Double.POSITIVE_INFINITY;
            for (int k = 0; k < centres.length; k++) {
                double distance = squaredDistance(data, n, centres[k]);
                if (distance < best) {
                    best = distance;
                    result[n] = k;
                }
            }
        }
        return result;
    }

    /** A cluster that lost all its points keeps its centre. */
    private static double[][] means(GaussianMixtureData data, int[] assignment, double[][] centres) {
        double[][] sums = new double[centres.length][data.dimension()];
        int[] counts = new int[centres.length];
        for (int n = 0; n < assignment.length; n++) {
            counts[assignment[n]]++;
            for (int d = 0; d < data.dimension(); d++) {
                sums[assignment[n]][d] += data.get(n, d);
            }
        }
        for (int k = 0; k < centres.length; k++) {
            for (int d = 0; d < data.dimension(); d++) {
                sums[k][d] = counts[k] > 0 ? sums[k][d] / counts[k] : centres[k][d];
            }
        }
        return sums;
    }

    private static double squaredDistance(GaussianMixtureData data, int n, double[] centre) {
        double sum = 0;
        for (int d = 0; d < centre.length; d++) {
            double difference = data.get(n, d) - centre[d];
            sum += difference * difference;
        }
        return sum;
    }
}
