package io.mdnf.graph;

import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * All parameters of a plan, their gradients and the optimiser's state as flat native vectors of equal length. Of
 * several runs each parameter has those of all runs one after the other; whoever reads or writes gets one run's.
 */
final class ParameterVector implements AutoCloseable {

    /** Values per block of an update: small enough that a block of every vector stays in the second level cache. */
    private static final int BLOCK = 8192;

    private final ParameterLayout layout;
    private final Precision precision;
    private final int runs;
    private final Buffer values;
    private final Buffer gradients;
    private final List<ParameterVector> replicas = new ArrayList<>();
    private Optimiser optimiser;
    private Buffer[] slots = new Buffer[0];
    /** Values, gradients and slots. */
    private Buffer[] all;
    private List<Share> shares = List.of();
    private double[] current;
    private long updates;
    private DeviceUpdate onDevice;
    private final boolean owner;

    /** What a thread needs to update some blocks of values: pointers of its own, and a block of each on the heap. */
    private final class Share {
        private final Buffer[] vectors = copies(all);
        private final Buffer[] added = copies(replicas.stream().map(r -> r.gradients).toArray(Buffer[]::new));
        /** float[][] or double[][]: values, gradients and slots, then what is added to gradients. */
        private final Object[] blocks;
        private boolean finite;

        Share(int block) {
            int length = Math.min(block, size());
            blocks = precision == Precision.FLOAT ? new float[vectors.length + 1][length]
                    : new double[vectors.length + 1][length];
        }

        private Buffer[] copies(Buffer[] buffers) {
            return Arrays.stream(buffers).map(buffer -> new Buffer(buffer.array())).toArray(Buffer[]::new);
        }

        /** Updates every so manieth block from one on. */
        void update(Optimiser rule, double rate, int first, int every) {
            int block = block(rule);
            finite = true;
            for (int start = first * block; start < size(); start += every * block) {
                int n = Math.min(block, size() - start);
                for (int i = 0; i < vectors.length; i++) {
                    vectors[i].read(start, blocks[i], n);
                }
                for (Buffer replica : added) {
                    replica.read(start, blocks[vectors.length], n);
                    add(blocks[1], blocks[vectors.length], n);
                }
                if (blocks instanceof float[][] floats) {
                    rule.update(floats, n, rate, updates);
                    finite &= areFinite(floats[0], n);
                } else {
                    rule.update((double[][]) blocks, n, rate, updates);
                    finite &= areFinite((double[]) blocks[0], n);
                }
                for (int i = 0; i < vectors.length; i++) {
                    if (i != 1) {
                        vectors[i].write(start, blocks[i], n);
                    }
                }
            }
        }
    }

    ParameterVector(ParameterLayout layout, Precision precision, int runs) {
        this(layout, precision, runs, null);
    }

    private ParameterVector(ParameterLayout layout, Precision precision, int runs, Buffer shared) {
        ArrayMemory.bind();
        this.layout = layout;
        this.runs = runs;
        this.precision = precision;
        this.owner = shared == null;
        this.values = owner ? zeros() : shared;
        this.gradients = zeros();
        this.all = new Buffer[] {values, gradients};
    }

    private int size() {
        return Math.multiplyExact(runs, layout.size());
    }

    private Buffer zeros() {
        return new Buffer(Nd4j.createUninitializedDetached(precision.type(), Math.max(1, size())).assign(0));
    }

    /** The same values with gradients of their own, which updates add to these. */
    ParameterVector replica() {
        replicas.add(new ParameterVector(layout, precision, runs, values));
        shares = List.of();
        return replicas.get(replicas.size() - 1);
    }

    private static void add(Object sums, Object more, int n) {
        if (sums instanceof float[] floats) {
            BlockStep.add(floats, (float[]) more, floats, n);
        } else {
            Arrays.setAll((double[]) sums, i -> i < n ? ((double[]) sums)[i] + ((double[]) more)[i] : 0);
        }
    }

    INDArray value(String name) {
        return part(values, name);
    }

    INDArray gradient(String name) {
        return part(gradients, name);
    }

    private INDArray part(Buffer flat, String name) {
        Parameter p = layout.parameter(name);
        int offset = runs * layout.offset(name);
        return flat.array().get(NDArrayIndex.interval(offset, offset + runs * p.size())).reshape('c',
                runs == 1 ? p.shape() : Shapes.insert(p.shape(), 0, runs));
    }

    double[] values(int run) {
        return read(values, run);
    }

    /** The values in an array that the next call overwrites. */
    double[] current() {
        Check.that(runs == 1, "runs = ", runs, ": what draws by its parameters outside the graph can be one run only");
        current = current == null ? new double[layout.size()] : current;
        values.read(0, current, current.length);
        return current;
    }

    double[] gradients(int run) {
        double[] sum = read(gradients, run);
        // on a device an update has added them already
        (onDevice == null ? replicas : List.<ParameterVector>of()).forEach(r -> add(sum, r.gradients(run), sum.length));
        return sum;
    }

