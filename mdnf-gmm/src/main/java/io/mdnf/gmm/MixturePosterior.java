package io.mdnf.gmm;

import io.mdnf.space.Check;
import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.numbers.gamma.Digamma;

/**
 * q(pi, mu, Lambda) of a Bayesian Gaussian mixture, as an immutable value: Dirichlet(alpha[K]) over the weights times
 * one Gauss-Wishart (beta, nu, m, W) per cluster.
 *
 * <p>It answers for any points, those it was fitted to or new ones.
 *
 * @param alpha positive Dirichlet parameters [K]
 * @param components K Gauss-Wisharts of one dimension
 */
public record MixturePosterior(double[] alpha, List<GaussWishart> components) {

    /** Checks that the parts fit, and copies them. */
    public MixturePosterior {
        alpha = alpha.clone();
        components = List.copyOf(components);
        Check.that(!components.isEmpty() && alpha.length == components.size(), "there are ", alpha.length,
                " alphas and ", components.size(), " components; both must be the number of clusters, at least 1");
        for (int k = 0; k < alpha.length; k++) {
            Check.that(alpha[k] > 0 && !Double.isInfinite(alpha[k]), "alpha[", k, "] is ", alpha[k],
                    "; it must be positive and finite");
            Check.that(components.get(k).dimension() == components.get(0).dimension(), "component ", k,
                    " has dimension ", components.get(k).dimension(), "; component 0 has ",
                    components.get(0).dimension());
        }
    }

    /** {@return K} */
    public int clusters() {
        return alpha.length;
    }

    /** {@return D} */
    public int dimension() {
        return components.get(0).dimension();
    }

    /** {@return a copy of the Dirichlet parameters [K]} */
    @Override
    public double[] alpha() {
        return alpha.clone();
    }

    /** {@return E[pi][K], alpha over its sum} */
    public double[] weights() {
        double total = Arrays.stream(alpha).sum();
        return Arrays.stream(alpha).map(a -> a / total).toArray();
    }

    /** {@return E[log pi][K] (Bishop 10.66)} */
    double[] expectedLogWeights() {
        double all = Digamma.value(Arrays.stream(alpha).sum());
        return Arrays.stream(alpha).map(a -> Digamma.value(a) - all).toArray();
    }

    /**
     * Returns log rho[n, k] = E[log pi_k] + E[log Normal(x_n | mu_k, Lambda_k^-1)] (Bishop 10.46) of points of this
     * posterior's dimension, as a flat [N, K].
     *
     * <p>This is all an E-step needs: for fixed parameters the ELBO is {@code sum r log rho + entropy(r)} plus a
     * constant, whichever way q(Z) is represented.
     */
    double[] expectedLogJoint(GaussianMixtureData data) {
        Check.that(data.dimension() == dimension(), "the data have " + data.dimension() + " columns; the mixture has "
                + dimension() + " dimensions");
        double[] points = data.values();
        double[] expectedLogWeights = expectedLogWeights();
        double[] work = new double[dimension()];
        double[] result = new double[data.size() * clusters()];
        for (int k = 0; k < clusters(); k++) {
            GaussWishart component = components.get(k);
            for (int n = 0; n < data.size(); n++) {
                result[n * clusters() + k] = expectedLogWeights[k]
                        + component.expectedLogLikelihood(points, n * dimension(), work);
            }
        }
        return result;
    }

    /**
     * Returns the closed-form E-step, r[n, k] in proportion to rho[n, k] (Bishop 10.49): the q(Z) of the highest ELBO.
     */
    public Responsibilities responsibilities(GaussianMixtureData data) {
        return Responsibilities.softmax(clusters(), expectedLogJoint(data));
    }

    /** Returns log p(x | data) of a point [D], a mixture of Student t with {@link #weights()} (Bishop 10.81). */
    public double predictiveLogDensity(double[] x) {
        double[] weights = weights();
        double[] logs = new double[weights.length];
        Arrays.setAll(logs, k -> Math.log(weights[k]) + components.get(k).predictiveLogDensity(x));
        return LogSpace.sumExp(logs);
    }

    /** Returns log p(x_n | data) of every point [N]. */
    public double[] predictiveLogDensity(GaussianMixtureData data) {
        return IntStream.range(0, data.size()).mapToDouble(n -> predictiveLogDensity(data.row(n))).toArray();
    }

    @Override
    public String toString() {
        return "MixturePosterior[K=" + clusters() + ", D=" + dimension() + ", alpha=" + Arrays.toString(alpha) + "]";
    }
}
