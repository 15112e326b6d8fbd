package io.mdnf.graph;

import io.mdnf.random.Draws;
import io.mdnf.space.Check;
import java.util.Arrays;

/**
 * Where the first values of a parameter come from.
 *
 * <p>Example: {@code Initialiser.normal(1)} for the logits of a shift.
 */
@FunctionalInterface
public interface Initialiser {

    /** Returns first values, flat and row-major, from the parameter's own randomness. */
    double[] values(Draws draws, long[] shape);

    /** Returns independent normal values of a standard deviation. */
    static Initialiser normal(double deviation) {
        return (draws, shape) -> {
            double[] z = draws.normal("values", Shapes.size(shape));
            Arrays.setAll(z, i -> z[i] * deviation);
            return z;
        };
    }

    /** Returns independent standard Gumbel values: the largest of l + values is k with probability softmax(l)_k. */
    static Initialiser gumbel() {
        return (draws, shape) -> draws.gumbel("values", Shapes.size(shape));
    }

    /** Returns the same value everywhere. */
    static Initialiser constant(double value) {
        return (draws, shape) -> {
            double[] values = new double[Shapes.size(shape)];
            Arrays.fill(values, value);
            return values;
        };
    }

    /** Returns given values, flat and row-major. */
    static Initialiser of(double... values) {
        double[] copy = values.clone();
        return (draws, shape) -> {
            Check.that(copy.length == Shapes.size(shape), "values: " + copy.length + " given for a parameter of shape "
                    + Arrays.toString(shape));
            return copy.clone();
        };
    }

    /** Returns Glorot's uniform values in +-sqrt(6 / (in + out)), in and out the last two extents of the shape. */
    static Initialiser glorot() {
        return (draws, shape) -> {
            double limit = Math.sqrt(6.0 / (shape[shape.length - 2] + shape[shape.length - 1]));
            var rng = draws.stream("values");
            double[] values = new double[Shapes.size(shape)];
            Arrays.setAll(values, i -> limit * (2 * rng.nextDouble() - 1));
            return values;
        };
    }
}
