package io.mdnf.mixture;

import io.mdnf.graph.ParameterValues;
import java.util.Arrays;

/** A mixture's weights as numbers. */
final class PosteriorWeights {

    private PosteriorWeights() {}

    /** rho [B] of a JOINT mixture. */
    static double[] joint(Mixture mixture, ParameterValues values) {
        return rows(mixture, values, 1);
    }

    /** rho, flat [D, B], of a PER_VARIABLE mixture. */
    static double[] perVariable(Mixture mixture, ParameterValues values) {
        return rows(mixture, values, mixture.codes().variables());
    }

    private static double[] rows(Mixture mixture, ParameterValues values, int rows) {
        int components = mixture.components();
        double[] rho = new double[rows * components];
        if (mixture.weighting() == Weighting.EQUAL) {
            Arrays.fill(rho, 1.0 / components);
            return rho;
        }
        double[] logits = values.read(mixture.weightLogits().name());
        for (int row = 0; row < rows; row++) {
            double peak = Double.NEGATIVE_INFINITY;
            for (int b = 0; b < components; b++) {
                peak = Math.max(peak, logits[row * components + b]);
            }
            double sum = 0;
            for (int b = 0; b < components; b++) {
                rho[row * components + b] = Math.exp(logits[row * components + b] - peak);
                sum += rho[row * components + b];
            }
            for (int b = 0; b < components; b++) {
                rho[row * components + b] /= sum;
            }
        }
        return rho;
    }

    /** The same row n times. */
    static double[] repeated(double[] row, int n) {
        double[] repeated = new double[row.length * n];
        for (int i = 0; i < n; i++) {
            System.arraycopy(row, 0, repeated, i * row.length, row.length);
        }
        return repeated;
    }
}
