package io.mdnf.graph;

import io.mdnf.space.Check;
import java.util.Arrays;
import org.nd4j.linalg.api.ndarray.INDArray;

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
            // not by Check, whose message is made either way: sizes are asked for in every step
            if (extent < 0 && size < 0) {
                throw new IllegalArgumentException(
                        "shape " + Arrays.toString(shape) + " has more than one open extent");
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

    static long[] insert(long[] shape, int axis, long extent) {
        long[] longer = Arrays.copyOf(shape, shape.length + 1);
        System.arraycopy(shape, axis, longer, axis + 1, shape.length - axis);
        longer[axis] = extent;
        return longer;
    }

    static int axis(long[] shape, int axis) {
        int positive = axis < 0 ? axis + shape.length : axis;
        Check.that(positive >= 0 && positive < shape.length, "axis = " + axis + " does not exist in shape "
                + Arrays.toString(shape));
        return positive;
    }

    /** The extents of a matrix product of the last two axes, batched over the leading ones. */
    static long[] product(long[] left, long[] right, boolean transposed) {
        int r = left.length;
        boolean fits = r >= 2 && r == right.length && left[r - 1] == right[transposed ? r - 1 : r - 2]
                && Arrays.equals(left, 0, r - 2, right, 0, r - 2);
        if (!fits) {
            throw new IllegalArgumentException("matmul: shapes " + Arrays.toString(left) + " and "
                    + Arrays.toString(right)
                    + (transposed ? " transposed" : "") + " do not fit; ranks and leading extents must be equal");
        }
        return with(left, r - 1, right[transposed ? r - 2 : r - 1]);
    }

    /** Whether elements are not simply one after the other, row by row; extents of 1 may have any stride. */
    static boolean isStrided(INDArray array) {
        long expected = 1;
        for (int axis = array.rank() - 1; axis >= 0; axis--) {
            if (array.size(axis) > 1 && array.stride(axis) != expected) {
                return true;
            }
            expected *= array.size(axis);
        }
        return false;
    }

    /** The elements of one matrix of a batch. */
    static double matrix(INDArray array) {
        return (double) array.size(-1) * array.size(-2);
    }

    static boolean areEqual(INDArray... arrays) {
        return Arrays.stream(arrays).allMatch(array -> Arrays.equals(array.shape(), arrays[0].shape()));
    }

    static void checkEqual(String operation, long[] left, long[] right) {
        if (!Arrays.equals(left, right)) {
            throw new IllegalArgumentException(operation + ": shapes " + Arrays.toString(left) + " and "
                    + Arrays.toString(right) + " differ; repeat the smaller one first");
        }
    }
}