    /** A vector of no parameters has a place for one. */
    private double[] read(Buffer vector, int run) {
        if (layout.size() == 0 || runs == 1) {
            return layout.size() == 0 ? new double[0] : vector.read();
        }
        double[] own = new double[layout.size()];
        for (Parameter p : layout.parameters()) {
            double[] part = new double[p.size()];
            int offset = layout.offset(p.name());
            vector.read(runs * offset + run * p.size(), part, p.size());
            System.arraycopy(part, 0, own, offset, p.size());
        }
        return own;
    }

    private void write(Buffer vector, int run, double[] flat) {
        if (runs == 1) {
            vector.write(flat);
            return;
        }
        for (Parameter p : layout.parameters()) {
            vector.write(runs * layout.offset(p.name()) + run * p.size(), layout.read(p.name(), flat), p.size());
        }
    }

    void load(int run, double[] flat) {
        Check.that(flat.length == layout.size(), "flat has " + flat.length + " values, the plan has " + layout.size());
        write(values, run, flat);
    }

    long updates() {
        return updates;
    }

    double[][] slots(int run) {
        return Arrays.stream(slots).map(slot -> read(slot, run)).toArray(double[][]::new);
    }

    void restore(int run, Optimiser rule, double[][] state, long count) {
        use(rule);
        Check.that(state.length == slots.length, "state has " + state.length + " vectors, " + rule + " keeps "
                + slots.length);
        for (int i = 0; i < slots.length; i++) {
            write(slots[i], run, state[i]);
        }
        updates = count;
    }

    private void use(Optimiser rule) {
        ArrayMemory.bind();
        if (!rule.equals(optimiser)) {
            Arrays.stream(slots).forEach(slot -> slot.array().close());
            optimiser = rule;
            slots = Stream.generate(this::zeros).limit(rule.slots()).toArray(Buffer[]::new);
            all = Stream.concat(Stream.of(values, gradients), Arrays.stream(slots)).toArray(Buffer[]::new);
            shares = List.of();
            updates = 0;
            closeUpdate();
            onDevice = Backend.isHost() ? null
                    : new DeviceUpdate(rule, Arrays.stream(all).map(Buffer::array).toArray(INDArray[]::new));
        }
    }

    private void closeUpdate() {
        if (onDevice != null) {
            onDevice.close();
        }
    }

    private static int block(Optimiser rule) {
        return Math.max(1, BLOCK / rule.shared()) * rule.shared();
    }

    void update(Optimiser rule, double rate) {
        use(rule);
        updates++;
        if (onDevice != null) {
            replicas.forEach(r -> gradients.array().addi(r.gradients.array()));
            onDevice.run(rate, updates);
            return;
        }
        if (shares.isEmpty()) {
            shares = Stream.generate(() -> new Share(block(rule))).limit(1 + replicas.size()).toList();
        }
        if (replicas.isEmpty()) {
            shares.get(0).update(rule, rate, 0, 1);
        } else {
            IntStream.range(0, shares.size()).parallel()
                    .forEach(i -> shares.get(i).update(rule, rate, i, shares.size()));
        }
    }

    long bytes() {
        return Arrays.stream(all).mapToLong(vector -> PlanCompiler.bytes(vector.array())).sum();
    }

    /** Whether the last update left all values of a run finite; which run's are not is asked only if some are not. */
    boolean isFinite(int run) {
        boolean all = onDevice != null ? onDevice.isFinite() : shares.stream().allMatch(share -> share.finite);
        return all || runs > 1 && Arrays.stream(values(run)).allMatch(Double::isFinite);
    }

    /** Whether values are finite: an exponent of all ones, as of NaN and infinity, carries over into the sign. */
    private static boolean areFinite(float[] values, int n) {
        int bits = 0;
        for (int i = 0; i < n; i++) {
            bits |= (Float.floatToRawIntBits(values[i]) & 0x7F800000) + 0x00800000;
        }
        return bits >= 0;
    }

    private static boolean areFinite(double[] values, int n) {
        long bits = 0;
        for (int i = 0; i < n; i++) {
            bits |= (Double.doubleToRawLongBits(values[i]) & 0x7FF0000000000000L) + 0x0010000000000000L;
        }
        return bits >= 0;
    }

    /** Puts inactive values and their state back to where they were. */
    void revert(double[] before, double[][] state, boolean[] active) {
        Check.that(runs == 1, "runs = ", runs, ": some parameters alone can be moved of one run only");
        revert(values, before, active);
        for (int s = 0; s < slots.length; s++) {
            revert(slots[s], state == null ? new double[active.length] : state[s], active);
        }
    }

    private static void revert(Buffer vector, double[] before, boolean[] active) {
        double[] now = vector.read();
        for (int i = 0; i < active.length; i++) {
            now[i] = active[i] ? now[i] : before[i];
        }
        vector.write(now);
    }

    @Override
    public void close() {
        closeUpdate();
        Arrays.stream(all).filter(vector -> owner || vector != values).forEach(vector -> vector.array().close());
    }
}
