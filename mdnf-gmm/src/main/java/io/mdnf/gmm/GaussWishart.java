package io.mdnf.gmm;

import io.mdnf.space.Check;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.numbers.gamma.Digamma;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * The Gauss-Wishart distribution of one cluster's mean and precision, as an immutable value:
 * {@code p(mu, Lambda) = Normal(mu | m, (beta Lambda)^-1) Wishart(Lambda | W, nu)}, with m[D] and W[D, D].
 *
 * <p>It is conjugate, so prior and posterior are both of this class. The inverse scale W^-1 is what data add up in,
 * so that is what is kept (and saved): W itself is derived.
 */
public final class GaussWishart {
    private static final double LOG_TWO_PI = Math.log(2 * Math.PI);
    /** How far W^-1 may be from symmetric, relative to its largest entry. */
    private static final double SYMMETRY = 1e-9;

    private final double beta;
    private final double nu;
    private final double[] mean;
    private final double[] inverseScale;
    private final double[] scale;
    /** L of W^-1 = L L^T, lower triangular, so that v^T W v = |L^-1 v|^2. */
    private final double[][] root;
    private final double logDetScale;
    /** E[log |Lambda|] (Bishop 10.65). */
    private final double expectedLogDet;

    /**
     * A distribution from its four parameters.
     *
     * @param beta how many points the mean is worth, above 0
     * @param nu degrees of freedom, above D - 1
     * @param mean m[D]
     * @param inverseScale W^-1[D, D], symmetric and positive definite
     */
    public GaussWishart(double beta, double nu, double[] mean, double[][] inverseScale) {
        this(beta, nu, mean.clone(), flat(inverseScale, mean.length));
    }

    private GaussWishart(double beta, double nu, double[] mean, double[] inverseScale) {
        int dimension = mean.length;
        Check.that(dimension != 0, "mean is empty; it needs one entry per dimension");
        Check.that(beta > 0 && !Double.isInfinite(beta), "beta is " + beta + "; it must be positive and finite");
        Check.that(nu > dimension - 1 && !Double.isInfinite(nu), "nu is " + nu
                + "; it must be finite and above the dimension less one, " + (dimension - 1));
        for (int d = 0; d < dimension; d++) {
            Check.that(Double.isFinite(mean[d]), "mean[", d, "] is ", mean[d], "; it must be finite");
        }
        this.beta = beta;
        this.nu = nu;
        this.mean = mean;
        this.inverseScale = inverseScale;
        requireSymmetric(inverseScale, dimension);
        // only half of the matrix is read, and its symmetry was checked against the largest entry
        CholeskyDecomposition cholesky = new CholeskyDecomposition(
                new Array2DRowRealMatrix(inverseScale(), false), Double.POSITIVE_INFINITY, 0);
        this.root = cholesky.getL().getData();
        this.scale = GaussianMixtureData.flat(cholesky.getSolver().getInverse().getData());
        this.logDetScale = -2 * IntStream.range(0, dimension).mapToDouble(d -> Math.log(root[d][d])).sum();
        this.expectedLogDet = IntStream.range(0, dimension).mapToDouble(d -> Digamma.value((nu - d) / 2)).sum()
                + dimension * Math.log(2) + logDetScale;
    }

    /** {@return D} */
    public int dimension() {
        return mean.length;
    }

    /** {@return how many points the mean is worth} */
    public double beta() {
        return beta;
    }

    /** {@return the degrees of freedom of the precision} */
    public double nu() {
        return nu;
    }

    /** {@return a copy of m[D]} */
    public double[] mean() {
        return mean.clone();
    }

    /** {@return tr(W A) of a symmetric matrix A, flat [D, D]} */
    double trace(double[] matrix) {
        return IntStream.range(0, scale.length).mapToDouble(i -> scale[i] * matrix[i]).sum();
    }

    /** {@return a copy of W^-1[D, D]} */
    public double[][] inverseScale() {
        return GaussianMixtureData.rows(inverseScale, mean.length);
    }

    /**
     * Returns E[log Normal(x | mu, Lambda^-1)] over mu and Lambda of a point [D] (Bishop 10.64), {@code (E[log
     * |Lambda|] - D / beta - nu (x-m)^T W (x-m) - D log 2 pi) / 2}.
     */
    double expectedLogLikelihood(double[] x) {
        requireDimension(x);
        return expectedLogLikelihood(x, 0, new double[mean.length]);
    }

    /** The same for the point that starts at {@code offset}; {@code work} is scratch of length D. */
    double expectedLogLikelihood(double[] points, int offset, double[] work) {
        int dimension = mean.length;
        return 0.5 * (expectedLogDet - dimension / beta - nu * distance(points, offset, work)
                - dimension * LOG_TWO_PI);
    }

