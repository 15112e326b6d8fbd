package io.mdnf.graph;

import io.mdnf.random.Draws;
import java.util.Arrays;

/**
 * Where the first values of a parameter come from.
 *
 * <p>Example: {@code Initialiser.normal(1)} for the logits of a shift.
 */
@FunctionalInterface
public interface Initialiser {

    /**
     * The first values.
     *
     * @param draws the parameter's own randomness
     * @param shape the parameter's shape
     * @return flat, row-major values
     */
    double[] values(Draws draws, long[] shape);

    /**
     * Independent normal values.
     *
     * @param deviation the standard deviation
     * @return the initialiser
     */
    static Initialiser normal(double deviation) {
        return (draws, shape) -> {
            double[] z = draws.normal("values", Shapes.size(shape));
            for (int i = 0; i < z.length; i++) {
                z[i] *= deviation;
            }
            return z;
        };
    }

    /**
     * Independent standard Gumbel values: the largest of l + values has category k with probability softmax(l)_k.
     *
     * @return the initialiser
     */
    static Initialiser gumbel() {
        return (draws, shape) -> draws.gumbel("values", Shapes.size(shape));
    }

    /**
     * The same value everywhere.
     *
     * @param value the value
     * @return the initialiser
     */
    static Initialiser constant(double value) {
        return (draws, shape) -> {
            double[] values = new double[Shapes.size(shape)];
            Arrays.fill(values, value);
            return values;
        };
    }

    /**
     * Given values.
     *
     * @param values flat, row-major
     * @return the initialiser
     */
    static Initialiser of(double... values) {
        double[] copy = values.clone();
        return (draws, shape) -> {
            if (copy.length != Shapes.size(shape)) {
                throw new IllegalArgumentException("values: " + copy.length + " given for a parameter of shape "
                        + Arrays.toString(shape));
            }
            return copy.clone();
        };
    }

    /**
     * Glorot's uniform values in +-sqrt(6 / (in + out)), where in and out are the last two extents of the shape.
     *
     * @return the initialiser
     */
    static Initialiser glorot() {
        return (draws, shape) -> {
            double limit = Math.sqrt(6.0 / (shape[shape.length - 2] + shape[shape.length - 1]));
            var rng = draws.stream("values");
            double[] values = new double[Shapes.size(shape)];
            for (int i = 0; i < values.length; i++) {
                values[i] = limit * (2 * rng.nextDouble() - 1);
            }
            return values;
        };
    }
}
