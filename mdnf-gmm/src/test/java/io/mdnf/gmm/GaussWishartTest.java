package io.mdnf.gmm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.apache.commons.numbers.gamma.LogGamma;
import org.junit.jupiter.api.Test;

class GaussWishartTest {

    @Test
    void scaleDeterminantAndDistanceAgreeWithGaussJordan() {
        SplittableRandom random = new SplittableRandom(1);
        for (int dimension = 1; dimension <= 24; dimension++) {
            double[][] matrix = positiveDefinite(dimension, random);
            double[][][] twin = BruteForce.inverseAndLogDet(matrix);
            double[] x = random.doubles(dimension).toArray();
            double[] origin = new double[dimension];
            double nu = dimension + 1;
            GaussWishart q = new GaussWishart(1, nu, origin, matrix);
            // Condition numbers here are below 1e4, so at most 4 of 16 digits are lost.
            for (int at = 0; at < dimension * dimension; at++) {
                double[] one = new double[dimension * dimension];
                one[at] = 1;
                assertThat(q.trace(one)).isCloseTo(twin[0][at / dimension][at % dimension], within(1e-10));
            }
            // with beta = 1 and nu = D + 1: log p(m) = log Gamma(D / 2 + 1) - log Gamma(1) + (log |W| - D log 2 pi) / 2
            assertThat(2 * (q.predictiveLogDensity(origin) - LogGamma.value(dimension / 2.0 + 1))
                    + dimension * Math.log(2 * Math.PI)).isCloseTo(-twin[1][0][0], within(1e-10));
            assertThat((q.expectedLogLikelihood(origin) - q.expectedLogLikelihood(x)) * 2 / nu)
                    .isCloseTo(BruteForce.quadratic(x, origin, twin[0]), within(1e-10));
        }
    }

    @Test
    void whatIsNotPositiveDefiniteIsRefused() {
        assertThatThrownBy(() -> gaussWishart(new double[][] {{1, 2}, {2, 1}}))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("not positive definite")
                .hasMessageContaining("-3");
        assertThatThrownBy(() -> gaussWishart(new double[][] {{0}})).hasMessageContaining("not positive definite");
        assertThatThrownBy(() -> gaussWishart(new double[][] {{Double.NaN}})).hasMessageContaining("not finite");
    }

    private static GaussWishart gaussWishart(double[][] inverseScale) {
        return new GaussWishart(1, 3, new double[inverseScale.length], inverseScale);
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
