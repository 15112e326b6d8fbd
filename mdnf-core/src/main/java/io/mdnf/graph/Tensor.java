package io.mdnf.graph;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.ops.impl.controlflow.compat.StopGradient;

/**
 * A node of a {@link Graph} with a static shape, offering only operations whose gradients are right and fast.
 *
 * <p>Element-wise operations want equal shapes: the gradient of an implicit broadcast is slow in ND4J, so repetition is
 * explicit ({@link #repeatLeading}, {@link #repeatAt}) and done by a matrix product with ones.
 *
 * <p>The one exception to static shapes is for graphs inside somebody else's model ({@link Graph#adopt}): one extent
 * may be open, a negative -m for m rows per example of a batch whose size only a run knows. Whatever works row by row
 * takes such tensors; what has to know the number of rows, such as a sum over them, does not, and neither do plans.
 */
public final class Tensor {

    private final Graph graph;
    private final SDVariable variable;
    private final long[] shape;

    Tensor(Graph graph, SDVariable variable, long[] shape) {
        this.graph = graph;
        this.variable = variable;
        this.shape = shape.clone();
    }

    /** Returns a copy of the static extents. */
    public long[] shape() {
        return shape.clone();
    }

    /**
     * One extent.
     *
     * @param axis from 0, or negative from the end
     * @return its length
     */
    public long extent(int axis) {
        return shape[Shapes.axis(shape, axis)];
    }

    /** Returns the number of axes. */
    public int rank() {
        return shape.length;
    }

    /** Returns the number of elements; if one extent is open, minus the number per example. */
    public int size() {
        return Shapes.size(shape);
    }

    /** Returns whether the number of rows is known only when the graph runs. */
    public boolean isOpen() {
        return size() < 0;
    }

    /** Returns the graph this tensor belongs to. */
    public Graph graph() {
        return graph;
    }

    /** Returns the node of the underlying SameDiff model. */
    public SDVariable variable() {
        return variable;
    }

    /** Returns the node's unique name. */
    public String name() {
        return variable.name();
    }

    // ---- element-wise, equal shapes

    /**
     * Sum.
     *
     * @param other of the same shape
     * @return this + other
     */
    public Tensor plus(Tensor other) {
        Shapes.checkEqual("plus", shape, other.shape);
        return like(variable.add(other.variable));
    }

    /**
     * Difference.
     *
     * @param other of the same shape
     * @return this - other
     */
    public Tensor minus(Tensor other) {
        Shapes.checkEqual("minus", shape, other.shape);
        return like(variable.sub(other.variable));
    }

    /**
     * Element-wise product.
     *
     * @param other of the same shape
     * @return this * other
     */
    public Tensor times(Tensor other) {
        Shapes.checkEqual("times", shape, other.shape);
        return like(variable.mul(other.variable));
    }

    /**
     * Element-wise quotient.
     *
     * @param other of the same shape, nowhere 0
     * @return this / other
     */
    public Tensor over(Tensor other) {
        Shapes.checkEqual("over", shape, other.shape);
        return like(variable.div(other.variable));
    }

    /**
     * Adds a number.
     *
     * @param number the number
     * @return this + number
     */
    public Tensor plus(double number) {
        return like(variable.add(number));
    }

    /**
     * Multiplies by a number.
     *
     * @param number the number
     * @return this * number
     */
    public Tensor times(double number) {
        return like(variable.mul(number));
    }

    /**
     * Multiplies by a one-element tensor, such as the inverse temperature.
     *
     * @param scalar of shape [1, 1]
     * @return this * scalar
     */
    public Tensor scaledBy(Tensor scalar) {
        Shapes.checkEqual("scaledBy", scalar.shape, new long[] {1, 1});
        long size = size();
        if (isOpen()) {
            return reshape(size, 1).matmul(scalar).reshape(shape);
        }
        Tensor spread = graph.ones(size, 1).matmul(scalar).reshape(shape);
        return times(spread);
    }

    /**
     * Adds one row to every row.
     *
     * @param row [1, columns]
     * @return this [rows, columns] + row
     */
    public Tensor plusRow(Tensor row) {
        Shapes.checkEqual("plusRow", row.shape, new long[] {1, extent(-1)});
        if (rank() != 2) {
            throw new IllegalArgumentException("plusRow: " + this + " is no matrix");
        }
        return isOpen() ? like(variable.add(row.variable)) : plus(graph.ones(extent(0), 1).matmul(row));
    }

