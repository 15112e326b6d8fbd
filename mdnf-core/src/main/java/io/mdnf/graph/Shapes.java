package io.mdnf.graph;

import java.util.Arrays;

/**
 * Arithmetic of shapes. A negative extent -m is open: m rows for each example of a batch whose size is known only when
 * the graph runs. The signs carry through products and quotients, so [-1, 6] has -6 elements and is also [-2, 3].
 */
final class Shapes {

    private Shapes() {}

    /** The number of elements, negative and per example if the shape is open; all our tensors fit an int. */
    static int size(long[] shape) {
        long size = 1;
        for (long extent : shape) {
            if (extent < 0 && size < 0) {
                throw new IllegalArgumentException("shape " + Arrays.toString(shape) + " has more than one open extent");
            }
            size = Math.multiplyExact(size, extent);
        }
        return Math.toIntExact(size);
    }

    /** The extents as ND4J writes them: -1 for the open one. */
    static long[] forNd4j(long[] shape) {
        return Arrays.stream(shape).map(extent -> Math.max(extent, -1)).toArray();
    }

    static long[] without(long[] shape, int axis) {
        long[] rest = new long[shape.length - 1];
        System.arraycopy(shape, 0, rest, 0, axis);
        System.arraycopy(shape, axis + 1, rest, axis, rest.length - axis);
        return rest;
    }

    static long[] with(long[] shape, int axis, long extent) {
        long[] changed = shape.clone();
        changed[axis] = extent;
        return changed;
    }

    static long[] prepend(long extent, long[] shape) {
        long[] longer = new long[shape.length + 1];
        longer[0] = extent;
        System.arraycopy(shape, 0, longer, 1, shape.length);
        return longer;
    }

    static int axis(long[] shape, int axis) {
        int positive = axis < 0 ? axis + shape.length : axis;
        if (positive < 0 || positive >= shape.length) {
            throw new IllegalArgumentException("axis = " + axis + " does not exist in shape " + Arrays.toString(shape));
        }
        return positive;
    }

    static void checkEqual(String operation, long[] left, long[] right) {
        if (!Arrays.equals(left, right)) {
            throw new IllegalArgumentException(operation + ": shapes " + Arrays.toString(left) + " and "
                    + Arrays.toString(right) + " differ; repeat the smaller one first");
        }
    }
}
