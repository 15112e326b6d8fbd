package io.mdnf.graph;

import io.mdnf.space.Check;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
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
    private final Map<Object, Tensor> made = new HashMap<>();

    Tensor(Graph graph, SDVariable variable, long[] shape) {
        this.graph = graph;
        this.variable = variable;
        this.shape = shape.clone();
    }

    /** Returns a copy of the static extents. */
    public long[] shape() {
        return shape.clone();
    }

    /** Returns one extent; the axis from 0, or negative from the end. */
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

    /** What was made of this once, by what it was made with. */
    Tensor once(Object with, Supplier<Tensor> making) {
        return made.computeIfAbsent(with, key -> making.get());
    }

    // ---- element-wise, equal shapes

    /** Returns this + other, of the same shape. */
    public Tensor plus(Tensor other) {
        Shapes.checkEqual("plus", shape, other.shape);
        return like(variable.add(other.variable));
    }

    /** Returns this - other, of the same shape. */
    public Tensor minus(Tensor other) {
        Shapes.checkEqual("minus", shape, other.shape);
        return like(variable.sub(other.variable));
    }

    /** Returns the element-wise product with a tensor of the same shape. */
    public Tensor times(Tensor other) {
        Shapes.checkEqual("times", shape, other.shape);
        return like(variable.mul(other.variable));
    }

    /** Returns the element-wise quotient by a tensor of the same shape, nowhere 0. */
    public Tensor over(Tensor other) {
        Shapes.checkEqual("over", shape, other.shape);
        return like(variable.div(other.variable));
    }

    /** Returns this + number. */
    public Tensor plus(double number) {
        return like(variable.add(number));
    }

    /** Returns this * number. */
    public Tensor times(double number) {
        return like(variable.mul(number));
    }

    /** Returns this times a tensor of shape [1, 1], such as the inverse temperature. */
    public Tensor scaledBy(Tensor scalar) {
        Shapes.checkEqual("scaledBy", scalar.shape, new long[] {1, 1});
        return isOpen() ? reshape(size(), 1).matmul(scalar).reshape(shape)
                : times(graph.ones(size(), 1).matmul(scalar).reshape(shape));
    }

    /** Returns this [rows, columns] with a row [1, columns] added to every row. */
    public Tensor plusRow(Tensor row) {
        Shapes.checkEqual("plusRow", row.shape, new long[] {1, extent(-1)});
        Check.that(rank() == 2, "plusRow: " + this + " is no matrix");
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

    /** Returns log(this + floor), the safe logarithm, finite at 0; the floor is above 0. */
    public Tensor log(double floor) {
        Check.that(floor > 0, "floor = " + floor + ": the safe logarithm needs a number above 0");
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
        SDVariable index = model().argmax(variable, inModel(rank() - 1));
        return like(model().oneHot(index, (int) shape[rank() - 1], -1, 1.0, 0.0, graph.precision().type()));
    }

    // ---- products

    /** Returns the matrix product of the last two axes, [.., rows, columns]; ranks and leading extents are equal. */
    public Tensor matmul(Tensor other) {
        return matmul(other, false);
    }

    /** Returns this * other^T, as {@link #matmul} otherwise. */
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
        return graph.runs() > 1 && rank() == 0 ? this : new Tensor(graph,
                model().sum(variable, false, IntStream.range(0, rank()).map(this::inModel).toArray()), new long[0]);
    }

    /** Returns the sums along one axis, which disappears; from 0, or negative from the end. */
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
        return new Tensor(graph, model().sum(variable, false, inModel(a)), rest);
    }

    /** Returns log(sum_k exp(this_k)) along the last axis, which disappears; finite and exact for finite entries. */
    public Tensor logSumExp() {
        return Softmax.logSum(this);
    }

    // ---- shape

    /** Returns the same elements in another shape. */
    public Tensor reshape(long... extents) {
        Check.that(Shapes.size(extents) == size(), "reshape: " + Arrays.toString(shape) + " has " + size()
                + " elements, " + Arrays.toString(extents) + " has " + Shapes.size(extents));
        return Arrays.equals(extents, shape)
                ? this
                : new Tensor(graph, variable.reshape(graph.ofRuns(Shapes.forNd4j(extents))), extents);
    }

    /** Returns the axes in another order: the old axis at each new position. */
    public Tensor permute(int... axes) {
        int[] all = IntStream.concat(IntStream.range(0, inModel(0)), IntStream.of(axes).map(this::inModel)).toArray();
        return new Tensor(graph, variable.permute(all), IntStream.of(axes).mapToLong(axis -> shape[axis]).toArray());
    }

    /** Returns the whole tensor repeated along a new first axis, [count, ..shape]. */
    public Tensor repeatLeading(long count) {
        return graph.ones(count, 1).matmul(reshape(1, size())).reshape(Shapes.insert(shape, 0, count));
    }

    /** Returns each sub-tensor repeated along a new axis: extent {@code count} inserted at {@code axis}, from 1. */
    public Tensor repeatAt(int axis, long count) {
        long outer = LongStream.of(Arrays.copyOf(shape, axis)).reduce(1, (a, b) -> a * b);
        long inner = size() / outer;
        Tensor repeated = inner == 1
                ? reshape(outer, 1).matmul(graph.ones(1, count))
                : graph.ones(outer, count, 1).matmul(reshape(outer, 1, inner));
        return repeated.reshape(Shapes.insert(shape, axis, count));
    }

    /** Returns this with an axis of extent 1 repeated to {@code count}, unless it is as long already. */
    public Tensor spread(int axis, long count) {
        if (extent(axis) == count) {
            return this;
        }
        Tensor rest = reshape(Shapes.without(shape, axis));
        return axis == 0 ? rest.repeatLeading(count) : rest.repeatAt(axis, count);
    }

    /** Returns tensors joined along an axis, from 0; they are equal in all other extents. */
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
        return new Tensor(first.graph, first.model().concat(first.inModel(axis), variables),
                Shapes.with(first.shape, axis, extent));
    }

    /** Returns {@code length} positions from {@code begin} along one axis, from 0, or negative from the end. */
    public Tensor slice(int axis, int begin, int length) {
        int a = Shapes.axis(shape, axis);
        Check.that(begin >= 0 && length >= 1 && begin + length <= shape[a], "slice: " + begin + " .. "
                + (begin + length - 1) + " does not lie within axis " + a + " of " + Arrays.toString(shape));
        int[] size = LongStream.of(graph.ofRuns(Shapes.forNd4j(shape))).mapToInt(extent -> (int) extent).toArray();
        int[] from = new int[size.length];
        from[inModel(a)] = begin;
        size[inModel(a)] = length;
        return new Tensor(graph, model().slice(variable, from, size), Shapes.with(shape, a, length));
    }

    /** Where an axis is in the model, which has one more in front if there are several runs. */
    int inModel(int axis) {
        return graph.runs() > 1 ? axis + 1 : axis;
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
