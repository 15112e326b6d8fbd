package io.mdnf.dl4j;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.dl4j.DenseParameters.Dense;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.List;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.gradient.DefaultGradient;
import org.deeplearning4j.nn.gradient.Gradient;
import org.deeplearning4j.nn.layers.BaseLayer;
import org.deeplearning4j.nn.workspace.ArrayType;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/** What {@link AutoregressiveLatent} does when a graph runs. */
final class AutoregressiveLatentLayer extends BaseLayer<AutoregressiveLatent> {

    private static final long serialVersionUID = 1;

    AutoregressiveLatentLayer(NeuralNetConfiguration conf, DataType type) {
        super(conf, type);
    }

    private INDArray features(INDArray both) {
        return both.get(NDArrayIndex.all(), NDArrayIndex.interval(0, layerConf().features()));
    }

    private INDArray affine(Dense dense, INDArray x, boolean training, LayerWorkspaceMgr workspaceMgr) {
        return x.mmul(getParamWithNoise(dense.weights(), training, workspaceMgr))
                .addiRowVector(getParamWithNoise(dense.bias(), training, workspaceMgr));
    }

    private LookingUnits units(boolean training, LayerWorkspaceMgr workspaceMgr) {
        return new LookingUnits(layerConf().space(),
                getParamWithNoise(layerConf().rows().weights(), training, workspaceMgr),
                getParamWithNoise(layerConf().weights().weights(), training, workspaceMgr));
    }

    /** b + G h, impossible categories far below. */
    private INDArray own(INDArray features, boolean training, LayerWorkspaceMgr workspaceMgr) {
        double[] impossible =
                Arrays.stream(layerConf().space().validity()).map(v -> (1 - v) * LogSpace.IMPOSSIBLE).toArray();
        return affine(layerConf().own(), features, training, workspaceMgr)
                .addiRowVector(Nd4j.createFromArray(impossible).castTo(dataType));
    }

    private LookingUnits.Walk walk(boolean training, LayerWorkspaceMgr workspaceMgr) {
        assertInputSet(false);
        INDArray both = input.castTo(dataType);
        INDArray features = features(both);
        double[][] choices = both.get(NDArrayIndex.all(),
                NDArrayIndex.interval(layerConf().features(), both.size(1))).castTo(DataType.DOUBLE).toDoubleMatrix();
        return units(training, workspaceMgr).walk(own(features, training, workspaceMgr),
                affine(layerConf().start(), features, training, workspaceMgr),
                (d, logits) -> chosen(d, logits, choices));
    }

    /** The category in which the running sum of q passes the choice, the last possible one at the latest; [n, K]. */
    private INDArray chosen(int variable, INDArray logits, double[][] choices) {
        double[][] q = Table.of(logits.castTo(DataType.DOUBLE)).q().toDoubleMatrix();
        double[][] code = new double[q.length][q[0].length];
        int last = layerConf().space().cardinality(variable) - 1;
        for (int i = 0; i < q.length; i++) {
            double at = (choices[i][variable] + 0.5) / MdnfLatent.UNLIMITED;
            int k = 0;
            for (double passed = q[i][0]; k < last && passed <= at; passed += q[i][k]) {
                k++;
            }
            code[i][k] = 1;
        }
        return Nd4j.createFromArray(code).castTo(dataType);
    }

    /** Logits, codes or tables as one row for each variable, [n D, K]. */
    private INDArray rows(INDArray flat) {
        int width = layerConf().space().width();
        return flat.reshape(flat.length() / width, width);
    }

    /** Codes and the tables they were drawn from, [n, 2 D K]. */
    @Override
    public INDArray activate(boolean training, LayerWorkspaceMgr workspaceMgr) {
        LookingUnits.Walk walk = walk(training, workspaceMgr);
        INDArray tables = Table.of(rows(walk.logits())).q().reshape(walk.z().shape());
        return workspaceMgr.dup(ArrayType.ACTIVATIONS, Nd4j.concat(1, walk.z(), tables));
    }

    @Override
    public Pair<Gradient, INDArray> backpropGradient(INDArray epsilon, LayerWorkspaceMgr workspaceMgr) {
        CodeSpace space = layerConf().space();
        int length = space.oneHotLength();
        LookingUnits.Walk walk = walk(true, workspaceMgr);
        INDArray features = features(input.castTo(dataType));
        INDArray byCode = epsilon.get(NDArrayIndex.all(), NDArrayIndex.interval(0, length)).dup('c');
        INDArray byTable = epsilon.get(NDArrayIndex.all(), NDArrayIndex.interval(length, 2 * length)).dup('c');
        INDArray logits = rows(walk.logits());
        INDArray byLogits = Table.secondOrder(logits, rows(walk.z()), rows(byCode), layerConf().getTemperature())
                .addi(Table.jacobian(Table.of(logits).q(), rows(byTable))).reshape(walk.z().shape());
        INDArray byStart = units(true, workspaceMgr).backward(walk, byLogits,
                gradientViews.get(layerConf().rows().weights()), gradientViews.get(layerConf().weights().weights()));
        INDArray byFeatures = back(layerConf().own(), features, byLogits, workspaceMgr)
                .addi(back(layerConf().start(), features, byStart, workspaceMgr));
        Gradient gradient = new DefaultGradient(gradientsFlattened);
        gradientViews.forEach((name, view) -> gradient.gradientForVariable().put(name, view));
        weightNoiseParams.clear();
        INDArray none = Nd4j.zeros(dataType, features.size(0), space.variables());
        return new Pair<>(gradient,
                workspaceMgr.dup(ArrayType.ACTIVATION_GRAD, Nd4j.concat(1, byFeatures, none)));
    }

    /** Writes the gradients of an affine map; returns that by its input. */
    private INDArray back(Dense dense, INDArray x, INDArray delta, LayerWorkspaceMgr workspaceMgr) {
        gradientViews.get(dense.weights()).assign(x.transpose().mmul(delta));
        delta.sum(gradientViews.get(dense.bias()), 0);
        return delta.mmul(getParamWithNoise(dense.weights(), true, workspaceMgr).transpose());
    }

    /** q(z | y) for every row of the layer's input, [n, m + D]. */
    List<CodeDistribution> posterior(INDArray both) {
        LayerWorkspaceMgr none = LayerWorkspaceMgr.noWorkspaces();
        INDArray features = features(both.castTo(dataType));
        return units(false, none).distributions(affine(layerConf().own(), features, false, none),
                affine(layerConf().start(), features, false, none));
    }

    @Override
    public boolean isPretrainLayer() {
        return false;
    }
}
