package io.mdnf.gmm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BayesianGaussianMixtureTest {

    @Test
    @Tag("slow")
    void everyTermOfTheElboEqualsItsMonteCarloMeanForArbitraryResponsibilities() {
        RandomGenerator random = new SplittableRandom(11);
        BayesianGaussianMixture mixture = BayesianGaussianMixture.standard(points(12, 2, random), 2);
        MixturePosterior posterior = mixture.state(0, randomResponsibilities(12, 2, random)).posterior();
        // Neither the optimum of the other: the bound must hold off the path of EM too.
        Responsibilities r = randomResponsibilities(12, 2, random);
        MixtureElbo elbo = mixture.elbo(posterior, r);
        double[] exact = {elbo.logLikelihood(), elbo.logAllocations(), elbo.logWeights(), elbo.logComponents(),
            elbo.weightEntropy(), elbo.componentEntropy(), elbo.total() - elbo.allocationEntropy()};

        int draws = 20_000;
        double[] sums = new double[exact.length];
        double[] squares = new double[exact.length];
        for (int s = 0; s < draws; s++) {
            double[] terms = sampledTerms(mixture, posterior, r, random);
            for (int i = 0; i < terms.length; i++) {
                sums[i] += terms[i];
                squares[i] += terms[i] * terms[i];
            }
        }
        for (int i = 0; i < exact.length; i++) {
            double mean = sums[i] / draws;
            double error = Math.sqrt((squares[i] / draws - mean * mean) / draws);
            // The error must be telling; five of them give a false alarm in one of 240,000 seeds over the seven terms.
            assertThat(error).isLessThan(0.1);
            assertThat(exact[i]).as("term %d", i).isCloseTo(mean, within(5 * error));
        }
        double entropy = 0;
        for (double[] row : r.toArray()) {
            for (double share : row) {
                entropy -= share * Math.log(share);
            }
        }
        assertThat(elbo.allocationEntropy()).isCloseTo(entropy, within(1e-12));
    }

    /** The log densities at one draw of (pi, mu, Lambda), Z averaged out, in the order of the test; their sum last. */
    private static double[] sampledTerms(BayesianGaussianMixture mixture, MixturePosterior q, Responsibilities r,
                                         RandomGenerator random) {
        double[] alpha = q.alpha();
        double[] priorAlpha = new double[alpha.length];
        Arrays.fill(priorAlpha, mixture.prior().alpha());
        double[] pi = BruteForce.dirichlet(alpha, random);
        double[] terms = new double[7];
        terms[2] = BruteForce.logDirichlet(pi, priorAlpha);
        terms[4] = -BruteForce.logDirichlet(pi, alpha);
        for (int k = 0; k < alpha.length; k++) {
            GaussWishart component = q.components().get(k);
            double[][] lambda = BruteForce.wishart(component, random);
            double[] mu = BruteForce.normal(component.mean(), component.beta(), lambda, random);
            terms[3] += BruteForce.logGaussWishart(mu, lambda, mixture.prior().component());
            terms[5] -= BruteForce.logGaussWishart(mu, lambda, component);
            for (int n = 0; n < r.size(); n++) {
                terms[0] += r.get(n, k) * BruteForce.logNormal(mixture.data().row(n), mu, lambda);
                terms[1] += r.get(n, k) * Math.log(pi[k]);
            }
        }
        terms[6] = Arrays.stream(terms).sum();
        return terms;
    }

    @Test
    void elboFromStatisticsEqualsTheSumOverPoints() {
        RandomGenerator random = new SplittableRandom(5);
        BayesianGaussianMixture mixture = BayesianGaussianMixture.standard(points(40, 4, random), 3);
        MixturePosterior posterior = mixture.state(0, randomResponsibilities(40, 3, random)).posterior();
        Responsibilities r = randomResponsibilities(40, 3, random);
        MixtureElbo elbo = mixture.elbo(posterior, r);
        double likelihood = 0;
        for (int n = 0; n < 40; n++) {
            for (int k = 0; k < 3; k++) {
                likelihood += r.get(n, k) * posterior.components().get(k)
                        .expectedLogLikelihood(mixture.data().row(n));
            }
        }
        // Same sum in another order: only rounding, about 1e-16 of terms of size 1e3.
        assertThat(elbo.logLikelihood()).isCloseTo(likelihood, within(1e-10));
        double[] joint = posterior.expectedLogJoint(mixture.data());
        double both = 0;
        for (int n = 0; n < 40; n++) {
            for (int k = 0; k < 3; k++) {
                both += r.get(n, k) * joint[n * 3 + k];
            }
        }
        assertThat(elbo.logLikelihood() + elbo.logAllocations()).isCloseTo(both, within(1e-10));
    }

    @Test
    void withOneClusterTheElboIsTheLogEvidence() {
        // With K = 1 q(mu, Lambda) is the exact posterior, so the bound is tight; the evidence by the chain rule is
        // the product of Student t predictions, written here for one dimension from the normal-gamma model.
        double[] xs = {1.3, -0.2, 0.7, 2.9, 1.1, -1.4};
        double[][] rows = new double[xs.length][];
        for (int n = 0; n < xs.length; n++) {
            rows[n] = new double[] {xs[n]};
        }
        GaussianMixtureData data = GaussianMixtureData.of(rows);
        GaussWishart prior = new GaussWishart(0.5, 2.5, new double[] {0.3}, new double[][] {{1.7}});
        BayesianGaussianMixture mixture = new BayesianGaussianMixture(data, new MixturePrior(1, 1, prior));
        double elbo = mixture.state(1, ones(xs.length)).elbo();

        double beta = 0.5;
        double nu = 2.5;
        double mean = 0.3;
        double inverse = 1.7;
        double evidence = 0;
        for (double x : xs) {
            // x - mean over sqrt(inverse (1 + beta) / (beta nu)) is Student t with nu degrees of freedom.
            double spread = inverse * (1 + beta) / (beta * nu);
            double z = (x - mean) * (x - mean) / spread;
            evidence += BruteForce.logGamma((nu + 1) / 2) - BruteForce.logGamma(nu / 2)
                    - 0.5 * Math.log(nu * Math.PI * spread) - (nu + 1) / 2 * Math.log(1 + z / nu);
            inverse += beta / (1 + beta) * (x - mean) * (x - mean);
            mean = (beta * mean + x) / (beta + 1);
            beta += 1;
            nu += 1;
        }
        assertThat(elbo).isCloseTo(evidence, within(1e-9));
        GaussWishart posterior = mixture.state(0, ones(xs.length)).posterior().components().get(0);
        assertThat(posterior.beta()).isCloseTo(beta, within(1e-12));
        assertThat(posterior.nu()).isCloseTo(nu, within(1e-12));
        assertThat(posterior.mean()[0]).isCloseTo(mean, within(1e-12));
        assertThat(posterior.inverseScale()[0][0]).isCloseTo(inverse, within(1e-12));
    }

    @Test
    void oneClusterEvidenceFollowsTheChainRuleInSeveralDimensions() {
        RandomGenerator random = new SplittableRandom(3);
        GaussianMixtureData data = points(15, 3, random);
        MixturePrior prior = MixturePrior.standard(data, 1);
        double evidence = prior.component().predictiveLogDensity(data.row(0));
        for (int n = 1; n < data.size(); n++) {
            GaussianMixtureData seen = GaussianMixtureData.of(Arrays.copyOf(data.toArray(), n));
            evidence += new BayesianGaussianMixture(seen, prior).state(0, ones(n)).posterior()
                    .predictiveLogDensity(data.row(n));
        }
        assertThat(new BayesianGaussianMixture(data, prior).state(1, ones(15)).elbo())
                .isCloseTo(evidence, within(1e-9));
    }

    @Test
    void closedFormExpectationIsTheBestOfAllResponsibilities() {
        RandomGenerator random = new SplittableRandom(7);
        BayesianGaussianMixture mixture = BayesianGaussianMixture.standard(points(30, 2, random), 3);
        MixturePosterior posterior = mixture.state(0, randomResponsibilities(30, 3, random)).posterior();
        Responsibilities best = posterior.responsibilities(mixture.data());
        double optimum = mixture.elbo(posterior, best).total();
        for (int trial = 0; trial < 500; trial++) {
            double step = Math.pow(10, -4 * random.nextDouble());
            double[][] r = best.toArray();
            double[][] other = randomResponsibilities(30, 3, random).toArray();
            for (int n = 0; n < 30; n++) {
                for (int k = 0; k < 3; k++) {
                    r[n][k] = (1 - step) * r[n][k] + step * other[n][k];
                }
            }
            assertThat(mixture.elbo(posterior, Responsibilities.of(r)).total()).isLessThan(optimum);
        }
    }

    @Test
    void closedFormMaximisationIsTheBestOfAllPosteriors() {
        RandomGenerator random = new SplittableRandom(8);
        BayesianGaussianMixture mixture = BayesianGaussianMixture.standard(points(30, 2, random), 2);
        Responsibilities r = randomResponsibilities(30, 2, random);
        MixturePosterior best = mixture.state(0, r).posterior();
        double optimum = mixture.elbo(best, r).total();
        for (int trial = 0; trial < 300; trial++) {
            double size = Math.pow(10, -3 * random.nextDouble());
            double[] alpha = best.alpha();
            List<GaussWishart> components = new ArrayList<>();
            for (int k = 0; k < 2; k++) {
                alpha[k] *= Math.exp(size * random.nextGaussian());
                GaussWishart c = best.components().get(k);
                double[] mean = c.mean();
                double[][] inverse = c.inverseScale();
                for (int d = 0; d < 2; d++) {
                    mean[d] += size * random.nextGaussian();
                }
                double stretch = Math.exp(size * random.nextGaussian());
                for (double[] row : inverse) {
                    row[0] *= stretch;
                    row[1] *= stretch;
                }
                components.add(new GaussWishart(c.beta() * Math.exp(size * random.nextGaussian()),
                        1 + (c.nu() - 1) * Math.exp(size * random.nextGaussian()), mean, inverse));
            }
            assertThat(mixture.elbo(new MixturePosterior(alpha, components), r).total()).isLessThan(optimum);
        }
    }

    @Test
    void predictiveDensityIntegratesToOneInOneDimension() {
        RandomGenerator random = new SplittableRandom(2);
        BayesianGaussianMixture mixture = BayesianGaussianMixture.standard(points(9, 1, random), 2);
        MixturePosterior posterior = mixture.state(0, randomResponsibilities(9, 2, random)).posterior();
        // x = tan(t) maps the line to (-pi/2, pi/2); the midpoint rule then converges fast even for heavy tails.
        int cells = 200_000;
        double sum = 0;
        for (int i = 0; i < cells; i++) {
            double t = Math.PI * ((i + 0.5) / cells - 0.5);
            double x = Math.tan(t);
            sum += Math.exp(posterior.predictiveLogDensity(new double[] {x})) * (1 + x * x) * Math.PI / cells;
        }
        assertThat(sum).isCloseTo(1, within(1e-8));
    }

    @Test
    void predictiveDensityIntegratesToOneInTwoDimensions() {
        RandomGenerator random = new SplittableRandom(2);
        BayesianGaussianMixture mixture = BayesianGaussianMixture.standard(points(20, 2, random), 3);
        MixturePosterior posterior = mixture.state(0, randomResponsibilities(20, 3, random)).posterior();
        int cells = 600;
        double sum = 0;
        for (int i = 0; i < cells; i++) {
            double x = Math.tan(Math.PI * ((i + 0.5) / cells - 0.5));
            for (int j = 0; j < cells; j++) {
                double y = Math.tan(Math.PI * ((j + 0.5) / cells - 0.5));
                sum += Math.exp(posterior.predictiveLogDensity(new double[] {x, y})) * (1 + x * x) * (1 + y * y);
            }
        }
        assertThat(sum * Math.PI * Math.PI / cells / cells).isCloseTo(1, within(1e-4));
    }

    @Test
    void anEmptyClusterKeepsThePrior() {
        RandomGenerator random = new SplittableRandom(1);
        BayesianGaussianMixture mixture = BayesianGaussianMixture.standard(points(10, 2, random), 2);
        double[][] r = new double[10][2];
        for (double[] row : r) {
            row[0] = 1;
        }
        MixturePosterior posterior = mixture.state(0, Responsibilities.of(r)).posterior();
        GaussWishart prior = mixture.prior().component();
        assertThat(posterior.components().get(1).mean()).isEqualTo(prior.mean());
        assertThat(posterior.components().get(1).inverseScale()).isEqualTo(prior.inverseScale());
        assertThat(posterior.alpha()[1]).isEqualTo(mixture.prior().alpha());
        assertThat(mixture.elbo(posterior, Responsibilities.of(r)).total()).isFinite();
    }

    @Test
    void aFarOriginCostsNoDigits() {
        RandomGenerator random = new SplittableRandom(4);
        double[][] near = points(50, 2, random).toArray();
        double[][] far = new double[50][2];
        for (int n = 0; n < 50; n++) {
            // Powers of two so that the shift itself is nearly exact.
            far[n][0] = near[n][0] + 1048576;
            far[n][1] = near[n][1] - 1048576;
        }
        Responsibilities r = randomResponsibilities(50, 2, random);
        double here = BayesianGaussianMixture.standard(GaussianMixtureData.of(near), 2).state(1, r).elbo();
        double there = BayesianGaussianMixture.standard(GaussianMixtureData.of(far), 2).state(1, r).elbo();
        // The ELBO is invariant to translation; 1e6 eats 6 of 16 digits of each point.
        assertThat(there).isCloseTo(here, within(1e-6));
    }

    @Test
    void constantColumnsAreTolerated() {
        GaussianMixtureData data = GaussianMixtureData.of(new double[][] {{1, 7}, {2, 7}, {3, 7}, {9, 7}});
        assertThat(data.constantColumns()).containsExactly("column 2");
        BayesianGaussianMixture mixture = BayesianGaussianMixture.standard(data, 2);
        EmState start = MixtureStart.K_MEANS.of(mixture, new SplittableRandom(1));
        assertThat(VariationalEm.closedForm(mixture, VariationalEm.STANDARD).fit(start, state -> { }).elbo())
                .isFinite();
    }

    @Test
    void partsThatDoNotFitAreNamed() {
        RandomGenerator random = new SplittableRandom(1);
        GaussianMixtureData two = points(5, 2, random);
        MixturePosterior q = BayesianGaussianMixture.standard(two, 2)
                .state(0, randomResponsibilities(5, 2, random)).posterior();
        assertThatThrownBy(() -> q.responsibilities(points(5, 3, random)))
                .hasMessage("the data have 3 columns; the mixture has 2 dimensions");
        assertThatThrownBy(() -> BayesianGaussianMixture.standard(two, 2)
                .state(0, randomResponsibilities(4, 2, random)).posterior())
                .hasMessage("there are responsibilities for 4 points; the data have 5");
        assertThatThrownBy(() -> BayesianGaussianMixture.standard(two, 0)).hasMessageContaining("clusters is 0");
        assertThatThrownBy(() -> new GaussWishart(1, 0.5, new double[2], new double[][] {{1, 0}, {0, 1}}))
                .hasMessageContaining("nu is 0.5");
        assertThatThrownBy(() -> new GaussWishart(1, 3, new double[2], new double[][] {{1, 2}, {2, 1}}))
                .hasMessageContaining("not positive definite");
        assertThatThrownBy(() -> new GaussWishart(1, 3, new double[2], new double[][] {{1, 0.1}, {0.2, 1}}))
                .hasMessageContaining("not symmetric");
        assertThatThrownBy(() -> Responsibilities.of(new double[][] {{0.5, 0.6}})).hasMessageContaining("row 0 sums");
        assertThatThrownBy(() -> Responsibilities.of(new double[][] {{1.5, -0.5}})).hasMessageContaining("r[0, 1]");
        assertThatThrownBy(() -> Responsibilities.of(new double[][] {{Double.NaN, 1}})).hasMessageContaining("NaN");
    }

    static GaussianMixtureData points(int size, int dimension, RandomGenerator random) {
        double[][] rows = new double[size][dimension];
        for (double[] row : rows) {
            double centre = random.nextBoolean() ? 2 : -1;
            for (int d = 0; d < dimension; d++) {
                row[d] = centre + random.nextGaussian();
            }
        }
        return GaussianMixtureData.of(rows);
    }

    static Responsibilities randomResponsibilities(int size, int clusters, RandomGenerator random) {
        double[] concentration = new double[clusters];
        Arrays.fill(concentration, 1);
        double[][] r = new double[size][];
        for (int n = 0; n < size; n++) {
            r[n] = BruteForce.dirichlet(concentration, random);
        }
        return Responsibilities.of(r);
    }

    private static Responsibilities ones(int size) {
        double[][] r = new double[size][1];
        for (double[] row : r) {
            row[0] = 1;
        }
        return Responsibilities.of(r);
    }
}
