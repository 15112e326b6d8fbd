package io.mdnf.graph;

import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.nativeblas.NativeOps;
import org.nd4j.nativeblas.NativeOpsHolder;
import org.nd4j.nativeblas.OpaqueDataBuffer;

/**
 * Reads and writes a contiguous ND4J array in place.
 *
 * <p>A block copy through the pointer costs a fraction of a microsecond where ND4J's own accessors cost tens. On a
 * device the pointer is that of the host's copy, which is fetched whole before it is read, if it is not current, and
 * marked as the current one when it is written; the first operation that reads the array then sends it, whole too.
 */
final class Buffer {

    private static final NativeOps NATIVE = NativeOpsHolder.getInstance().getDeviceNativeOps();

    private final INDArray array;
    private final Pointer pointer;
    /** Both copies; null where there is only one. */
    private final OpaqueDataBuffer device;
    private float[] scratch = new float[0];

    Buffer(INDArray array) {
        this.array = array;
        this.device = Backend.isHost() || array.isEmpty() ? null : ArrayMemory.of(array);
        if (device != null) {
            NATIVE.dbAllocatePrimaryBuffer(device);
        }
        this.pointer = array.isEmpty() ? null : pointer();
    }

    private Pointer pointer() {
        Pointer address = device == null ? array.data().addressPointer() : device.primaryBuffer();
        return array.dataType() == Precision.FLOAT.type() ? new FloatPointer(address) : new DoublePointer(address);
    }

    void write(double[] values) {
        write(0, values, values.length);
    }

    /** Writes float[] or double[]. */
    void write(int offset, Object values, int length) {
        if (length == 0) {
            return;
        }
        if (device != null) {
            // what is not overwritten is sent too; nothing is fetched where the host's copy is current
            device.syncToPrimary();
        }
        if (values instanceof float[] floats) {
            writeFloats(offset, floats, length);
        } else {
            writeDoubles(offset, (double[]) values, length);
        }
        if (device != null) {
            NATIVE.dbTickHostWrite(device);
        }
    }

    private void writeDoubles(int offset, double[] values, int length) {
        if (pointer instanceof FloatPointer floats) {
            float[] narrow = scratch(length);
            for (int i = 0; i < length; i++) {
                narrow[i] = (float) values[i];
            }
            floats.position(offset).put(narrow, 0, length);
        } else {
            ((DoublePointer) pointer).position(offset).put(values, 0, length);
        }
    }

    private void writeFloats(int offset, float[] values, int length) {
        if (pointer instanceof FloatPointer floats) {
            floats.position(offset).put(values, 0, length);
        } else {
            double[] wide = new double[length];
            for (int i = 0; i < length; i++) {
                wide[i] = values[i];
            }
            writeDoubles(offset, wide, length);
        }
    }

    /** Reads into float[] or double[]; floats only from floats. */
    void read(int offset, Object into, int length) {
        if (length == 0) {
            return;
        }
        if (device != null) {
            device.syncToPrimary();
        }
        if (into instanceof float[] floats) {
            ((FloatPointer) pointer).position(offset).get(floats, 0, length);
        } else {
            readDoubles(offset, (double[]) into, length);
        }
    }

    private void readDoubles(int offset, double[] into, int length) {
        if (pointer instanceof FloatPointer floats) {
            float[] narrow = scratch(length);
            floats.position(offset).get(narrow, 0, length);
            for (int i = 0; i < length; i++) {
                into[i] = narrow[i];
            }
        } else {
            ((DoublePointer) pointer).position(offset).get(into, 0, length);
        }
    }

    double[] read() {
        double[] values = new double[(int) array.length()];
        read(0, values, values.length);
        return values;
    }

    INDArray array() {
        return array;
    }

    private float[] scratch(int length) {
        if (scratch.length < length) {
            scratch = new float[length];
        }
        return scratch;
    }
}
