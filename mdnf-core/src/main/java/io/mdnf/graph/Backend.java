package io.mdnf.graph;

import java.util.List;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.nativeblas.NativeOps;
import org.nd4j.nativeblas.NativeOpsHolder;

/**
 * What ND4J runs on.
 *
 * <p>Example: {@code Backend.describe().name()} is "CpuBackend" on a machine without a GPU.
 */
public final class Backend {

    private Backend() {}

    /**
     * Facts about the backend in use.
     *
     * @param name ND4J's name of the backend
     * @param blas the BLAS library behind matrix products
     * @param threads OpenMP threads of one operation
     * @param devices the GPUs, if any
     */
    public record Description(String name, String blas, int threads, List<String> devices) {}

    /** Returns facts about the backend in use; loads it if that has not happened yet. */
    public static Description describe() {
        NativeOps ops = NativeOpsHolder.getInstance().getDeviceNativeOps();
        List<String> devices = isCpu()
                ? List.of()
                : java.util.stream.IntStream.range(0, ops.getAvailableDevices()).mapToObj(ops::getDeviceName).toList();
        var information = Nd4j.getExecutioner().getEnvironmentInformation();
        return new Description(
                Nd4j.getBackend().getClass().getSimpleName(),
                String.valueOf(information.get("blas.vendor")),
                ops.ompGetMaxThreads(),
                devices);
    }

    /** Returns the backend's version as ND4J's artifact names it, or "unknown" outside a jar. */
    public static String version() {
        String version = Nd4j.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    static boolean isCpu() {
        return Nd4j.getExecutioner().getClass().getSimpleName().equals("NativeOpExecutioner");
    }
}
