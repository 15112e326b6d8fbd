package io.mdnf.graph;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.PointerPointer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.BaseOp;
import org.nd4j.linalg.api.ops.Op;
import org.nd4j.linalg.api.ops.ScalarOp;
import org.nd4j.linalg.api.ops.TransformOp;
import org.nd4j.nativeblas.NativeOps;
import org.nd4j.nativeblas.NativeOpsHolder;
import org.nd4j.nativeblas.OpaqueDataBuffer;

/**
 * ND4J's older element-wise operations (exp, log, a number added or multiplied) called directly: the executioner's
 * own path allocates some 400 bytes a call, which over 100,000 steps makes the heap grow, and waits on a device.
 */
final class ElementwiseCall {

    private static final NativeOps NATIVE = NativeOpsHolder.getInstance().getDeviceNativeOps();

    private static final Set<Op.Type> TRANSFORMS =
            EnumSet.of(Op.Type.TRANSFORM_STRICT, Op.Type.TRANSFORM_SAME, Op.Type.TRANSFORM_FLOAT);

    private ElementwiseCall() {}

    /** The direct call, or null if this operation needs the executioner; adds the buffers it takes, to be closed. */
    static Runnable of(BaseOp operation, INDArray[] inputs, INDArray output, List<OpaqueDataBuffer> buffers) {
        boolean plain = operation.extraArgs() == null || operation.extraArgs().length == 0;
        Runnable body = plain ? body(operation, inputs, output, buffers) : null;
        String label = operation.opName() + Arrays.toString(output.shape());
        return body == null ? null : () -> {
            body.run();
            if (NATIVE.lastErrorCode() != 0) {
                throw new IllegalStateException("operation '" + label + "' failed: " + NATIVE.lastErrorMessage());
            }
        };
    }

    private static Runnable body(BaseOp operation, INDArray[] inputs, INDArray output, List<OpaqueDataBuffer> buffers) {
        boolean number = operation instanceof ScalarOp scalar && scalar.getOpType() == Op.Type.SCALAR
                && operation.dimensions() == null;
        boolean transform = operation instanceof TransformOp of && TRANSFORMS.contains(of.getOpType())
                && inputs.length == 1;
        if (!number && !transform) {
            return null;
        }
        int code = operation.opNum();
        OpaqueDataBuffer x = wrap(inputs[0], buffers);
        OpaqueDataBuffer z = wrap(output, buffers);
        LongPointer xShape = shape(inputs[0]);
        LongPointer zShape = shape(output);
        Supplier<PointerPointer<?>> launch = Backend.isHost() ? () -> null : ArrayMemory::launch;
        if (number) {
            INDArray value = ((ScalarOp) operation).scalar();
            OpaqueDataBuffer y = wrap(value, buffers);
            LongPointer yShape = shape(value);
            return () -> NATIVE.execScalar(launch.get(), code, x, xShape, null, z, zShape, null, y, yShape, null, null);
        }
        return switch (((TransformOp) operation).getOpType()) {
            case TRANSFORM_STRICT ->
                    () -> NATIVE.execTransformStrict(launch.get(), code, x, xShape, null, z, zShape, null, null);
            case TRANSFORM_SAME -> () -> NATIVE.execTransformSame(launch.get(), code, x, xShape, null, z, zShape, null,
                    null);
            default -> () -> NATIVE.execTransformFloat(launch.get(), code, x, xShape, null, z, zShape, null, null);
        };
    }

    private static OpaqueDataBuffer wrap(INDArray array, List<OpaqueDataBuffer> buffers) {
        if (!Backend.isHost()) {
            return ArrayMemory.of(array);
        }
        buffers.add(OpaqueDataBuffer.externalizedDataBuffer(
                array.length(), array.dataType(), array.data().addressPointer(), null));
        return buffers.get(buffers.size() - 1);
    }

    private static LongPointer shape(INDArray array) {
        return (LongPointer) array.shapeInfoDataBuffer().addressPointer();
    }
}
