package io.mdnf.graph;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.nd4j.autodiff.functions.DifferentialFunction;
import org.nd4j.autodiff.samediff.VariableType;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.DynamicCustomOp;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.INDArrayIndex;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * What a plan does otherwise on a device than ND4J: matrix products there are calls of cuBLAS on results that lie row
 * by row, batches of them one large product, gradients of products two products, joined arrays and parts of arrays the
 * same memory. ND4J's own allocate memory in every step and make a call for every matrix of a batch.
 */
final class DeviceCalls implements OperationCalls {

    /** Elements up to which a batch of matrices is laid out as one: 64 MB. */
    private static final long LARGEST = 1 << 24;

    /** Elements of a result that is fetched with others. */
    private static final int SMALL = 4096;

    private final PlanCompiler plan;

    DeviceCalls(PlanCompiler plan) {
        this.plan = plan;
    }

    @Override
    public boolean add(DifferentialFunction function, String name, INDArray[] inputs, List<String> outputs) {
        if (!(function instanceof DynamicCustomOp operation)) {
            return false;
        }
        long[] arguments = operation.iArgs();
        boolean left = isSet(arguments, 0);
        boolean right = isSet(arguments, 1);
        return switch (function.opName()) {
            case "matmul" -> !isSet(arguments, 2) && inputs[0].rank() == inputs[1].rank()
                    && product(inputs[0], left, inputs[1], right, outputs.get(0));
            case "matmul_bp" -> !left && !isSet(arguments, 2) && inputs[0].rank() == inputs[1].rank()
                    && productGradients(inputs, right, outputs);
            case "multiply_bp" -> Shapes.areEqual(inputs) && factorGradients(inputs, outputs);
            case "divide_bp" -> Shapes.areEqual(inputs) && quotientGradients(inputs, outputs);
            case "concat" -> operation.bArgs().length == 0 && concat(inputs, (int) arguments[0], outputs.get(0));
            case "slice" -> slice(inputs[0], arguments, outputs.get(0));
            case "concat_bp" -> operation.bArgs().length == 0 && parts(inputs, (int) arguments[0], outputs);
            default -> false;
        };
    }

    /** Arrays of placeholders or results: of their own, or on a device parts of one, so that all that a step writes is
     * sent at once, and all that it is asked for fetched at once. */
    static Map<String, INDArray> together(Map<String, Tensor> all, DataType type, UnaryOperator<INDArray> own) {
        Map<String, INDArray> arrays = new HashMap<>();
        long length = all.values().stream().mapToLong(tensor -> aligned(size(tensor))).sum();
        INDArray together = Backend.isHost() ? null : own.apply(Nd4j.zeros(type, Math.max(1, length)).detach());
        long start = 0;
        for (Tensor tensor : all.values()) {
            boolean alone = Backend.isHost() || tensor.size() == 0;
            long[] shape = tensor.graph().ofRuns(tensor.shape());
            arrays.put(tensor.name(), alone
                    ? own.apply(Nd4j.createUninitializedDetached(type, shape)).assign(0)
                    : together.get(NDArrayIndex.interval(start, start + size(tensor))).reshape('c', shape));
            start += aligned(size(tensor));
        }
        return arrays;
    }

    /** Small results of several numbers, by name; none on the host, where nothing has to be fetched. */
    static Map<String, Tensor> results(Stream<Tensor> all) {
        return all.filter(tensor -> !Backend.isHost() && tensor.size() > 1 && tensor.size() <= SMALL
                        && tensor.variable().getVariableType() == VariableType.ARRAY
                        && tensor.variable().dataType() == tensor.graph().precision().type())
                .collect(Collectors.toMap(Tensor::name, tensor -> tensor, (a, b) -> a, LinkedHashMap::new));
    }

    /** Copies; one number by a product, since ND4J copies that on the host and then sends all that lies around it. */
    static void copy(PlanCompiler plan, INDArray from, INDArray to) {
        if (to.length() == 1) {
            INDArray one = plan.own(Nd4j.ones(to.dataType(), 1)).reshape('c', from.shape());
            plan.call(NativeCall.of("multiply", of(from, one), of(to)), from);
        } else {
            plan.call(NativeCall.of("identity", of(from), of(to)), from);
        }
    }

    /** The elements of all runs. */
    private static long size(Tensor tensor) {
        return (long) tensor.graph().runs() * tensor.size();
    }

    /** The elements of a part, so many more that the next one starts where a device likes to read. */
    private static long aligned(long size) {
        return (size + 31) / 32 * 32;
    }

