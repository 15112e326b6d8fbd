package io.mdnf.dl4j;

import java.util.function.DoubleSupplier;
import org.nd4j.linalg.api.ndarray.INDArray;

/** The slope of a value by one entry of a parameter, which is put back. */
final class CentralDifference {

    private CentralDifference() {}

    /** A parameter as a matrix, also where it is a vector; entries of DL4J's views are reached by row and column. */
    static INDArray matrix(INDArray parameter) {
        return parameter.rank() == 1 ? parameter.reshape(1, parameter.length()) : parameter;
    }

    static double of(DoubleSupplier value, INDArray matrix, int row, int column, double step) {
        double at = matrix.getDouble(row, column);
        matrix.putScalar(row, column, at + step);
        double up = value.getAsDouble();
        matrix.putScalar(row, column, at - step);
        double slope = (up - value.getAsDouble()) / (2 * step);
        matrix.putScalar(row, column, at);
        return slope;
    }
}
