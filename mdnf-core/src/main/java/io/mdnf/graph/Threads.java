package io.mdnf.graph;

import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.nativeblas.NativeOps;
import org.nd4j.nativeblas.NativeOpsHolder;

/**
 * Native threads while plans run, whatever the environment says, and as the program had them afterwards. Operations run
 * on the thread that calls them: with more, small ones take 10 times as long, beside another busy process 100 times.
 * Matrix products do so too, unless a training has {@linkplain ExecutionPlan#hasLargeProducts large} ones: those get
 * the program's threads, all processors or OMP_NUM_THREADS.
 *
 * <p>To set the threads of operations costs 0.1 microseconds, which every run of a plan can bear. Those of products
 * cost half a millisecond, so they are set around a whole training or fit. They are the process's: while several run,
 * one that wants single threads has its way, and the last bits of a large training beside it may depend on that.
 *
 * <p>Internal: {@code try (Threads threads = Threads.one()) { ... }}, on one thread.
 */
public final class Threads implements AutoCloseable {

    /** Looked up once the backend is loaded, so that a missing one can be told in a sentence. */
    private static final class Device {
        private static final boolean CPU = Backend.isCpu();
        private static final NativeOps OPS = NativeOpsHolder.getInstance().getDeviceNativeOps();
    }

    private static final ThreadLocal<int[]> HERE = ThreadLocal.withInitial(() -> new int[1]);

    /** Threads of the program that run plans. */
    private static int open;
    private static int limits;
    /** What the program had. */
    private static int operations;
    private static int products;

    private final boolean limit;
    private final int omp;

    private Threads(boolean limit) {
        this.limit = limit && Device.CPU;
        this.omp = Device.CPU ? Device.OPS.ompGetMaxThreads() : 1;
        boolean outermost = HERE.get()[0]++ == 0;
        if (Device.CPU) {
            Device.OPS.setOmpNumThreads(1);
        }
        enter(this.limit, outermost);
        ArrayMemory.bind();
    }

    /** Everything on one thread. */
    public static Threads one() {
        Backend.load();
        return new Threads(true);
    }

    /** Operations on one thread, and products too unless the plan has large ones and is the only one that runs. */
    public static Threads of(ExecutionPlan plan, int shards) {
        return new Threads(shards > 1 || !plan.hasLargeProducts());
    }

    /** Runs operations on one thread, products as they are. */
    static void run(Runnable body) {
        if (HERE.get()[0] > 0) {
            body.run();
            return;
        }
        try (Threads threads = new Threads(false)) {
            body.run();
        }
    }

    private static synchronized void enter(boolean limit, boolean outermost) {
        if (outermost && open++ == 0 && Device.CPU) {
            operations = Nd4j.getEnvironment().maxMasterThreads();
            Nd4j.getEnvironment().setMaxMasterThreads(1);
        }
        if (limit && limits++ == 0) {
            products = Nd4j.factory().blas().getMaxThreads();
            setProducts(1);
        }
    }

    private static synchronized void leave(boolean limit, boolean outermost) {
        if (limit && --limits == 0) {
            setProducts(products);
        }
        if (outermost && --open == 0 && Device.CPU) {
            Nd4j.getEnvironment().setMaxMasterThreads(operations);
        }
    }

    private static void setProducts(int threads) {
        if (products > 1) {
            Nd4j.factory().blas().setMaxThreads(threads);
        }
    }

    /** Returns whether fewer threads run plans than there are processors. */
    public static synchronized boolean leaveProcessor() {
        return open < Runtime.getRuntime().availableProcessors();
    }

    /** Returns how many threads a large product takes. */
    static synchronized int ofLargeProducts() {
        return limits > 0 ? products : Nd4j.factory().blas().getMaxThreads();
    }

    @Override
    public void close() {
        boolean outermost = --HERE.get()[0] == 0;
        leave(limit, outermost);
        if (Device.CPU) {
            Device.OPS.setOmpNumThreads(omp);
        }
    }
}
