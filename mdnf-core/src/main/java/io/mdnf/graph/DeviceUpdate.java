package io.mdnf.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/** An optimiser's update of whole vectors on a device: a few calls on kept arrays, so that a step allocates nothing. */
final class DeviceUpdate implements AutoCloseable {

    private final Optimiser rule;
    private final INDArray change;
    private final INDArray rates;
    private final INDArray total;
    private final Buffer rate;
    private final Buffer sum;
    private final List<NativeCall> prepare = new ArrayList<>();
    private final NativeCall fused;
    /** g, or its mean, times a rate. */
    private final NativeCall plain;
    private final NativeCall subtract;
    private final NativeCall add;

    /** Takes w, g and the state of a rule. */
    DeviceUpdate(Optimiser rule, INDArray[] vectors) {
        this.rule = rule;
        INDArray w = vectors[0];
        INDArray g = vectors[1];
        this.change = Nd4j.createUninitializedDetached(w.dataType(), w.shape()).assign(0);
        this.rates = Nd4j.createUninitializedDetached(w.dataType(), 1).assign(0);
        this.total = Nd4j.createUninitializedDetached(w.dataType()).assign(0);
        this.rate = new Buffer(rates);
        this.sum = new Buffer(total);
        if (adam() != null) {
            INDArray[] momentsAfter = {change, vectors[3], vectors[2]};
            // so many iterations that ND4J's own correction is 1: in float it would lose three digits
            fused = NativeCall.of("adam_updater", new INDArray[] {g, vectors[3], vectors[2]}, momentsAfter, 1 << 30);
        } else if (rule instanceof Optimiser.RmsProp rms) {
            if (rms.shared() > 1) {
                shareSquares(g, vectors[2], rms);
            }
            fused = NativeCall.of("rms_prop_updater", new INDArray[] {g, vectors[2]},
                    new INDArray[] {change, vectors[2]});
        } else {
            fused = null;
        }
        plain = NativeCall.of("multiply", new INDArray[] {vectors[vectors.length > 2 ? 2 : 1], rates},
                new INDArray[] {change});
        subtract = NativeCall.of("subtract", new INDArray[] {w, change}, new INDArray[] {w});
        add = NativeCall.of("reduce_sum", new INDArray[] {w}, new INDArray[] {total});
    }

    /** v = decay v + (1 - decay) mean g^2 of those that share it, by one product; a last few that are fewer share
     * theirs. */
    private void shareSquares(INDArray g, INDArray v, Optimiser.RmsProp rms) {
        prepare.add(NativeCall.of("multiply", new INDArray[] {g, g}, new INDArray[] {change}));
        long rows = g.length() / rms.shared();
        long rest = g.length() - rows * rms.shared();
        if (rows > 0) {
            addMeans(0, rows, rms.shared(), v, rms.decay());
        }
        if (rest > 0) {
            addMeans(rows * rms.shared(), 1, rest, v, rms.decay());
        }
    }

    private void addMeans(long start, long rows, long width, INDArray v, double decay) {
        double[] equal = new double[(int) (width * width)];
        Arrays.fill(equal, 1.0 / width);
        INDArray means = Nd4j.createFromArray(equal).castTo(v.dataType()).reshape(width, width);
        NativeCall call = NativeCall.product(table(change, start, rows, width), false, means, false,
                table(v, start, rows, width));
        call.arguments(1 - decay, decay);
        prepare.add(call);
    }

    private static INDArray table(INDArray vector, long start, long rows, long width) {
        return vector.get(NDArrayIndex.interval(start, start + rows * width)).reshape('c', rows, width);
    }

    private Optimiser.Adam adam() {
        return rule instanceof Optimiser.RAdam rectified ? rectified.adam()
                : rule instanceof Optimiser.Adam adam ? adam : null;
    }

    void run(double learningRate, long step) {
        prepare.forEach(NativeCall::run);
        double share = rule instanceof Optimiser.RAdam rectified ? rectified.rectified(step) : 1;
        if (adam() != null) {
            fused.arguments(adam().corrected(learningRate * share, step), adam().beta1(), adam().beta2(),
                    adam().epsilon());
            fused.run();
        } else if (rule instanceof Optimiser.RmsProp rms) {
            // a decay of 1 leaves v as it was prepared
            fused.arguments(learningRate, rms.shared() > 1 ? 1 : rms.decay(), rms.epsilon());
            fused.run();
        }
        if (fused == null || share == 0) {
            rate.write(new double[] {
                rule instanceof Optimiser.RAdam rectified ? rectified.plain(learningRate, step) : learningRate});
            plain.run();
        }
        if (learningRate != 0) {
            // ND4J takes a rate of 0 for a mistake and puts epsilon in its place
            subtract.run();
        }
        add.run();
    }

    /** Whether the last update left all values finite: then so is their sum. */
    boolean isFinite() {
        return Double.isFinite(sum.read()[0]);
    }

    @Override
    public void close() {
        prepare.forEach(NativeCall::close);
        if (fused != null) {
            fused.close();
        }
        plain.close();
        subtract.close();
        add.close();
        change.close();
        rates.close();
        total.close();
    }
}
