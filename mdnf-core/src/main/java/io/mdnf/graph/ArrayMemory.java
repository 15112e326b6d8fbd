package io.mdnf.graph;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerPointer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.nativeblas.NativeOps;
import org.nd4j.nativeblas.NativeOpsHolder;
import org.nd4j.nativeblas.OpaqueDataBuffer;
import org.nd4j.nativeblas.OpaqueLaunchContext;

/** Where arrays lie, on the host and on a device, as native calls want to know it. */
final class ArrayMemory {

    private static final NativeOps NATIVE = NativeOpsHolder.getInstance().getDeviceNativeOps();

    /** Entries that the older native calls look up: stream, scratch memory. */
    private static final int POINTERS = 32;

    private static final ThreadLocal<PointerPointer<?>> LAUNCH = new ThreadLocal<>();

    private ArrayMemory() {}

    /** What ND4J knows about the memory of an array: both copies, and which of them is current. */
    static OpaqueDataBuffer of(INDArray array) {
        try {
            // public in every backend's own class, and in no class that all backends share
            return (OpaqueDataBuffer) array.data().getClass().getMethod("getOpaqueDataBuffer").invoke(array.data());
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("ND4J's " + array.data().getClass() + " does not show its memory", e);
        }
    }

    /** A number that two arrays share if and only if they start at the same place. */
    static long address(INDArray array) {
        if (array.isEmpty()) {
            throw new IllegalArgumentException("an array of shape " + Arrays.toString(array.shape())
                    + " has no entries: what a plan computes with has some");
        }
        return Backend.isCpu() ? array.data().addressPointer().address() : of(array).specialBuffer().address();
    }

    /** The calling thread's stream and scratch memory. */
    static PointerPointer<?> launch() {
        PointerPointer<?> known = LAUNCH.get();
        if (known == null) {
            OpaqueLaunchContext context = NATIVE.defaultLaunchContext();
            known = new PointerPointer<>(POINTERS);
            known.put(1, NATIVE.lcExecutionStream(context));
            known.put(3, NATIVE.lcAllocationPointer(context));
            known.put(4, NATIVE.lcReductionPointer(context));
            known.put(5, NATIVE.lcScalarPointer(context));
            LAUNCH.set(known);
        }
        return known;
    }

    /** Binds the calling thread to the first device; ND4J deals devices out to threads, and arrays would follow. */
    static void bind() {
        if (!Backend.isCpu() && Nd4j.getAffinityManager().getDeviceForCurrentThread() != 0) {
            Nd4j.getAffinityManager().unsafeSetDevice(0);
            LAUNCH.remove();
        }
    }
}
