package io.mdnf.graph;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.bytedeco.javacpp.Pointer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.DynamicCustomOp;
import org.nd4j.linalg.api.ops.OpContext;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.nativeblas.NativeOps;
import org.nd4j.nativeblas.NativeOpsHolder;

/**
 * One of ND4J's operations on arrays that stay the same, by hash and context: the cheapest call there is, and on a
 * device the one that waits for nothing but itself.
 */
final class NativeCall implements Runnable, AutoCloseable {

    private static final NativeOps NATIVE = NativeOpsHolder.getInstance().getDeviceNativeOps();

    /** Operations of two arrays, one of which may be a row, a column or a number. */
    private static final Set<String> BINARY = Set.of("add", "subtract", "multiply", "divide");

    private final String operation;
    private final long hash;
    private final OpContext context;
    private final Pointer pointer;
    private final INDArray[] inputs;
    private INDArray[] outputs;
    /** Whether the context has the transposed product. */
    private final boolean product;
    private INDArray repeated;

    /** An operation with a context that has its arrays. */
    NativeCall(DynamicCustomOp operation, OpContext context) {
        this(operation.opName(), operation.opHash(), context, context.getInputArrays().toArray(new INDArray[0]),
                context.getOutputArrays().toArray(new INDArray[0]), false);
    }

    private NativeCall(String operation, long hash, OpContext context, INDArray[] inputs, INDArray[] outputs,
            boolean product) {
        this.operation = operation;
        this.hash = hash;
        this.context = context;
        this.pointer = context.contextPointer();
        this.inputs = inputs;
        this.outputs = outputs;
        this.product = product;
        context.shapeFunctionOverride(true);
    }

    /** An operation of inputs that writes outputs, with integer arguments. */
    static NativeCall of(String operation, INDArray[] inputs, INDArray[] outputs, long... arguments) {
        return of(operation, inputs, outputs, outputs, arguments);
    }

    private static NativeCall of(String operation, INDArray[] inputs, INDArray[] outputs, INDArray[] results,
            long... arguments) {
        OpContext context = Nd4j.getExecutioner().buildContext();
        context.setInputArrays(inputs);
        context.setIArguments(arguments);
        for (int i = 0; i < outputs.length; i++) {
            context.setOutputArray(i, outputs[i]);
        }
        long hash = DynamicCustomOp.builder(operation).build().opHash();
        return new NativeCall(operation, hash, context, inputs, results, results != outputs);
    }

    /**
     * The product z = x y of matrices, row by row, for a device: as z^T = y^T x^T, whose result lies column by column,
     * as cuBLAS writes it. For any other ND4J duplicates the result and copies it back.
     */
    static NativeCall product(INDArray x, boolean transposeX, INDArray y, boolean transposeY, INDArray z) {
        return of("matmul", new INDArray[] {y, x}, new INDArray[] {z.permute(1, 0)}, new INDArray[] {z},
                transposeY ? 0 : 1, transposeX ? 0 : 1, 0);
    }

    /** Replaces the floating-point arguments. */
    void arguments(double... values) {
        context.setTArguments(values);
    }

    /** Has a product added to what lies where it is written. */
    void accumulate() {
        arguments(1, 1);
    }

    /** Says that a product with ones only repeats a column or a row. */
    NativeCall repeating(INDArray source) {
        repeated = source;
        return this;
    }

    /** The column or row that a product repeats, or null. */
    INDArray repeated() {
        return repeated;
    }

    boolean isProduct() {
        return product;
    }

    boolean isBinary() {
        return BINARY.contains(operation) && inputs.length == 2;
    }

    boolean is(String name) {
        return operation.equals(name);
    }

    List<INDArray> inputs() {
        return Arrays.asList(inputs);
    }

    INDArray input(int i) {
        return inputs[i];
    }

    /** The only output, or null if there are several. */
    INDArray output() {
        return outputs.length == 1 ? outputs[0] : null;
    }

    /** Has another array read in the place of an input. */
    void read(int i, INDArray array) {
        inputs[i] = array;
        context.setInputArray(i, array);
    }

    /** Has the only output written elsewhere, to an array of as many elements. */
    void writeTo(INDArray array) {
        long[] shape = outputs[0].shape();
        INDArray z = Arrays.equals(array.shape(), shape) ? array : array.reshape('c', shape);
        outputs = new INDArray[] {z};
        context.setOutputArray(0, product ? z.permute(1, 0) : z);
    }

    @Override
    public String toString() {
        return operation + Arrays.toString(outputs[0].shape());
    }

    @Override
    public void run() {
        if (NATIVE.execCustomOp2(null, hash, pointer) != 0) {
            throw new IllegalStateException("operation '" + operation + "' failed: " + NATIVE.lastErrorMessage());
        }
    }

    @Override
    public void close() {
        context.purge();
    }
}
