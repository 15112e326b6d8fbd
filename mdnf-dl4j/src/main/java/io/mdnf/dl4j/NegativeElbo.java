package io.mdnf.dl4j;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Tables;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.samediff.SDLayerParams;
import org.deeplearning4j.nn.conf.layers.samediff.SameDiffOutputLayer;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * The output layer of a discrete auto-encoder: its score is the negative ELBO per image, in nats.
 *
 * <p>With pixel logits l of a sampled code, its table q, the image y (the labels, in [0, 1]) and a uniform prior,
 *
 * <pre>-ELBO = - sum_p (y_p l_p - log(1 + e^l_p)) + sum_d sum_k q_d(k) log(K_d q_d(k)).</pre>
 *
 * The first sum is estimated from one code drawn from q, the second is exact, so the expected score is at least
 * -log p(y); regularisation terms, where a graph has them, come on top. The gradient of
 * the second is that of {@link Tables#entropy}.
 *
 * <p>For labels outside [0, 1] it would be no bound: they are refused, with row and column named.
 *
 * <p>Inputs, merged by DL4J in this order: logits [n, pixels], q [n, D * K]. Output: the pixels' probabilities.
 */
public final class NegativeElbo extends SameDiffOutputLayer {

    private static final long serialVersionUID = 1;

    private static final String PROBABILITIES = "probabilities";

    private int pixels;
    private int[] cardinalities;
    private int components;

    /** For Jackson. */
    NegativeElbo() {}

    NegativeElbo(int pixels, CodeSpace space, int components) {
        Check.that(pixels >= 1, "pixels = ", pixels, ": at least 1 is needed");
        this.pixels = pixels;
        this.cardinalities = space.cardinalities();
        this.components = components;
    }

    /** Returns how many pixels an image has. */
    public int getPixels() {
        return pixels;
    }

    /** Returns K_1 .. K_D. */
    public int[] getCardinalities() {
        return cardinalities.clone();
    }

    /** Returns B, the number of flows. */
    public int getComponents() {
        return components;
    }

    @Override
    public SDVariable defineLayer(SameDiff sameDiff, SDVariable layerInput, SDVariable labels,
            Map<String, SDVariable> paramTable) {
        CodeSpace space = CodeSpace.of(cardinalities);
        int length = space.oneHotLength();
        Graph graph = new Graph(sameDiff, Precision.of(layerInput));
        Tensor input = graph.adopt(layerInput, -1, pixels + length);
        Tensor logits = input.slice(1, 0, pixels);
        Tensor q = input.slice(1, pixels, length);
        logits.sigmoid().variable().rename(PROBABILITIES);
        Tensor image = graph.adopt(labels, -1, pixels);
        Tensor logLikelihood = image.times(logits).minus(logits.softplus()).sum();
        Tables tables = new Tables(q.reshape(-1, space.variables(), space.width()), components);
        Tensor divergence = tables.divergence(uniform(graph, space)).sum();
        SDVariable loss = divergence.minus(logLikelihood).variable();
        sameDiff.setLossVariables(loss);
        return loss;
    }

    @Override
    public Layer instantiate(NeuralNetConfiguration conf, Collection<TrainingListener> listeners, int index,
            INDArray params, boolean initialise, DataType type) {
        Running layer = new Running(conf, type);
        layer.setIndex(index);
        layer.setParamsViewArray(params);
        layer.setParamTable(initializer().init(conf, params, initialise));
        layer.setConf(conf);
        return layer;
    }

    /** -log K_d for every category, [D, K]. */
    private static Tensor uniform(Graph graph, CodeSpace space) {
        double[] row = new double[space.oneHotLength()];
        Arrays.setAll(row, i -> -Math.log(space.cardinality(i / space.width())));
        return graph.constant(row, space.variables(), space.width());
    }

    @Override
    public String activationsVertexName() {
        return PROBABILITIES;
    }

    @Override
    public void defineParameters(SDLayerParams params) {
        // there are none
    }

    @Override
    public void initializeParameters(Map<String, INDArray> params) {
        // there are none
    }

    @Override
    public InputType getOutputType(int layerIndex, InputType inputType) {
        return InputType.feedForward(pixels);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NegativeElbo elbo && super.equals(elbo) && pixels == elbo.pixels
                && components == elbo.components && Arrays.equals(cardinalities, elbo.cardinalities);
    }

    @Override
    public int hashCode() {
        return Objects.hash(super.hashCode(), pixels, components, Arrays.hashCode(cardinalities));
    }

    @Override
    public String toString() {
        return "NegativeElbo(" + pixels + " pixels, " + CodeSpace.of(cardinalities) + ", B=" + components + ")";
    }

    /** What the layer does when the graph runs: it takes no labels by which its score would be no bound. */
    private static final class Running extends org.deeplearning4j.nn.layers.samediff.SameDiffOutputLayer {

        private static final long serialVersionUID = 1;

        Running(NeuralNetConfiguration conf, DataType type) {
            super(conf, type);
        }

        /** Refuses the first number outside [0, 1] by its row and column, both from 1. */
        @Override
        public void setLabels(INDArray labels) {
            if (labels != null) {
                DataRange.UNIT.check(labels, 0);
            }
            super.setLabels(labels);
        }
    }
}
