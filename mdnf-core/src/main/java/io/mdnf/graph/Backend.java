package io.mdnf.graph;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;
import java.util.stream.IntStream;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.factory.Nd4jBackend;
import org.nd4j.nativeblas.NativeOps;
import org.nd4j.nativeblas.NativeOpsHolder;

/**
 * What ND4J runs on.
 *
 * <p>Example: {@code Backend.describe().name()} is "CpuBackend" on a machine without a GPU.
 */
public final class Backend {

    /** The system property that makes plans on the CPU run as on a device, so that this can be tested without one. */
    static final String AS_ON_DEVICE = "mdnf.asOnDevice";

    private Backend() {}

    /** Has ND4J load its backend; throws {@link MissingBackendException} if there is none that computes here. */
    static void load() {
        start();
        if (!isCpu()) {
            First.DEVICE.refuseUnsupported();
        }
    }

    private static void start() {
        try {
            Nd4j.getExecutioner();
            ArrayMemory.bind();
        } catch (ExceptionInInitializerError e) {
            Throwable reason = e;
            while (reason.getCause() != null) {
                reason = reason.getCause();
            }
            if (!(reason instanceof Nd4jBackend.NoAvailableBackendException)) {
                throw e;
            }
            throw new MissingBackendException("ND4J has no backend that runs here: add org.nd4j:nd4j-native-platform:"
                    + version() + ", or nd4j-cuda-11.6-platform for a GPU, to what the program runs with");
        }
    }

    /** Returns how many threads one large matrix product takes. */
    public static int productThreads() {
        start();
        return isCpu() ? Threads.ofLargeProducts() : 1;
    }

    /**
     * Facts about the backend in use: ND4J's name of it, the BLAS library behind matrix products, the threads of a
     * large one (all else has one), and the GPUs, if any.
     */
    public record Description(String name, String blas, int threads, List<Device> devices) {}

    /**
     * A GPU.
     *
     * @param bytes its memory
     * @param major of its compute capability, as 7 of 7.5
     * @param minor of its compute capability, as 5 of 7.5
     */
    public record Device(String name, long bytes, int major, int minor) {
        private static final int OLDEST = 37;
        private static final int NEWEST = 89;

        /**
         * Returns whether ND4J's published library holds code that it runs, which is so from 3.7 to 8.9: code for 8.6,
         * the newest there, runs on later cards of the same major revision.
         */
        public boolean isSupported() {
            int capability = 10 * major + minor;
            return capability >= OLDEST && capability <= NEWEST;
        }

        /** Returns why it cannot be used, if it is not supported, and what to do. */
        public String refusal() {
            return name + " cannot be used: ND4J's library holds code for compute capability 3.7 to 8.9; choose "
                    + "another card by CUDA_VISIBLE_DEVICES, or run without backend=cuda";
        }

        void refuseUnsupported() {
            if (!isSupported()) {
                throw new MissingBackendException(refusal());
            }
        }

        private static Device of(int i) {
            NativeOps ops = NativeOpsHolder.getInstance().getDeviceNativeOps();
            return new Device(ops.getDeviceName(i), ops.getDeviceTotalMemory(i), ops.getDeviceMajor(i),
                    ops.getDeviceMinor(i));
        }
    }

    /** The GPU that computes; asked for once. */
    private static final class First {
        static final Device DEVICE = Device.of(0);
    }

    /** Returns facts about the backend in use, also of one that cannot compute; loads it if need be. */
    public static Description describe() {
        start();
        var information = Nd4j.getExecutioner().getEnvironmentInformation();
        int gpus = isCpu() ? 0 : NativeOpsHolder.getInstance().getDeviceNativeOps().getAvailableDevices();
        return new Description(
                Nd4j.getBackend().getClass().getSimpleName(),
                String.valueOf(information.get("blas.vendor")),
                productThreads(),
                IntStream.range(0, gpus).mapToObj(Device::of).toList());
    }

    /** Returns ND4J's version, by its jar's own record: the manifest has none. Loads no backend. */
    public static String version() {
        String resource = "/META-INF/maven/org.nd4j/nd4j-api/pom.properties";
        try (InputStream in = Backend.class.getResourceAsStream(resource)) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(resource + " cannot be read", e);
        }
    }

    /** Whether plans use arrays by their addresses; not on a device, and not where they are to run as on one. */
    static boolean isHost() {
        return isCpu() && !Boolean.getBoolean(AS_ON_DEVICE);
    }

    static boolean isCpu() {
        return Nd4j.getExecutioner().getClass().getSimpleName().equals("NativeOpExecutioner");
    }
}
