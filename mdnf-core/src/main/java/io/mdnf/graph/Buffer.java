package io.mdnf.graph;

import java.util.Arrays;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * Reads and writes a contiguous ND4J array in place.
 *
 * <p>On the CPU backend a block copy through the pointer costs a fraction of a microsecond where ND4J's own accessors
 * cost tens; on other backends memory lives on the device, so ND4J copies.
 */
final class Buffer {

    private static final boolean HOST = Backend.isCpu();

    private final INDArray array;
    private final Pointer pointer;
    private float[] scratch = new float[0];

    Buffer(INDArray array) {
        this.array = array;
        this.pointer = HOST ? pointer(array) : null;
    }

    private static Pointer pointer(INDArray array) {
        Pointer address = array.data().addressPointer();
        return array.dataType() == Precision.FLOAT.type() ? new FloatPointer(address) : new DoublePointer(address);
    }

    void write(double[] values) {
        write(0, values, values.length);
    }

    /** Writes float[] or double[]. */
    void write(int offset, Object values, int length) {
        if (values instanceof float[] floats) {
            writeFloats(offset, floats, length);
        } else {
            writeDoubles(offset, (double[]) values, length);
        }
    }

    private void writeDoubles(int offset, double[] values, int length) {
        if (!HOST) {
            double[] part = length == values.length ? values : Arrays.copyOf(values, length);
            flat().get(NDArrayIndex.interval(offset, offset + length))
                    .assign(Nd4j.createFromArray(part).castTo(array.dataType()));
        } else if (pointer instanceof FloatPointer floats) {
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
        if (HOST && pointer instanceof FloatPointer floats) {
            floats.position(offset).put(values, 0, length);
        } else {
            double[] wide = new double[length];
            for (int i = 0; i < length; i++) {
                wide[i] = values[i];
            }
            writeDoubles(offset, wide, length);
        }
    }

    /** Reads into float[] or double[]; floats only from floats on the host. */
    void read(int offset, Object into, int length) {
        if (into instanceof float[] floats) {
            ((FloatPointer) pointer).position(offset).get(floats, 0, length);
        } else {
            readDoubles(offset, (double[]) into, length);
        }
    }

    private void readDoubles(int offset, double[] into, int length) {
        if (!HOST) {
            double[] all = flat().get(NDArrayIndex.interval(offset, offset + length))
                    .castTo(Precision.DOUBLE.type()).dup().data().asDouble();
            System.arraycopy(all, 0, into, 0, length);
        } else if (pointer instanceof FloatPointer floats) {
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
        readDoubles(0, values, values.length);
        return values;
    }

    INDArray array() {
        return array;
    }

    private INDArray flat() {
        return array.reshape('c', new long[] {array.length()});
    }

    private float[] scratch(int length) {
        if (scratch.length < length) {
            scratch = new float[length];
        }
        return scratch;
    }
}
