package io.mdnf.gmm;

/**
 * The factor L of a symmetric positive definite matrix A = L L^T, lower triangular and packed by rows. With it
 * {@code v^T A^-1 v = |L^-1 v|^2} and {@code log |A| = 2 sum log L_ii}, without ever forming an inverse.
 */
record Cholesky(int dimension, double[] factor) {

    /**
     * Factors a matrix, reading only its lower half.
     *
     * @throws IllegalArgumentException if it is not positive definite
     */
    static Cholesky of(double[] matrix, int dimension) {
        double[] factor = new double[dimension * (dimension + 1) / 2];
        for (int i = 0; i < dimension; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = matrix[i * dimension + j];
                for (int k = 0; k < j; k++) {
                    sum -= factor[row(i) + k] * factor[row(j) + k];
                }
                if (i == j && !(sum > 0 && sum < Double.POSITIVE_INFINITY)) {
                    throw new IllegalArgumentException("the matrix is not positive definite: pivot " + i + " is "
                            + sum);
                }
                factor[row(i) + j] = i == j ? Math.sqrt(sum) : sum / factor[row(j) + j];
            }
        }
        return new Cholesky(dimension, factor);
    }

    /** log |A|. */
    double logDeterminant() {
        double sum = 0;
        for (int i = 0; i < dimension; i++) {
            sum += 2 * Math.log(factor[row(i) + i]);
        }
        return sum;
    }

    /** v^T A^-1 v for v = x - mean, x starting at {@code offset}; {@code work} is scratch of length D. */
    double distance(double[] points, int offset, double[] mean, double[] work) {
        double sum = 0;
        int at = 0;
        for (int i = 0; i < dimension; i++) {
            double v = points[offset + i] - mean[i];
            for (int j = 0; j < i; j++) {
                v -= factor[at++] * work[j];
            }
            v /= factor[at++];
            work[i] = v;
            sum += v * v;
        }
        return sum;
    }

    /** A^-1 = L^-T L^-1, exactly symmetric. */
    double[] inverse() {
        double[] lower = lowerInverse();
        double[] result = new double[dimension * dimension];
        for (int i = 0; i < dimension; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = 0;
                for (int k = i; k < dimension; k++) {
                    sum += lower[row(k) + i] * lower[row(k) + j];
                }
                result[i * dimension + j] = sum;
                result[j * dimension + i] = sum;
            }
        }
        return result;
    }

    private double[] lowerInverse() {
        double[] inverse = new double[factor.length];
        for (int j = 0; j < dimension; j++) {
            inverse[row(j) + j] = 1 / factor[row(j) + j];
            for (int i = j + 1; i < dimension; i++) {
                double sum = 0;
                for (int k = j; k < i; k++) {
                    sum -= factor[row(i) + k] * inverse[row(k) + j];
                }
                inverse[row(i) + j] = sum / factor[row(i) + i];
            }
        }
        return inverse;
    }

    private static int row(int i) {
        return i * (i + 1) / 2;
    }
}
