package io.mdnf.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.LossLayer;
import org.deeplearning4j.nn.conf.layers.samediff.SameDiffLambdaLayer;
import org.deeplearning4j.nn.conf.layers.variational.VariationalAutoencoder;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** When one of these fails, DL4J has been repaired. */
class KnownDl4jDefectTest {

    /** y = x + 1. */
    static final class PlusOne extends SameDiffLambdaLayer {
        private static final long serialVersionUID = 1;

        @Override
        public SDVariable defineLayer(SameDiff sameDiff, SDVariable layerInput) {
            return layerInput.add(1);
        }

        @Override
        public InputType getOutputType(int layerIndex, InputType inputType) {
            return inputType;
        }
    }

    /** Then {@code MdnfLatent.gradientOnce} can go. */
    @Test
    @Tag("slow")
    void aSameDiffLayerDoublesTheGradient() {
        ComputationGraph graph = new ComputationGraph(new NeuralNetConfiguration.Builder().seed(1)
                .dataType(DataType.DOUBLE).updater(new Sgd(1)).graphBuilder().addInputs("x")
                .addLayer("w", new DenseLayer.Builder().nIn(1).nOut(1).activation(Activation.IDENTITY).build(), "x")
                .addLayer("plus", new PlusOne(), "w")
                .addLayer("y", new LossLayer.Builder(LossFunction.L2).activation(Activation.IDENTITY).build(), "plus")
                .setOutputs("y").build());
        graph.init();
        graph.getParam("w_W").assign(3);
        INDArray one = Nd4j.ones(DataType.DOUBLE, 1, 1);
        graph.setInputs(one);
        graph.setLabels(one);

        graph.computeGradientAndScore();

        // (w + 1 - 1)^2 has the derivative 2 w = 6
        assertThat(graph.gradient().gradientForVariable().get("w_W").getDouble(0)).isEqualTo(2 * 6.0);
    }

    /** Then the tutorial's sentence on pretraining after a restore can go. */
    @Test
    @Tag("slow")
    void theMomentsOfPretrainingAreNotSaved() throws IOException {
        MultiLayerNetwork network = new MultiLayerNetwork(new NeuralNetConfiguration.Builder().seed(1)
                .updater(new Adam(0.1)).list().layer(new VariationalAutoencoder.Builder().nIn(4).nOut(2)
                        .encoderLayerSizes(3).decoderLayerSizes(3).build()).build());
        network.init();
        INDArray data = Nd4j.linspace(DataType.FLOAT, -0.9, 0.05, 32).reshape(8, 4);
        network.pretrainLayer(0, data);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ModelSerializer.writeModel(network, bytes, true);
        MultiLayerNetwork restored =
                ModelSerializer.restoreMultiLayerNetwork(new ByteArrayInputStream(bytes.toByteArray()), true);
        assertThat(restored.params()).isEqualTo(network.params());
        for (MultiLayerNetwork each : List.of(network, restored)) {
            Nd4j.getRandom().setSeed(7);
            each.pretrainLayer(0, data);
        }
        assertThat(restored.params()).isNotEqualTo(network.params());
    }
}
