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

/**
 * What {@link SampledCode} does when the graph runs. Plain arrays rather than a SameDiff vertex: DL4J 1.0.0-M2.1 builds
 * the gradient of those inside a workspace, so that its constants are overwritten in the second step.
 */
@SuppressWarnings("overrides") // DL4J declares setInputs with and without varargs
final class SampledCodeVertex extends BaseGraphVertex {

    private static final long serialVersionUID = 1;

    private final Estimator estimator;
    private final INDArray countUpTo;
    private final INDArray spread;
    private final INDArray step;
    private final INDArray sum;

    SampledCodeVertex(ComputationGraph graph, String name, int index, DataType type, CodeSpace codes, int components,
            Estimator estimator) {
        super(graph, name, index, null, null, type);
        this.estimator = estimator;
        // tables to the number of flows whose category is at most k
        countUpTo = blocks(codes, type, (j, k) -> j <= k ? components : 0);
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
        INDArray passed = inputs[0].mmul(countUpTo).gt(choice.addi(0.5)).castTo(dataType);
        return passed.mmul(step);
    }

    @Override
    public Pair<Gradient, INDArray[]> doBackward(boolean tbptt, LayerWorkspaceMgr workspaceMgr) {
        INDArray byTable = estimator == Estimator.AVERAGED ? epsilon : secondOrder();
        INDArray byChoice = workspaceMgr.create(ArrayType.ACTIVATION_GRAD, dataType, inputs[1].shape());
        return new Pair<>(null, new INDArray[] {workspaceMgr.dup(ArrayType.ACTIVATION_GRAD, byTable), byChoice});
    }

    /** 2 c (e - sum m e) - e / 2 with m = (x + q) / 2 and c = m / q = (1 + x / q(x)) / 2, defined also where q is 0. */
    private INDArray secondOrder() {
        INDArray q = inputs[0];
        INDArray x = draw();
        INDArray middle = x.add(q).muli(0.5);
        INDArray doubled = x.div(x.mul(q).mmul(sum)).addi(1);
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
