package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.datavec.api.records.reader.impl.collection.CollectionRecordReader;
import org.datavec.api.writable.DoubleWritable;
import org.datavec.api.writable.IntWritable;
import org.datavec.api.writable.Writable;
import org.deeplearning4j.datasets.datavec.RecordReaderDataSetIterator;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/**
 * {@code deeplearning4j-core} without its image, video and HDF5 parts still trains a graph from an iterator, and those
 * parts are indeed gone: they weigh some hundred megabytes on every machine.
 */
class DeeplearningWithoutNativesTest {

    @Test
    void aGraphLearnsFromARecordReader() {
        List<List<Writable>> rows = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            rows.add(List.of(new DoubleWritable(i % 2 == 0 ? 1.0 : -1.0), new IntWritable(i % 2)));
        }
        int labelColumn = 1;
        int classes = 2;
        var data = new RecordReaderDataSetIterator(new CollectionRecordReader(rows), rows.size(), labelColumn, classes);
        ComputationGraphConfiguration configuration = new NeuralNetConfiguration.Builder()
                .seed(1).updater(new Adam(0.05)).graphBuilder().addInputs("x")
                .addLayer("hidden", new DenseLayer.Builder().nIn(1).nOut(4).activation(Activation.TANH).build(), "x")
                .addLayer("y", new OutputLayer.Builder(LossFunction.MCXENT).nIn(4).nOut(2)
                        .activation(Activation.SOFTMAX).build(), "hidden")
                .setOutputs("y").build();
        ComputationGraph graph = new ComputationGraph(configuration);
        graph.init();

        graph.fit(data, 60);

        data.reset();
        // The two classes are one threshold apart; log 2 = 0.69 is the loss of a coin.
        assertThat(graph.score(data.next())).isLessThan(0.1);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "org.datavec.image.loader.NativeImageLoader", "org.bytedeco.opencv.global.opencv_core",
        "org.bytedeco.hdf5.global.hdf5", "org.bytedeco.ffmpeg.global.avcodec",
        "org.deeplearning4j.nn.modelimport.keras.KerasModel"})
    void theHeavyPartsAreNotOnTheClassPath(String heavy) {
        assertThatThrownBy(() -> Class.forName(heavy)).isInstanceOf(ClassNotFoundException.class);
    }
}
