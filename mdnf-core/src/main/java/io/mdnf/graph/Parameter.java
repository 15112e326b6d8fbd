package io.mdnf.graph;

import io.mdnf.space.Check;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * A trainable tensor by a name, unique within the graph, in which parts nest with "/": its static shape, and where its
 * first values come from.
 *
 * <p>Example: {@code new Parameter("logits", Initialiser.normal(1), components, variables, categories)}.
 */
public record Parameter(String name, Initialiser initialiser, long... shape) {

    /** Copies the shape, so that the record is a value. */
    public Parameter {
        Check.that(!name.isEmpty(), "name is empty: a parameter needs a name");
        Check.that(LongStream.of(shape).allMatch(extent -> extent >= 1), "shape = " + Arrays.toString(shape)
                + " of parameter " + name + ": every extent must be at least 1");
        shape = shape.clone();
    }

    @Override
    public long[] shape() {
        return shape.clone();
    }

    /** Returns the number of trainable values. */
    public int size() {
        return Shapes.size(shape);
    }

    /** Returns the same parameter as part of a larger whole, named scope/name. */
    public Parameter under(String scope) {
        return new Parameter(scope + "/" + name, initialiser, shape);
    }

    @Override
    public String toString() {
        return name + Arrays.toString(shape);
    }
}
