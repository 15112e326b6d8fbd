package io.mdnf.dl4j;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.mixture.Mixture;
import io.mdnf.network.Nade;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.INDArrayIndex;
import org.nd4j.linalg.indexing.NDArrayIndex;
import org.nd4j.linalg.ops.transforms.Transforms;

/**
 * Codes drawn variable by variable in DL4J's arrays, by the network of {@link Nade}:
 * <pre>
 *   l_d = own_d + V_d relu(start + sum_{e &lt; d} W_e z_e),     z_d ~ softmax(l_d)
 * </pre>
 * with own [n, D K] and start [n, H] from an encoder. No gradient goes through z_e to what follows: as in the graphs of
 * mdnf-core, that would gain nothing.
 *
 * @param rows W, [D K, H]
 * @param weights V, [H, D K]
 */
record LookingUnits(CodeSpace space, INDArray rows, INDArray weights) {

    /** One-hot categories [n, K] of a variable by its logits [n, K]. */
    @FunctionalInterface
    interface Choice {
        INDArray of(int variable, INDArray logits);
    }

    /**
     * Drawn codes and what they were drawn by.
     *
     * @param z one-hot, [n, D K]
     * @param logits [n, D K]
     * @param hidden relu(start + ...) of every variable, [n, H] each
     */
    record Walk(INDArray z, INDArray logits, List<INDArray> hidden) {}

    /** Draws codes. */
    Walk walk(INDArray own, INDArray start, Choice choice) {
        INDArray z = Nd4j.zeros(own.dataType(), own.shape());
        INDArray logits = own.dup();
        INDArray sums = start.dup();
        List<INDArray> hidden = new ArrayList<>();
        for (int d = 0; d < space.variables(); d++) {
            INDArray seen = Transforms.relu(sums, true);
            hidden.add(seen);
            INDArray ownLogits = columns(logits, d).addi(seen.mmul(columns(weights, d)));
            INDArray chosen = choice.of(d, ownLogits);
            columns(z, d).assign(chosen);
            sums.addi(chosen.mmul(rowsOf(rows, d)));
        }
        return new Walk(z, logits, hidden);
    }

    /** Writes the gradients by W and V where that by the logits is given, [n, D K]; returns that by start, [n, H]. That
     * by own is that by the logits. */
    INDArray backward(Walk walk, INDArray byLogits, INDArray byRows, INDArray byWeights) {
        INDArray bySums = Nd4j.zeros(byLogits.dataType(), byLogits.size(0), rows.size(1));
        for (int d = space.variables() - 1; d >= 0; d--) {
            INDArray seen = walk.hidden.get(d);
            INDArray own = columns(byLogits, d);
            // variable d moves the sums of those after it
            rowsOf(byRows, d).assign(columns(walk.z, d).transpose().mmul(bySums));
            columns(byWeights, d).assign(seen.transpose().mmul(own));
            bySums.addi(own.mmul(columns(weights, d).transpose()).muli(seen.gt(0).castTo(seen.dataType())));
        }
        return bySums;
    }

    /** The largest logit of every row, one-hot. */
    static INDArray largest(INDArray logits) {
        return Nd4j.pullRows(Nd4j.eye(logits.size(1)).castTo(logits.dataType()), 1, logits.argMax(1).toIntVector());
    }

    /** The distributions of codes for rows own [n, D K] and start [n, H]. */
    List<CodeDistribution> distributions(INDArray own, INDArray start) {
        int width = space.width();
        int units = (int) start.size(1);
        Mixture mixture = Mixture.unlimited(new Nade(space, 1, 0, units));
        double[] out = new double[units * space.oneHotLength()];
        double[][] v = weights.castTo(DataType.DOUBLE).toDoubleMatrix();
        for (int i = 0; i < out.length; i++) {
            int d = i / width / units;
            out[i] = v[i / width % units][d * width + i % width];
        }
        ParameterLayout layout = mixture.layout();
        double[] all = layout.with("flow/shift/weights", out, layout.with("flow/shift/rows",
                rows.castTo(DataType.DOUBLE).dup('c').data().asDouble(), new double[layout.size()]));
        double[][] biases = own.castTo(DataType.DOUBLE).toDoubleMatrix();
        double[][] starts = start.castTo(DataType.DOUBLE).toDoubleMatrix();
        return IntStream.range(0, biases.length).<CodeDistribution>mapToObj(i -> new FlowMixture(mixture, layout.with(
                "flow/shift/hiddenBias", starts[i], layout.with("flow/shift/bias", biases[i], all)))).toList();
    }

    /** The columns of a variable, [n, K] of [n, D K], a view. */
    INDArray columns(INDArray array, int variable) {
        return array.get(NDArrayIndex.all(), of(variable));
    }

    private INDArray rowsOf(INDArray array, int variable) {
        return array.get(of(variable), NDArrayIndex.all());
    }

    private INDArrayIndex of(int variable) {
        return NDArrayIndex.interval((long) variable * space.width(), (variable + 1L) * space.width());
    }
}
