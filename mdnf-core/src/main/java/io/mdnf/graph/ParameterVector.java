package io.mdnf.graph;

import java.util.Arrays;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/** All parameters of a plan, their gradients and the optimiser's state as flat native vectors of equal length. */
final class ParameterVector implements AutoCloseable {

    /** Values per block of an update: small enough that a block of every vector stays in the second level cache. */
    private static final int BLOCK = 8192;

    private final ParameterLayout layout;
    private final Precision precision;
    private final INDArray values;
    private final INDArray gradients;
    private final Buffer valueBuffer;
    private final Buffer gradientBuffer;
    private Optimiser optimiser;
    private INDArray[] slots = new INDArray[0];
    private Buffer[] slotBuffers = new Buffer[0];
    private float[][] floatBlocks;
    private double[][] doubleBlocks;
    private long updates;

    ParameterVector(ParameterLayout layout, Precision precision) {
        this.layout = layout;
        this.precision = precision;
        this.values = zeros();
        this.gradients = zeros();
        this.valueBuffer = new Buffer(values);
        this.gradientBuffer = new Buffer(gradients);
    }

    private INDArray zeros() {
        return Nd4j.createUninitializedDetached(precision.type(), Math.max(1, layout.size())).assign(0);
    }

    INDArray value(String name) {
        return part(values, name);
    }

    INDArray gradient(String name) {
        return part(gradients, name);
    }

    private INDArray part(INDArray flat, String name) {
        Parameter p = layout.parameter(name);
        int offset = layout.offset(name);
        return flat.get(NDArrayIndex.interval(offset, offset + p.size())).reshape('c', p.shape());
    }

    double[] values() {
        return Arrays.copyOf(valueBuffer.read(), layout.size());
    }

    double[] gradients() {
        return Arrays.copyOf(gradientBuffer.read(), layout.size());
    }

    void load(double[] flat) {
        if (flat.length != layout.size()) {
            throw new IllegalArgumentException("flat has " + flat.length + " values, the plan has " + layout.size());
        }
        valueBuffer.write(flat);
    }

    long updates() {
        return updates;
    }

    double[][] slots() {
        double[][] copies = new double[slots.length][];
        for (int i = 0; i < slots.length; i++) {
            copies[i] = Arrays.copyOf(slotBuffers[i].read(), layout.size());
        }
        return copies;
    }

    void restore(Optimiser rule, double[][] state, long count) {
        use(rule);
        if (state.length != slots.length) {
            throw new IllegalArgumentException("state has " + state.length + " vectors, " + rule + " keeps "
                    + slots.length);
        }
        for (int i = 0; i < slots.length; i++) {
            slotBuffers[i].write(state[i]);
        }
        updates = count;
    }

    private void use(Optimiser rule) {
        if (!rule.equals(optimiser)) {
            for (INDArray slot : slots) {
                slot.close();
            }
            optimiser = rule;
            slots = new INDArray[rule.slots()];
            slotBuffers = new Buffer[slots.length];
            for (int i = 0; i < slots.length; i++) {
                slots[i] = zeros();
                slotBuffers[i] = new Buffer(slots[i]);
            }
            floatBlocks = null;
            doubleBlocks = null;
            updates = 0;
        }
    }

    void update(Optimiser rule, double rate) {
        use(rule);
        updates++;
        if (!Backend.isCpu()) {
            rule.update(values, gradients, slots, rate, updates);
        } else if (precision == Precision.FLOAT) {
            updateFloats(rate);
        } else {
            updateDoubles(rate);
        }
    }

    /** Whether all values are finite: 0 times a value is 0 just then. */
    boolean isFinite() {
        double sum = 0;
        for (double v : values()) {
            sum += v * 0;
        }
        return sum == 0;
    }

    /** Puts inactive values and their state back to where they were. */
    void revert(double[] before, double[][] state, boolean[] active) {
        double[] now = values();
        double[][] slotsNow = slots();
        for (int i = 0; i < active.length; i++) {
            if (!active[i]) {
                now[i] = before[i];
                for (int s = 0; s < slotsNow.length; s++) {
                    slotsNow[s][i] = state == null ? 0 : state[s][i];
                }
            }
        }
        valueBuffer.write(now);
        for (int s = 0; s < slotsNow.length; s++) {
            slotBuffers[s].write(slotsNow[s]);
        }
    }

    private void updateFloats(double rate) {
        if (floatBlocks == null) {
            floatBlocks = new float[2 + optimiser.slots()][Math.min(BLOCK, layout.size())];
        }
        float[] w = floatBlocks[0];
        float[] g = floatBlocks[1];
        float[][] s = Arrays.copyOfRange(floatBlocks, 2, floatBlocks.length);
        for (int start = 0; start < layout.size(); start += w.length) {
            int n = Math.min(w.length, layout.size() - start);
            valueBuffer.read(start, w, n);
            gradientBuffer.read(start, g, n);
            for (int i = 0; i < s.length; i++) {
                slotBuffers[i].read(start, s[i], n);
            }
            optimiser.update(w, g, s, n, rate, updates);
            valueBuffer.write(start, w, n);
            for (int i = 0; i < s.length; i++) {
                slotBuffers[i].write(start, s[i], n);
            }
        }
    }

    private void updateDoubles(double rate) {
        if (doubleBlocks == null) {
            doubleBlocks = new double[2 + optimiser.slots()][Math.min(BLOCK, layout.size())];
        }
        double[] w = doubleBlocks[0];
        double[] g = doubleBlocks[1];
        double[][] s = Arrays.copyOfRange(doubleBlocks, 2, doubleBlocks.length);
        for (int start = 0; start < layout.size(); start += w.length) {
            int n = Math.min(w.length, layout.size() - start);
            valueBuffer.read(start, w, n);
            gradientBuffer.read(start, g, n);
            for (int i = 0; i < s.length; i++) {
                slotBuffers[i].read(start, s[i], n);
            }
            optimiser.update(w, g, s, n, rate, updates);
            valueBuffer.write(start, w, n);
            for (int i = 0; i < s.length; i++) {
                slotBuffers[i].write(start, s[i], n);
            }
        }
    }

    @Override
    public void close() {
        values.close();
        gradients.close();
        for (INDArray slot : slots) {
            slot.close();
        }
    }
}
