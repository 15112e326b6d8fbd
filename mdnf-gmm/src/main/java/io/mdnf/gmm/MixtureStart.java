package io.mdnf.gmm;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Where EM begins. */
public enum MixtureStart {
    /**
     * The paper's start: means at K different random points, every cluster with N/K points' worth of confidence and
     * the prior's scale. Its responsibilities are random and only matter for the ELBO of the start itself.
     */
    RANDOM_POINTS {
        @Override
        public EmState of(BayesianGaussianMixture mixture, RandomGenerator random) {
            GaussianMixtureData data = mixture.data();
            MixturePrior prior = mixture.prior();
            int clusters = mixture.clusters();
            requirePoints(data, clusters);
            double share = (double) data.size() / clusters;
            double[] alpha = new double[clusters];
            List<GaussWishart> components = new ArrayList<>();
            int[] chosen = distinct(data.size(), clusters, random);
            for (int k = 0; k < clusters; k++) {
                alpha[k] = prior.alpha() + share;
                components.add(new GaussWishart(prior.component().beta() + share, prior.component().nu() + share,
                        data.row(chosen[k]), prior.component().inverseScale()));
            }
            double[] table = new double[data.size() * clusters];
            for (int start = 0; start < table.length; start += clusters) {
                double sum = 0;
                for (int at = start; at < start + clusters; at++) {
                    table[at] = 1 - random.nextDouble();
                    sum += table[at];
                }
                for (int at = start; at < start + clusters; at++) {
                    table[at] /= sum;
                }
            }
            MixturePosterior posterior = new MixturePosterior(alpha, components);
            Responsibilities responsibilities = Responsibilities.of(clusters, table);
            return new EmState(0, posterior, responsibilities, mixture.elbo(posterior, responsibilities).total());
        }
    },

    /** k-means++ followed by k-means; each point gives 0.99 to its cluster and shares 0.01 among the others. */
    K_MEANS {
        @Override
        public EmState of(BayesianGaussianMixture mixture, RandomGenerator random) {
            int clusters = mixture.clusters();
            requirePoints(mixture.data(), clusters);
            int[] assignment = KMeans.fit(mixture.data(), clusters, random).assignment();
            double[][] table = new double[assignment.length][clusters];
            for (int n = 0; n < assignment.length; n++) {
                for (int k = 0; k < clusters; k++) {
                    boolean own = k == assignment[n];
                    table[n][k] = clusters == 1 ? 1 : own ? 0.99 : 0.01 / (clusters - 1);
                }
            }
            return mixture.state(0, Responsibilities.of(table));
        }
    };

    /**
     * {@return the state EM begins with}
     *
     * @param mixture the model, with at least as many points as clusters
     * @param random all randomness of the start
     */
    public abstract EmState of(BayesianGaussianMixture mixture, RandomGenerator random);

    private static void requirePoints(GaussianMixtureData data, int clusters) {
        if (data.size() < clusters) {
            throw new IllegalArgumentException("clusters is " + clusters + "; the data have only " + data.size()
                    + " rows");
        }
    }

    /** The first entries of a Fisher-Yates shuffle. */
    private static int[] distinct(int size, int count, RandomGenerator random) {
        int[] indices = new int[size];
        for (int i = 0; i < size; i++) {
            indices[i] = i;
        }
        int[] chosen = new int[count];
        for (int i = 0; i < count; i++) {
            int other = i + random.nextInt(size - i);
            chosen[i] = indices[other];
            indices[other] = indices[i];
        }
        return chosen;
    }
}
