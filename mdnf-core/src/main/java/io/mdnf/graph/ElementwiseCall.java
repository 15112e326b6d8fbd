package io.mdnf.graph;

import java.util.Arrays;
import org.bytedeco.javacpp.LongPointer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.BaseOp;
import org.nd4j.linalg.api.ops.Op;
import org.nd4j.linalg.api.ops.ScalarOp;
import org.nd4j.linalg.api.ops.TransformOp;
import org.nd4j.nativeblas.NativeOps;
import org.nd4j.nativeblas.NativeOpsHolder;
import org.nd4j.nativeblas.OpaqueDataBuffer;

/**
 * ND4J's older element-wise operations (exp, log, a number added or multiplied) called directly on the CPU: the
 * executioner's own path allocates some 400 bytes a call, which over 100,000 steps makes the heap grow.
 */
final class ElementwiseCall implements Runnable, AutoCloseable {

    private static final NativeOps NATIVE = NativeOpsHolder.getInstance().getDeviceNativeOps();

    private final Op.Type type;
    private final int number;
    private final OpaqueDataBuffer x;
    private final OpaqueDataBuffer z;
    private final OpaqueDataBuffer scalar;
    private final LongPointer xShape;
    private final LongPointer zShape;
    private final LongPointer scalarShape;
    private final String label;

    private ElementwiseCall(BaseOp operation, INDArray input, INDArray output, INDArray number) {
        this.type = type(operation);
        this.number = operation.opNum();
        this.x = wrap(input);
        this.z = wrap(output);
        this.scalar = number == null ? null : wrap(number);
        this.xShape = shape(input);
        this.zShape = shape(output);
        this.scalarShape = number == null ? null : shape(number);
        this.label = operation.opName() + Arrays.toString(output.shape());
    }

    /** The direct call, or null if this operation needs the executioner. */
    static ElementwiseCall of(BaseOp operation, INDArray[] inputs, INDArray output) {
        boolean plain = Backend.isCpu() && (operation.extraArgs() == null || operation.extraArgs().length == 0);
        Op.Type type = type(operation);
        if (!plain || type == null) {
            return null;
        }
        return switch (type) {
            case SCALAR -> operation.dimensions() == null
                    ? new ElementwiseCall(operation, inputs[0], output, ((ScalarOp) operation).scalar())
                    : null;
            case TRANSFORM_STRICT, TRANSFORM_SAME, TRANSFORM_FLOAT -> inputs.length == 1
                    ? new ElementwiseCall(operation, inputs[0], output, null)
                    : null;
            default -> null;
        };
    }

    private static Op.Type type(BaseOp operation) {
        if (operation instanceof ScalarOp scalar) {
            return scalar.getOpType();
        }
        return operation instanceof TransformOp transform ? transform.getOpType() : null;
    }

    private static OpaqueDataBuffer wrap(INDArray array) {
        return OpaqueDataBuffer.externalizedDataBuffer(
                array.length(), array.dataType(), array.data().addressPointer(), null);
    }

    private static LongPointer shape(INDArray array) {
        return (LongPointer) array.shapeInfoDataBuffer().addressPointer();
    }

    String label() {
        return label;
    }

    @Override
    public void run() {
        switch (type) {
            case SCALAR -> NATIVE.execScalar(
                    null, number, x, xShape, null, z, zShape, null, scalar, scalarShape, null, null);
            case TRANSFORM_STRICT -> NATIVE.execTransformStrict(null, number, x, xShape, null, z, zShape, null, null);
            case TRANSFORM_SAME -> NATIVE.execTransformSame(null, number, x, xShape, null, z, zShape, null, null);
            default -> NATIVE.execTransformFloat(null, number, x, xShape, null, z, zShape, null, null);
        }
        if (NATIVE.lastErrorCode() != 0) {
            throw new IllegalStateException("operation '" + label + "' failed: " + NATIVE.lastErrorMessage());
        }
    }

    @Override
    public void close() {
        x.closeBuffer();
        z.closeBuffer();
        if (scalar != null) {
            scalar.closeBuffer();
        }
    }
}