    /** Returns e^this. */
    public Tensor exp() {
        return like(model().math().exp(variable));
    }

    /** Returns log(this). */
    public Tensor log() {
        return like(model().math().log(variable));
    }

    /**
     * The safe logarithm, finite at 0.
     *
     * @param floor what is added before the logarithm is taken, above 0
     * @return log(this + floor)
     */
    public Tensor log(double floor) {
        if (!(floor > 0)) {
            throw new IllegalArgumentException("floor = " + floor + ": the safe logarithm needs a number above 0");
        }
        return plus(floor).log();
    }

    /** Returns max(this, 0). */
    public Tensor relu() {
        // a product with the sign: ND4J's own takes four times as long, forward and backward
        return times(stopGradient().isPositive());
    }

    /** Returns 1 where this is above 0, else 0; to be used behind a stopped gradient. */
    Tensor isPositive() {
        return like(model().math().step(variable, 0));
    }

    /** Returns 1 / (1 + e^-this). */
    public Tensor sigmoid() {
        return like(model().nn().sigmoid(variable));
    }

    /** Returns tanh(this). */
    public Tensor tanh() {
        return like(model().math().tanh(variable));
    }

    /** Returns log(1 + e^this). */
    public Tensor softplus() {
        return like(model().nn().softplus(variable));
    }

    /** Returns the softmax along the last axis. */
    public Tensor softmax() {
        return Softmax.of(this);
    }

    /** Returns the logarithm of the softmax along the last axis; finite for any finite entries. */
    public Tensor logSoftmax() {
        return Softmax.log(this);
    }

    /** Returns the same values, through which no gradient passes. */
    public Tensor stopGradient() {
        return like(new StopGradient(model(), variable).outputVariable());
    }

    /** Returns the one-hot code of the largest entry along the last axis, the first one on ties; no gradient. */
    public Tensor argmaxOneHot() {
        int last = rank() - 1;
        SDVariable index = model().argmax(variable, last);
        return like(model().oneHot(index, (int) shape[last], -1, 1.0, 0.0, graph.precision().type()));
    }

    // ---- products

    /**
     * Matrix product of the last two axes, batched over the leading ones.
     *
     * @param other of the same rank and leading extents
     * @return [.., rows, columns]
     */
    public Tensor matmul(Tensor other) {
        return matmul(other, false);
    }

    /**
     * Matrix product with a transposed second factor.
     *
     * @param other of the same rank and leading extents
     * @return this * other^T
     */
    public Tensor matmulTransposed(Tensor other) {
        return matmul(other, true);
    }

    private Tensor matmul(Tensor other, boolean transposed) {
        long[] result = Shapes.product(shape, other.shape, transposed);
        if (rank() == 2 && size() == 1 && other.size() == 1) {
            // ND4J cannot differentiate the product of two 1 x 1 matrices
            return times(other);
        }
        return new Tensor(graph, model().linalg().mmul(variable, other.variable, false, transposed, false), result);
    }

    // ---- reductions

    /** Returns the sum of all elements, shape []. */
    public Tensor sum() {
        if (rank() == 1 && !isOpen() && size() > 1) {
            // ND4J's own takes a fifth of a millisecond, however short the vector
            return reshape(1, size()).matmul(graph.ones(size(), 1)).reshape();
        }
        return new Tensor(graph, model().sum(variable, false, IntStream.range(0, rank()).toArray()), new long[0]);
    }

    /**
     * Sum along one axis, which disappears.
     *
     * @param axis from 0, or negative from the end
     * @return the sums
     */
    public Tensor sum(int axis) {
        int a = Shapes.axis(shape, axis);
        long[] rest = Shapes.without(shape, a);
        if (a == rank() - 1 && rank() > 1) {
            // a product with ones: ND4J reduces short last axes one by one
            long rows = size() / shape[a];
            return reshape(rows, shape[a]).matmul(graph.ones(shape[a], 1)).reshape(rest);
        }
        if (a == 0 && rank() > 1) {
            return graph.ones(1, shape[0]).matmul(reshape(shape[0], size() / shape[0])).reshape(rest);
        }
        if (shape[a] == 1 && rank() > 1) {
            // ND4J's session cannot sum over an extent of 1
            return reshape(rest);
        }
        return new Tensor(graph, model().sum(variable, false, a), rest);
    }

