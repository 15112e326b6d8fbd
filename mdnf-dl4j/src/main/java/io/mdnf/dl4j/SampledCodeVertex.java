package io.mdnf.dl4j;

import io.mdnf.mixture.Estimator;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.function.IntBinaryOperator;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.MaskState;
import org.deeplearning4j.nn.gradient.Gradient;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.graph.vertex.BaseGraphVertex;
import org.deeplearning4j.nn.workspace.ArrayType;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.ops.transforms.Transforms;

/**
 * What {@link SampledCode} does when the graph runs. Plain arrays rather than a SameDiff vertex: DL4J 1.0.0-M2.1 builds
 * the gradient of those inside a workspace, so that its constants are overwritten in the second step.
 */
@SuppressWarnings("overrides") // DL4J declares setInputs with and without varargs
final class SampledCodeVertex extends BaseGraphVertex {

    private static final long serialVersionUID = 1;

    /** What no float that matters is below. */
    private static final double TINY = 1e-30;

    private final Estimator estimator;
    private final boolean unlimited;
    private final double temperature;
    private final INDArray countUpTo;
    private final INDArray last;
    private final INDArray spread;
    private final INDArray step;
    private final INDArray sum;

    SampledCodeVertex(ComputationGraph graph, String name, int index, DataType type, SampledCode description) {
        super(graph, name, index, null, null, type);
        CodeSpace codes = description.space();
        int components = description.getComponents();
        estimator = description.getEstimator();
        unlimited = components == MdnfLatent.UNLIMITED;
        temperature = description.getTemperature();
        // tables to the number of flows whose category is at most k
        countUpTo = blocks(codes, type, (j, k) -> j <= k ? components : 0);
        // the last category passes every choice, though the sum of a softmax may fall short of 1
        double[] all = new double[codes.oneHotLength()];
        Arrays.setAll(all, i -> i % codes.width() >= codes.cardinality(i / codes.width()) - 1 ? components : 0);
        last = Nd4j.createFromArray(all).castTo(type).detach();
        // from whether a count has passed to where it passes: x_k = passed_k - passed_{k-1}
        step = blocks(codes, type, (j, k) -> j == k ? 1 : j + 1 == k ? -1 : 0);
        sum = blocks(codes, type, (j, k) -> 1);
        spread = spread(codes, type);
    }

    /** [D * K, D * K], the same [K, K] for every variable. */
    private static INDArray blocks(CodeSpace codes, DataType type, IntBinaryOperator entry) {
        int width = codes.width();
        double[][] matrix = new double[codes.oneHotLength()][codes.oneHotLength()];
        for (int i = 0; i < matrix.length; i++) {
            for (int k = 0; k < width; k++) {
                matrix[i][i / width * width + k] = entry.applyAsInt(i % width, k);
            }
        }
        return Nd4j.createFromArray(matrix).castTo(type).detach();
    }

    /** [D, D * K]: repeats each variable's number for all its categories. */
    private static INDArray spread(CodeSpace codes, DataType type) {
        double[][] matrix = new double[codes.variables()][codes.oneHotLength()];
        for (int d = 0; d < matrix.length; d++) {
            Arrays.fill(matrix[d], d * codes.width(), (d + 1) * codes.width(), 1);
        }
        return Nd4j.createFromArray(matrix).castTo(type).detach();
    }

    @Override
    public INDArray doForward(boolean training, LayerWorkspaceMgr workspaceMgr) {
        return workspaceMgr.dup(ArrayType.ACTIVATIONS, draw());
    }

    private INDArray draw() {
        INDArray choice = inputs[1].castTo(dataType).mmul(spread);
        // both are whole numbers but for rounding, so a half between them decides
        INDArray passed = inputs[0].mmul(countUpTo).addiRowVector(last).gt(choice.addi(0.5)).castTo(dataType);
        return passed.mmul(step);
    }

    @Override
    public Pair<Gradient, INDArray[]> doBackward(boolean tbptt, LayerWorkspaceMgr workspaceMgr) {
        INDArray byTable = estimator == Estimator.AVERAGED ? epsilon : secondOrder();
        INDArray byChoice = workspaceMgr.create(ArrayType.ACTIVATION_GRAD, dataType, inputs[1].shape());
        return new Pair<>(null, new INDArray[] {workspaceMgr.dup(ArrayType.ACTIVATION_GRAD, byTable), byChoice});
    }

    /** 2 c (e - sum m e) - e / 2 with m = (x + p) / 2 and c = m / q. Of flows without number p = softmax(l / tau),
     * which is q^(1 / tau) but for its sum; of others p = q, and c = (1 + x / q(x)) / 2, defined also where q is 0. */
    private INDArray secondOrder() {
        INDArray q = inputs[0];
        INDArray x = draw();
        INDArray p = unlimited ? Transforms.pow(q, 1 / temperature) : q;
        INDArray middle = x.add(unlimited ? p.div(p.mmul(sum)) : p).muli(0.5);
        INDArray doubled = unlimited ? middle.mul(2).divi(q.add(TINY)) : x.div(x.mul(q).mmul(sum)).addi(1);
        INDArray centred = epsilon.sub(epsilon.mul(middle).mmul(sum));
        return centred.muli(doubled).subi(epsilon.mul(0.5));
    }

    @Override
    public boolean hasLayer() {
        return false;
    }

    @Override
    public Layer getLayer() {
        return null;
    }

    @Override
    public void setBackpropGradientsViewArray(INDArray view) {
        Check.that(view == null, "vertex ", vertexName, " has no parameters, got gradients ", view);
    }

    @Override
    public Pair<INDArray, MaskState> feedForwardMaskArrays(INDArray[] maskArrays, MaskState currentMaskState,
            int minibatchSize) {
        return maskArrays == null || maskArrays.length == 0 ? null : new Pair<>(maskArrays[0], currentMaskState);
    }

    @Override
    public String toString() {
        return "SampledCodeVertex(" + vertexName + ", " + estimator + ")";
    }
}