    private static boolean isSet(long[] arguments, int i) {
        return arguments.length > i && arguments[i] != 0;
    }

    private static INDArray transposed(INDArray x, boolean isTransposed) {
        int rank = x.rank();
        int[] axes = IntStream.range(0, rank).map(i -> i < rank - 2 ? i : 2 * rank - 3 - i).toArray();
        return isTransposed ? x.permute(axes) : x;
    }

    /** z = x y, [.., a, k] [.., k, b], each given transposed or not. */
    private boolean product(INDArray x, boolean transposeX, INDArray y, boolean transposeY, String name) {
        INDArray a = transposed(x, transposeX);
        INDArray b = transposed(y, transposeY);
        int rank = x.rank();
        long inner = a.size(-1);
        long[] shape = a.shape().clone();
        shape[rank - 1] = b.size(-1);
        if (rank == 2) {
            NativeCall call = NativeCall.product(x, transposeX, y, transposeY, plan.output(name, shape));
            INDArray repeated = inner != 1 ? null : plan.isOnes(y) ? x : plan.isOnes(x) ? y : null;
            plan.call(call.repeating(repeated), x, y);
        } else if (inner == 1) {
            plan.call(NativeCall.of("multiply", of(a, b), of(plan.output(name, shape))), x, y);
        } else if (a.size(-2) == 1 && plan.isOnes(x)) {
            INDArray sum = plan.output(name, shape).reshape('c', without(shape, rank - 2));
            plan.call(NativeCall.of("reduce_sum", of(b), of(sum), rank - 2), y);
        } else if (plan.runs() > 1 && rank <= 4) {
            apart(a, b, plan.output(name, shape), x, y);
        } else if (rank == 3) {
            batch(a, b, plan.output(name, shape), x, y);
        } else {
            return false;
        }
        return true;
    }

    /** The products of each run by themselves: 0 times what is not finite is not 0, and no run is to harm another. */
    private void apart(INDArray x, INDArray y, INDArray z, INDArray... reads) {
        for (long run = 0; run < plan.runs(); run++) {
            INDArrayIndex one = NDArrayIndex.point(run);
            if (x.rank() == 3) {
                plan.call(NativeCall.product(x.get(one), false, y.get(one), false, z.get(one)), reads);
            } else {
                batch(x.get(one), y.get(one), z.get(one), reads);
            }
        }
        plan.parted(z);
    }

    private static long[] without(long[] shape, int axis) {
        return IntStream.range(0, shape.length).filter(i -> i != axis).mapToLong(i -> shape[i]).toArray();
    }

    private static INDArray[] of(INDArray... arrays) {
        return arrays;
    }

    /**
     * A batch of n products as one of matrices [n a, n k] [n k, b], the first with the blocks [a, k] along its
     * diagonal; where that were too large, n products.
     */
    private void batch(INDArray x, INDArray y, INDArray z, INDArray... reads) {
        long n = x.size(0);
        long a = x.size(1);
        long k = x.size(2);
        long b = y.size(2);
        if (n * a * n * k > LARGEST) {
            for (long i = 0; i < n; i++) {
                INDArrayIndex one = NDArrayIndex.point(i);
                plan.call(NativeCall.product(x.get(one), false, y.get(one), false, z.get(one)), reads);
            }
            plan.parted(z);
            return;
        }
        INDArray blocks = plan.scratch(z, n, a, n, k);
        INDArray diagonal = plan.own(Nd4j.eye(n).castTo(z.dataType()).reshape(n, 1, n, 1).dup('c'));
        plan.call(NativeCall.of("multiply", of(expanded(x), diagonal), of(blocks)), reads[0]);
        INDArray stacked = y;
        if (Shapes.isStrided(y)) {
            stacked = plan.scratch(z, n, k, b);
            plan.call(NativeCall.of("identity", of(y), of(stacked)), reads[1]);
        }
        plan.call(NativeCall.product(blocks.reshape('c', n * a, n * k), false, stacked.reshape('c', n * k, b), false,
                z.reshape('c', n * a, b)), blocks, stacked);
    }

    /** [n, a, k] as [n, a, 1, k], whatever its strides: the same memory, which a reshape would copy. */
    private static INDArray expanded(INDArray x) {
        return Nd4j.create(x.data(), new long[] {x.size(0), x.size(1), 1, x.size(2)},
                new long[] {x.stride(0), x.stride(1), x.size(2), x.stride(2)}, x.offset(), 'c');
    }

