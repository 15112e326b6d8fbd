package io.mdnf.mixture;

import io.mdnf.graph.ParameterValues;
import io.mdnf.space.LogSpace;
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
        return rows(mixture, values, mixture.space().variables());
    }

    private static double[] rows(Mixture mixture, ParameterValues values, int rows) {
        int components = mixture.components();
        if (mixture.weighting() == Weighting.EQUAL) {
            double[] rho = new double[rows * components];
            Arrays.fill(rho, 1.0 / components);
            return rho;
        }
        double[] rho = values.read(mixture.weightLogits().name());
        for (int row = 0; row < rows; row++) {
            LogSpace.normalise(rho, row * components, (row + 1) * components);
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
