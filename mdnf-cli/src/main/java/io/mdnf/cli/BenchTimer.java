package io.mdnf.cli;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.apache.commons.statistics.descriptive.Median;

/**
 * Times steps in blocks, after a warm-up, by wall clock and by the processor time of the whole process. Medians over
 * blocks stand for the work itself on a machine that also does other things.
 */
final class BenchTimer {

    /** How long a block lasts; long enough that the clock's grain does not matter. */
    private static final double BLOCK_SECONDS = 0.4;

    private final IntConsumer work;
    private final int steps;
    private final double[] seconds;
    private final double[] cpu;
    private int blocks;

    /**
     * Warms up and chooses how many steps make a block.
     *
     * @param work makes as many steps as it is told
     * @param warmUp seconds
     * @param capacity how many blocks at most
     */
    BenchTimer(IntConsumer work, double warmUp, int capacity) {
        this.work = work;
        this.seconds = new double[capacity];
        this.cpu = new double[capacity];
        long start = System.nanoTime();
        int made = 0;
        int next = 1;
        double last = 0;
        // in growing portions, so that what a portion costs by itself does not count
        while (made < 3 || elapsed(start) < warmUp) {
            long from = System.nanoTime();
            work.accept(next);
            last = elapsed(from) / next;
            made += next;
            next = (int) Math.max(1, Math.min(next * 2L, BLOCK_SECONDS / last));
        }
        this.steps = (int) Math.max(1, Math.min(1_000_000, Math.round(BLOCK_SECONDS / last)));
    }

    private static double elapsed(long start) {
        return Math.max(1e-9, (System.nanoTime() - start) * 1e-9);
    }

    private static double processSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() * 1e-9;
    }

    /** Times one block. */
    void block() {
        double before = processSeconds();
        long start = System.nanoTime();
        work.accept(steps);
        seconds[blocks] = elapsed(start) / steps;
        cpu[blocks] = (processSeconds() - before) / steps;
        blocks++;
    }

    /** The median block's time per step. */
    double milliseconds() {
        return 1e3 * median(seconds);
    }

    /** The median block's processor time per step, all threads together. */
    double cpuMilliseconds() {
        return 1e3 * median(cpu);
    }

    /** Steps per second of the fastest block. */
    double bestRate() {
        return 1 / Arrays.stream(seconds, 0, blocks).min().orElseThrow();
    }

    int blocks() {
        return blocks;
    }

    int stepsPerBlock() {
        return steps;
    }

    private double median(double[] values) {
        return Median.withDefaults().withCopy(true).evaluateRange(values, 0, blocks);
    }
}