    /** The gradients of z = x y or, transposed, x y^T: g y^T and x^T g, or g y and g^T x. */
    private boolean productGradients(INDArray[] xyg, boolean right, List<String> outputs) {
        boolean done = true;
        if (plan.isNeeded(outputs.get(0))) {
            done = product(xyg[2], false, xyg[1], !right, outputs.get(0));
        }
        if (plan.isNeeded(outputs.get(1))) {
            done &= right ? product(xyg[2], true, xyg[0], false, outputs.get(1))
                    : product(xyg[0], true, xyg[2], false, outputs.get(1));
        }
        return done;
    }

    private boolean factorGradients(INDArray[] xyg, List<String> outputs) {
        for (int half = 0; half < 2; half++) {
            if (plan.isNeeded(outputs.get(half))) {
                binary("multiply", xyg[2], xyg[1 - half], outputs.get(half));
            }
        }
        return true;
    }

    /** The gradients of x / y: g / y, and -(g / y) x / y. */
    private boolean quotientGradients(INDArray[] xyg, List<String> outputs) {
        INDArray first = plan.isNeeded(outputs.get(0)) ? binary("divide", xyg[2], xyg[1], outputs.get(0))
                : binary("divide", xyg[2], xyg[1], plan.scratch(xyg[2], xyg[2].shape()));
        if (plan.isNeeded(outputs.get(1))) {
            INDArray both = binary("multiply", first, xyg[0], plan.scratch(first, first.shape()));
            INDArray quotient = binary("divide", both, xyg[1], plan.scratch(first, first.shape()));
            INDArray minus = plan.own(Nd4j.ones(first.dataType(), 1).negi());
            binary("multiply", quotient, minus, outputs.get(1));
        }
        return true;
    }

    private INDArray binary(String operation, INDArray x, INDArray y, String name) {
        return binary(operation, x, y, plan.output(name, x.shape()));
    }

    private INDArray binary(String operation, INDArray x, INDArray y, INDArray z) {
        plan.call(NativeCall.of(operation, of(x, y), of(z)), x, y);
        return z;
    }

    /** Copies into parts of one array, which {@link DeviceFusion} has written there at once. */
    private boolean concat(INDArray[] inputs, int axis, String name) {
        long[] shape = inputs[0].shape().clone();
        shape[axis] = Arrays.stream(inputs).mapToLong(input -> input.size(axis)).sum();
        INDArray all = plan.output(name, shape);
        plan.parted(all);
        long start = 0;
        for (INDArray input : inputs) {
            copy(plan, input, part(all, axis, start, input.size(axis)));
            start += input.size(axis);
        }
        return true;
    }

    /** The gradient of what was joined: the parts of the incoming one, which comes last. */
    private boolean parts(INDArray[] inputs, int axis, List<String> outputs) {
        INDArray gradient = inputs[inputs.length - 1];
        plan.parted(gradient);
        long start = 0;
        for (int i = 0; i < outputs.size(); i++) {
            plan.alias(outputs.get(i), part(gradient, axis, start, inputs[i].size(axis)));
            start += inputs[i].size(axis);
        }
        return true;
    }

    /** A part that lies in one piece is no copy; ND4J's own view of one position of a matrix or more may be empty. */
    private boolean slice(INDArray all, long[] beginsAndSizes, String name) {
        if (Shapes.isStrided(all)) {
            return false;
        }
        int rank = all.rank();
        long[] shape = new long[rank];
        long start = 0;
        long stride = 1;
        boolean cut = false;
        for (int i = rank - 1; i >= 0; i--) {
            long size = beginsAndSizes[rank + i];
            shape[i] = size < 0 ? all.size(i) - beginsAndSizes[i] : size;
            if (cut && shape[i] > 1) {
                return false;
            }
            cut |= shape[i] < all.size(i);
            start += beginsAndSizes[i] * stride;
            stride *= all.size(i);
        }
        long length = Arrays.stream(shape).reduce(1, (x, y) -> x * y);
        plan.parted(all);
        INDArray flat = all.reshape('c', new long[] {all.length()});
        plan.alias(name, flat.get(NDArrayIndex.interval(start, start + length)).reshape('c', shape));
        return true;
    }

    private static INDArray part(INDArray all, int axis, long start, long length) {
        INDArrayIndex[] indices = new INDArrayIndex[all.rank()];
        Arrays.setAll(indices, i -> i == axis ? NDArrayIndex.interval(start, start + length) : NDArrayIndex.all());
        return all.get(indices);
    }
}