    /**
     * log sum exp along the last axis, which disappears; finite and exact for any finite entries.
     *
     * @return log(sum_k exp(this_k))
     */
    public Tensor logSumExp() {
        return Softmax.logSum(this);
    }

    // ---- shape

    /**
     * The same elements in another shape.
     *
     * @param extents the new extents
     * @return the reshaped tensor
     */
    public Tensor reshape(long... extents) {
        if (Shapes.size(extents) != size()) {
            throw new IllegalArgumentException("reshape: " + Arrays.toString(shape) + " has " + size()
                    + " elements, " + Arrays.toString(extents) + " has " + Shapes.size(extents));
        }
        return Arrays.equals(extents, shape)
                ? this
                : new Tensor(graph, variable.reshape(Shapes.forNd4j(extents)), extents);
    }

    /**
     * Axes in another order.
     *
     * @param axes the old axis at each new position
     * @return the permuted tensor
     */
    public Tensor permute(int... axes) {
        long[] permuted = new long[axes.length];
        for (int i = 0; i < axes.length; i++) {
            permuted[i] = shape[axes[i]];
        }
        return new Tensor(graph, variable.permute(axes), permuted);
    }

    /**
     * The whole tensor repeated along a new first axis.
     *
     * @param count how often
     * @return [count, ..shape]
     */
    public Tensor repeatLeading(long count) {
        return graph.ones(count, 1).matmul(reshape(1, size())).reshape(Shapes.insert(shape, 0, count));
    }

    /**
     * Each sub-tensor repeated along a new axis.
     *
     * @param axis the position of the new axis, from 1
     * @param count how often
     * @return this with extent {@code count} inserted at {@code axis}
     */
    public Tensor repeatAt(int axis, long count) {
        long outer = LongStream.of(Arrays.copyOf(shape, axis)).reduce(1, (a, b) -> a * b);
        long inner = size() / outer;
        Tensor repeated = inner == 1
                ? reshape(outer, 1).matmul(graph.ones(1, count))
                : graph.ones(outer, count, 1).matmul(reshape(outer, 1, inner));
        return repeated.reshape(Shapes.insert(shape, axis, count));
    }

    /**
     * An axis of extent 1 made longer by repetition, unless it is as long already.
     *
     * @param axis which one
     * @param count how long it shall be
     * @return this with extent {@code count} at {@code axis}
     */
    public Tensor spread(int axis, long count) {
        if (extent(axis) == count) {
            return this;
        }
        Tensor rest = reshape(Shapes.without(shape, axis));
        return axis == 0 ? rest.repeatLeading(count) : rest.repeatAt(axis, count);
    }

    /**
     * Joins tensors along an axis.
     *
     * @param axis from 0
     * @param parts equal in all other extents
     * @return the joined tensor
     */
    public static Tensor concat(int axis, Tensor... parts) {
        Tensor first = parts[0];
        long extent = 0;
        SDVariable[] variables = new SDVariable[parts.length];
        for (int i = 0; i < parts.length; i++) {
            Shapes.checkEqual("concat", Shapes.with(parts[i].shape, axis, 0), Shapes.with(first.shape, axis, 0));
            extent += parts[i].shape[axis];
            variables[i] = parts[i].variable;
        }
        if (parts.length == 1) {
            return first;
        }
        return new Tensor(first.graph, first.model().concat(axis, variables), Shapes.with(first.shape, axis, extent));
    }

    /**
     * A contiguous part along one axis.
     *
     * @param axis from 0, or negative from the end
     * @param begin the first position
     * @param length how many positions
     * @return the part
     */
    public Tensor slice(int axis, int begin, int length) {
        int a = Shapes.axis(shape, axis);
        if (begin < 0 || length < 1 || begin + length > shape[a]) {
            throw new IllegalArgumentException("slice: " + begin + " .. " + (begin + length - 1)
                    + " does not lie within axis " + a + " of " + Arrays.toString(shape));
        }
        int[] from = new int[rank()];
        int[] size = new int[rank()];
        for (int i = 0; i < rank(); i++) {
            size[i] = (int) Math.max(shape[i], -1);
        }
        from[a] = begin;
        size[a] = length;
        return new Tensor(graph, model().slice(variable, from, size), Shapes.with(shape, a, length));
    }

    private SameDiff model() {
        return graph.sameDiff();
    }

    private Tensor like(SDVariable result) {
        return new Tensor(graph, result, shape);
    }

    @Override
    public String toString() {
        return name() + Arrays.toString(shape);
    }
}
