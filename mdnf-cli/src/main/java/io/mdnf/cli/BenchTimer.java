package io.mdnf.cli;

import com.sun.management.OperatingSystemMXBean;
import io.mdnf.plot.Quartiles;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Times steps in blocks, after a warm-up, by wall clock and by the processor time of the whole process. Medians over
 * blocks stand for the work itself on a machine that also does other things.
 */
final class BenchTimer {

    /** How long a block lasts; long enough that the clock's grain does not matter. */
    private static final double BLOCK_SECONDS = 0.4;

    /** The state that a training reads back after a block costs as much as half a step. */
    private static final int LEAST_STEPS = 32;

    private final IntConsumer work;
    private final int steps;
    private final List<Double> seconds = new ArrayList<>();
    private final List<Double> cpu = new ArrayList<>();

    /**
     * Warms up and chooses how many steps make a block.
     *
     * @param work makes as many steps as it is told
     * @param warmUp seconds
     */
    BenchTimer(IntConsumer work, double warmUp) {
        this.work = work;
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
        this.steps = (int) Math.max(LEAST_STEPS, Math.min(1_000_000, Math.round(BLOCK_SECONDS / last)));
    }

    private static double elapsed(long start) {
        return Math.max(1e-9, (System.nanoTime() - start) * 1e-9);
    }

    private static double processSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() * 1e-9;
    }

    void block() {
        double before = processSeconds();
        long start = System.nanoTime();
        work.accept(steps);
        seconds.add(elapsed(start) / steps);
        cpu.add((processSeconds() - before) / steps);
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
        return 1 / Collections.min(seconds);
    }

    int blocks() {
        return seconds.size();
    }

    int stepsPerBlock() {
        return steps;
    }

    private static double median(List<Double> values) {
        return Quartiles.of(values.stream().mapToDouble(v -> v).toArray()).median();
    }
}
