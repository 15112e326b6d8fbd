package io.mdnf.gmm;

import java.util.random.RandomGenerator;

/** Slow twins, written from the densities and not from Bishop's expectations, sharing no code with the library. */
final class BruteForce {

    private BruteForce() {
    }

    /** Determinant and inverse by Gauss-Jordan: {inverse, {{log |a|}}}. */
    static double[][][] inverseAndLogDet(double[][] a) {
        int d = a.length;
        double[][] work = new double[d][2 * d];
        for (int i = 0; i < d; i++) {
            System.arraycopy(a[i], 0, work[i], 0, d);
            work[i][d + i] = 1;
        }
        double logDet = 0;
        for (int p = 0; p < d; p++) {
            double pivot = work[p][p];
            logDet += Math.log(pivot);
            for (int j = 0; j < 2 * d; j++) {
                work[p][j] /= pivot;
            }
            for (int i = 0; i < d; i++) {
                double factor = work[i][p];
                for (int j = 0; i != p && j < 2 * d; j++) {
                    work[i][j] -= factor * work[p][j];
                }
            }
        }
        double[][] inverse = new double[d][d];
        for (int i = 0; i < d; i++) {
            System.arraycopy(work[i], d, inverse[i], 0, d);
        }
        return new double[][][] {inverse, {{logDet}}};
    }

    /** log Gamma(x) by the recurrence up to x + 1000 and the first terms of Stirling there. */
    static double logGamma(double x) {
        int shift = 1000;
        double sum = 0;
        for (int i = 0; i < shift; i++) {
            sum += Math.log(x + i);
        }
        double y = x + shift;
        // The next Stirling term, 1 / (360 y^3), is below 1e-11; the sum of logs rounds to about the same.
        return (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * y) - sum;
    }

    static double quadratic(double[] x, double[] m, double[][] matrix) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < x.length; j++) {
                sum += (x[i] - m[i]) * matrix[i][j] * (x[j] - m[j]);
            }
        }
        return sum;
    }

    static double logNormal(double[] x, double[] mu, double[][] precision) {
        double logDet = inverseAndLogDet(precision)[1][0][0];
        return 0.5 * (logDet - x.length * Math.log(2 * Math.PI) - quadratic(x, mu, precision));
    }

    static double logWishart(double[][] lambda, GaussWishart w) {
        int d = lambda.length;
        double[][][] scale = inverseAndLogDet(w.inverseScale());
        double logDetScale = -scale[1][0][0];
        double trace = 0;
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                trace += w.inverseScale()[i][j] * lambda[j][i];
            }
        }
        double multivariateGamma = d * (d - 1) / 4.0 * Math.log(Math.PI);
        for (int i = 1; i <= d; i++) {
            multivariateGamma += logGamma((w.nu() + 1 - i) / 2);
        }
        return 0.5 * (w.nu() - d - 1) * inverseAndLogDet(lambda)[1][0][0] - 0.5 * trace
                - 0.5 * w.nu() * d * Math.log(2) - 0.5 * w.nu() * logDetScale - multivariateGamma;
    }

    static double logGaussWishart(double[] mu, double[][] lambda, GaussWishart w) {
        double[][] scaled = new double[mu.length][mu.length];
        for (int i = 0; i < mu.length; i++) {
            for (int j = 0; j < mu.length; j++) {
                scaled[i][j] = w.beta() * lambda[i][j];
            }
        }
        return logNormal(mu, w.mean(), scaled) + logWishart(lambda, w);
    }

    static double logDirichlet(double[] pi, double[] alpha) {
        double total = 0;
        double sum = 0;
        for (int k = 0; k < pi.length; k++) {
            total += alpha[k];
            sum += (alpha[k] - 1) * Math.log(pi[k]) - logGamma(alpha[k]);
        }
        return sum + logGamma(total);
    }

    static double[][] choleskyLower(double[][] a) {
        int d = a.length;
        double[][] lower = new double[d][d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = a[i][j];
                for (int k = 0; k < j; k++) {
                    sum -= lower[i][k] * lower[j][k];
                }
                lower[i][j] = i == j ? Math.sqrt(sum) : sum / lower[j][j];
            }
        }
        return lower;
    }

    /** Gamma(shape, 1) by Marsaglia and Tsang. */
    static double gamma(double shape, RandomGenerator random) {
        if (shape < 1) {
            return gamma(shape + 1, random) * Math.pow(1 - random.nextDouble(), 1 / shape);
        }
        double d = shape - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = random.nextGaussian();
            double v = Math.pow(1 + c * x, 3);
            if (v > 0 && Math.log(1 - random.nextDouble()) < 0.5 * x * x + d - d * v + d * Math.log(v)) {
                return d * v;
            }
        }
    }

    static double[] dirichlet(double[] alpha, RandomGenerator random) {
        double[] pi = new double[alpha.length];
        double sum = 0;
        for (int k = 0; k < pi.length; k++) {
            pi[k] = gamma(alpha[k], random);
            sum += pi[k];
        }
        for (int k = 0; k < pi.length; k++) {
            pi[k] /= sum;
        }
        return pi;
    }

    /** Wishart(W, nu) by the Bartlett decomposition. */
    static double[][] wishart(GaussWishart w, RandomGenerator random) {
        int d = w.dimension();
        double[][] lower = choleskyLower(inverseAndLogDet(w.inverseScale())[0]);
        double[][] bartlett = new double[d][d];
        for (int i = 0; i < d; i++) {
            bartlett[i][i] = Math.sqrt(2 * gamma((w.nu() - i) / 2, random));
            for (int j = 0; j < i; j++) {
                bartlett[i][j] = random.nextGaussian();
            }
        }
        double[][] product = multiply(lower, bartlett);
        return multiply(product, transpose(product));
    }

    static double[] normal(double[] mean, double beta, double[][] lambda, RandomGenerator random) {
        int d = mean.length;
        double[][] lower = choleskyLower(inverseAndLogDet(lambda)[0]);
        double[] noise = new double[d];
        for (int i = 0; i < d; i++) {
            noise[i] = random.nextGaussian();
        }
        double[] x = mean.clone();
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                x[i] += lower[i][j] * noise[j] / Math.sqrt(beta);
            }
        }
        return x;
    }

    static double[][] multiply(double[][] a, double[][] b) {
        double[][] c = new double[a.length][b[0].length];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < b[0].length; j++) {
                for (int k = 0; k < b.length; k++) {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
        return c;
    }

    static double[][] transpose(double[][] a) {
        double[][] t = new double[a[0].length][a.length];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < a[0].length; j++) {
                t[j][i] = a[i][j];
            }
        }
        return t;
    }
}
