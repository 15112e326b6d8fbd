package io.mdnf.gmm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CholeskyTest {

    @Test
    void inverseDeterminantAndDistanceAgreeWithGaussJordan() {
        SplittableRandom random = new SplittableRandom(1);
        for (int dimension = 1; dimension <= 24; dimension++) {
            double[][] matrix = positiveDefinite(dimension, random);
            double[][][] twin = BruteForce.inverseAndLogDet(matrix);
            double[] flat = new double[dimension * dimension];
            double[] x = new double[dimension];
            for (int i = 0; i < dimension; i++) {
                System.arraycopy(matrix[i], 0, flat, i * dimension, dimension);
                x[i] = random.nextGaussian();
            }
            Cholesky cholesky = Cholesky.of(flat, dimension);
            // Condition numbers here are below 1e4, so at most 4 of 16 digits are lost.
            assertThat(cholesky.logDeterminant()).isCloseTo(twin[1][0][0], within(1e-10));
            double[] inverse = cholesky.inverse();
            for (int i = 0; i < dimension; i++) {
                for (int j = 0; j < dimension; j++) {
                    assertThat(inverse[i * dimension + j]).isCloseTo(twin[0][i][j], within(1e-10));
                    assertThat(inverse[i * dimension + j]).isEqualTo(inverse[j * dimension + i]);
                }
            }
            double[] origin = new double[dimension];
            assertThat(cholesky.distance(x, 0, origin, new double[dimension]))
                    .isCloseTo(BruteForce.quadratic(x, origin, twin[0]), within(1e-10));
        }
    }

    @Test
    void whatIsNotPositiveDefiniteIsRefused() {
        assertThatThrownBy(() -> Cholesky.of(new double[] {1, 2, 2, 1}, 2)).hasMessageContaining("pivot 1 is -3.0");
        assertThatThrownBy(() -> Cholesky.of(new double[] {0}, 1)).hasMessageContaining("pivot 0 is 0.0");
        assertThatThrownBy(() -> Cholesky.of(new double[] {Double.NaN}, 1)).hasMessageContaining("NaN");
    }

    private static double[][] positiveDefinite(int dimension, SplittableRandom random) {
        double[][] root = new double[dimension][dimension + 4];
        for (double[] row : root) {
            for (int j = 0; j < row.length; j++) {
                row[j] = random.nextGaussian();
            }
        }
        double[][] matrix = BruteForce.multiply(root, BruteForce.transpose(root));
        for (int i = 0; i < dimension; i++) {
            matrix[i][i] += 0.1;
        }
        return matrix;
    }
}
