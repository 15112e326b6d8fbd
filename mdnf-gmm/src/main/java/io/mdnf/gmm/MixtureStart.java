package io.mdnf.gmm;

import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

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
            double[] table = random.doubles((long) data.size() * clusters).map(u -> 1 - u).toArray();
            Responsibilities.normalise(clusters, table);
            MixturePosterior posterior = new MixturePosterior(alpha, components);
            Responsibilities responsibilities = Responsibilities.of(clusters, table);
            double elbo = mixture.elbo(posterior, responsibilities).total();
            return new EmState(0, posterior, responsibilities, elbo, new double[0], 0);
        }
    },

    /** k-means++ followed by k-means; each point gives 0.99 to its cluster and shares 0.01 among the others. */
    K_MEANS {
        @Override
        public EmState of(BayesianGaussianMixture mixture, RandomGenerator random) {
            int clusters = mixture.clusters();
            requirePoints(mixture.data(), clusters);
            int[] assignment = KMeans.fit(mixture.data(), clusters, random).assignment();
            double[] table = new double[assignment.length * clusters];
            Arrays.setAll(table, at -> clusters == 1 ? 1
                    : at % clusters == assignment[at / clusters] ? 0.99 : 0.01 / (clusters - 1));
            return mixture.state(0, Responsibilities.of(clusters, table));
        }
    };

    /** Returns the state EM begins with, on at least as many points as clusters. */
    public abstract EmState of(BayesianGaussianMixture mixture, RandomGenerator random);

    private static void requirePoints(GaussianMixtureData data, int clusters) {
        Check.that(data.size() >= clusters, "clusters is " + clusters + "; the data have only " + data.size()
                + " rows");
    }

    /** The first entries of a Fisher-Yates shuffle. */
    private static int[] distinct(int size, int count, RandomGenerator random) {
        int[] indices = IntStream.range(0, size).toArray();
        int[] chosen = new int[count];
        for (int i = 0; i < count; i++) {
            int other = i + random.nextInt(size - i);
            chosen[i] = indices[other];
            indices[other] = indices[i];
        }
        return chosen;
    }
}