    /**
     * Returns log p(x) of a point [D], mu and Lambda integrated out (Bishop 10.81): a Student t with nu + 1 - D
     * degrees of freedom, mean m and precision (nu + 1 - D) beta / (1 + beta) W.
     */
    public double predictiveLogDensity(double[] x) {
        requireDimension(x);
        int dimension = mean.length;
        double freedom = nu + 1 - dimension;
        double shrink = beta / (1 + beta);
        double distance = shrink * distance(x, 0, new double[dimension]);
        return LogGamma.value((nu + 1) / 2) - LogGamma.value(freedom / 2)
                + 0.5 * (logDetScale + dimension * Math.log(shrink / Math.PI))
                - (nu + 1) / 2 * Math.log1p(distance);
    }

    /** Returns E_q[log p(mu, Lambda)] where p is this (Bishop 10.74); with q equal to this, 10.77. */
    double expectedLogDensityUnder(GaussWishart q) {
        requireDimension(q.mean);
        int dimension = mean.length;
        double gauss = 0.5 * (dimension * (Math.log(beta) - LOG_TWO_PI) + q.expectedLogDet - dimension * beta / q.beta
                - beta * q.nu * q.distance(mean, 0, new double[dimension]));
        return gauss + logNormaliser() + 0.5 * (nu - dimension - 1) * q.expectedLogDet
                - 0.5 * q.nu * q.trace(inverseScale);
    }

    /**
     * Returns the posterior after {@code count} points (a real number) of given mean and scatter (Bishop 10.60-10.63).
     */
    GaussWishart updated(double count, double[] centre, double[] scatter) {
        int dimension = mean.length;
        double newBeta = beta + count;
        double[] newMean = new double[dimension];
        double[] newInverse = new double[inverseScale.length];
        for (int d = 0; d < dimension; d++) {
            newMean[d] = (beta * mean[d] + count * centre[d]) / newBeta;
        }
        double shrink = beta * count / newBeta;
        for (int i = 0; i < dimension; i++) {
            for (int j = 0; j < dimension; j++) {
                int at = i * dimension + j;
                newInverse[at] = inverseScale[at] + scatter[at]
                        + shrink * (centre[i] - mean[i]) * (centre[j] - mean[j]);
            }
        }
        return new GaussWishart(newBeta, nu + count, newMean, newInverse);
    }

    /** log B(W, nu) of the Wishart density (Bishop B.79). */
    private double logNormaliser() {
        int dimension = mean.length;
        double logGammas = IntStream.range(0, dimension).mapToDouble(d -> LogGamma.value((nu - d) / 2)).sum();
        return -0.5 * nu * logDetScale - 0.5 * nu * dimension * Math.log(2)
                - 0.25 * dimension * (dimension - 1) * Math.log(Math.PI) - logGammas;
    }

    /** (x-m)^T W (x-m) of the point that starts at {@code offset}, by forward substitution: nothing is allocated. */
    private double distance(double[] points, int offset, double[] work) {
        double sum = 0;
        for (int i = 0; i < work.length; i++) {
            double v = points[offset + i] - mean[i];
            double[] row = root[i];
            for (int j = 0; j < i; j++) {
                v -= row[j] * work[j];
            }
            v /= row[i];
            work[i] = v;
            sum += v * v;
        }
        return sum;
    }

    private void requireDimension(double[] x) {
        Check.that(x.length == mean.length, "the point has ", x.length, " entries; this distribution has ",
                mean.length, " dimensions");
    }

    private static void requireSymmetric(double[] matrix, int dimension) {
        double largest = Arrays.stream(matrix).map(Math::abs).max().orElseThrow();
        Check.that(Double.isFinite(largest), "inverseScale has an entry that is not finite");
        for (int i = 0; i < dimension; i++) {
            for (int j = 0; j < i; j++) {
                double above = matrix[j * dimension + i];
                double below = matrix[i * dimension + j];
                Check.that(Math.abs(above - below) <= SYMMETRY * largest, "inverseScale is not symmetric: entry [", i,
                        ", ", j, "] is ", below, " and [", j, ", ", i, "] is ", above);
            }
        }
    }

    private static double[] flat(double[][] matrix, int dimension) {
        Check.that(matrix.length == dimension, "inverseScale has " + matrix.length + " rows; mean has " + dimension
                + " entries");
        for (int i = 0; i < dimension; i++) {
            Check.that(matrix[i].length == dimension, "inverseScale[", i, "] has ", matrix[i].length,
                    " entries; it needs ", dimension);
        }
        return GaussianMixtureData.flat(matrix);
    }

    @Override
    public String toString() {
        return "GaussWishart[D=" + mean.length + ", beta=" + beta + ", nu=" + nu + ", mean=" + Arrays.toString(mean)
                + "]";
    }
}
