package io.mdnf.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.WorkspaceMode;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.variational.BernoulliReconstructionDistribution;
import org.deeplearning4j.nn.conf.layers.variational.CompositeReconstructionDistribution;
import org.deeplearning4j.nn.conf.layers.variational.ExponentialReconstructionDistribution;
import org.deeplearning4j.nn.conf.layers.variational.GaussianReconstructionDistribution;
import org.deeplearning4j.nn.conf.layers.variational.LossFunctionWrapper;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.nd4j.linalg.lossfunctions.impl.LossMSE;

/** The layer in a network of DL4J: pretrained, trained under a loss, saved and asked. */
class DiscreteVariationalAutoencoderTest {

    private final INDArray images = Patterns.images(640, new Draws(Seed.of(3)), DataType.FLOAT);
    private final double[][] rows = images.castTo(DataType.DOUBLE).toDoubleMatrix();
    /** Which half of the first factor's pixels is bright, by most of them. */
    private final INDArray labels = labels(rows);

    private static INDArray labels(double[][] rows) {
        double[][] labels = new double[rows.length][2];
        for (int i = 0; i < rows.length; i++) {
            labels[i][rows[i][0] + rows[i][1] + rows[i][2] > 1.5 ? 0 : 1] = 1;
        }
        return Nd4j.createFromArray(labels).castTo(DataType.FLOAT);
    }

    private DataSetIterator iterator() {
        return new ListDataSetIterator<>(new DataSet(images, labels).asList(), 64);
    }

    private static MultiLayerNetwork network(WorkspaceMode workspaces) {
        return network(workspaces, autoencoder());
    }

    private static DiscreteVariationalAutoencoder.Builder autoencoder() {
        return new DiscreteVariationalAutoencoder.Builder().nIn(Patterns.PIXELS).nOut(2 * Patterns.FACTORS)
                .encoderLayerSizes(16).decoderLayerSizes(16)
                .reconstructionDistribution(new BernoulliReconstructionDistribution(Activation.SIGMOID));
    }

    private static MultiLayerNetwork network(WorkspaceMode workspaces, DiscreteVariationalAutoencoder.Builder first) {
        return network(workspaces, first, new Adam(0.03));
    }

    private static MultiLayerNetwork network(WorkspaceMode workspaces, DiscreteVariationalAutoencoder.Builder first,
            IUpdater updater) {
        MultiLayerConfiguration configuration = new NeuralNetConfiguration.Builder().seed(1)
                .updater(updater).activation(Activation.TANH)
                .trainingWorkspaceMode(workspaces).inferenceWorkspaceMode(workspaces).list()
                .layer(first.build())
                .layer(new OutputLayer.Builder(LossFunction.MCXENT).activation(Activation.SOFTMAX)
                        .nIn(2 * Patterns.FACTORS).nOut(2).build()).build();
        MultiLayerNetwork network = new MultiLayerNetwork(configuration);
        network.init();
        return network;
    }

    private static DiscreteVariationalAutoencoderLayer layer(MultiLayerNetwork network) {
        return (DiscreteVariationalAutoencoderLayer) network.getLayer(0);
    }

    @Test
    @Tag("slow")
    void pretrainingComesNearTheTruthAndTheNetworkGoesOnFromThere() {
        MultiLayerNetwork network = network(WorkspaceMode.ENABLED);
        network.pretrain(iterator(), 20);
        double truth = Arrays.stream(rows).mapToDouble(Patterns::logProbability).average().orElseThrow();
        double bound = layer(network).reconstructionLogProbability(images, 20).meanNumber().doubleValue();
        // untrained -12.5, the truth -5.9; three binary variables can reach it; fitted rows may pass it by a little
        assertThat(bound).isBetween(truth - 0.5, truth + 0.2);

        INDArray decoder = layer(network).getParam("d0W").dup();
        INDArray encoder = layer(network).getParam("e0W").dup();
        network.fit(iterator(), 15);
        assertThat(network.score(new DataSet(images, labels))).isLessThan(0.15);
        assertThat(layer(network).getParam("d0W")).isEqualTo(decoder);
        assertThat(layer(network).getParam("e0W")).isNotEqualTo(encoder);
        assertThat(network.evaluate(iterator()).accuracy()).isGreaterThan(0.95);
    }

    @Test
    void oneVariableTellsEachFactorAndItsCodeDrawsItsPixels() {
        MultiLayerNetwork network = network(WorkspaceMode.ENABLED);
        network.pretrain(iterator(), 20);
        DiscreteVariationalAutoencoderLayer vae = layer(network);
        List<CodeDistribution> posteriors = vae.posterior(images);
        assertThat(posteriors).hasSize(rows.length);
        int[][] codes = posteriors.stream().map(q -> q.mostProbable(1).get(0).code()).toArray(int[][]::new);
        INDArray z = Nd4j.createFromArray(vae.layerConf().space().oneHot(codes))
                .reshape(codes.length, 2 * Patterns.FACTORS);
        double[][] means = vae.generateAtMeanGivenZ(z).castTo(DataType.DOUBLE).toDoubleMatrix();
        double[][] random = vae.generateRandomGivenZ(z, LayerWorkspaceMgr.noWorkspaces())
                .castTo(DataType.DOUBLE).toDoubleMatrix();
        double missed = 0;
        double drawn = 0;
        for (int i = 0; i < rows.length; i++) {
            for (int p = 0; p < Patterns.PIXELS; p++) {
                missed += Math.abs(Math.rint(means[i][p]) - rows[i][p]) / rows.length / Patterns.PIXELS;
                drawn += Math.abs(random[i][p] - rows[i][p]) / rows.length / Patterns.PIXELS;
            }
        }
        // the flipped pixels are missed; of drawn ones also those that flip anew, 2 * 0.05 * 0.95; 11,520 pixels
        assertThat(missed).isCloseTo(Patterns.FLIP, within(0.02));
        assertThat(drawn).isCloseTo(0.095, within(0.03));
    }

    @Test
    void workspacesChangeNothing() {
        MultiLayerNetwork with = network(WorkspaceMode.ENABLED);
        MultiLayerNetwork without = network(WorkspaceMode.NONE);
        for (MultiLayerNetwork network : List.of(with, without)) {
            Nd4j.getRandom().setSeed(5);
            network.pretrain(iterator(), 3);
            network.fit(iterator(), 2);
        }
        assertThat(with.params()).isEqualTo(without.params());
        assertThat(with.output(images)).isEqualTo(without.output(images));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSavedNetworkAnswersAndTrainsAsBefore(boolean looking) throws IOException {
        MultiLayerNetwork network =
                network(WorkspaceMode.ENABLED, looking ? autoencoder().autoregressive(8) : autoencoder());
        network.pretrain(iterator(), 1);
        network.fit(iterator(), 1);
        MultiLayerNetwork restored = restored(network);
        assertThat(restored.getLayerWiseConfigurations()).isEqualTo(network.getLayerWiseConfigurations());
        assertThat(restored.output(images)).isEqualTo(network.output(images));
        for (MultiLayerNetwork each : List.of(network, restored)) {
            each.fit(iterator(), 1);
        }
        assertThat(restored.params()).isEqualTo(network.params());
        assertThat(bounds(restored)).isEqualTo(bounds(network));
    }

    private static MultiLayerNetwork restored(MultiLayerNetwork network) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ModelSerializer.writeModel(network, bytes, true);
        return ModelSerializer.restoreMultiLayerNetwork(new ByteArrayInputStream(bytes.toByteArray()), true);
    }

    /** What is saved says how training under a loss goes on, and pretraining by an updater without memory. */
    @Test
    void aNetworkSavedAfterPretrainingGoesOnAsBefore() throws IOException {
        MultiLayerNetwork fitted = network(WorkspaceMode.ENABLED);
        fitted.pretrain(iterator(), 1);
        MultiLayerNetwork fittedToo = restored(fitted);
        fitted.fit(iterator(), 1);
        fittedToo.fit(iterator(), 1);
        assertThat(fittedToo.params()).isEqualTo(fitted.params());

        MultiLayerNetwork pretrained = network(WorkspaceMode.ENABLED, autoencoder(), new Sgd(0.1));
        pretrained.pretrain(iterator(), 1);
        MultiLayerNetwork pretrainedToo = restored(pretrained);
        for (MultiLayerNetwork each : List.of(pretrained, pretrainedToo)) {
            Nd4j.getRandom().setSeed(7);
            each.pretrain(iterator(), 1);
        }
        assertThat(pretrainedToo.params()).isEqualTo(pretrained.params());
    }

    private INDArray bounds(MultiLayerNetwork network) {
        Nd4j.getRandom().setSeed(6);
        return layer(network).reconstructionLogProbability(images, 2);
    }

    @Test
    void configurationSurvivesJson() {
        var layer = new DiscreteVariationalAutoencoder.Builder().nIn(6).nOut(12).categories(4).temperature(1)
                .encoderLayerSizes(5, 4).decoderLayerSizes(3).numSamples(2).pzxActivationFunction(Activation.TANH)
                .reconstructionDistribution(new CompositeReconstructionDistribution.Builder()
                        .addDistribution(4, new GaussianReconstructionDistribution())
                        .addDistribution(2, new BernoulliReconstructionDistribution(Activation.SIGMOID)).build())
                .build();
        MultiLayerConfiguration configuration = new NeuralNetConfiguration.Builder().list().layer(layer).build();
        String json = configuration.toJson();
        MultiLayerConfiguration restored = MultiLayerConfiguration.fromJson(json);
        assertThat(restored.toJson()).isEqualTo(json).contains("\"categories\" : 4", "\"numSamples\" : 2");
        assertThat(restored).isEqualTo(configuration);
        assertThat(layer.toString()).startsWith("DiscreteVariationalAutoencoder(nIn=6, encoder=[5, 4], nOut=12, K=4,");
    }

    /** In float the sigmoid of 40 is 1, and DL4J takes the logarithm of the rest, minus infinity, for 0. */
    @Test
    void aPixelThatIsCertainlyWrongCostsItsLogit() {
        var dl4j = new BernoulliReconstructionDistribution(Activation.SIGMOID);
        INDArray black = Nd4j.zeros(DataType.FLOAT, 1, 1);
        INDArray logit = Nd4j.valueArrayOf(new long[] {1, 1}, 40, DataType.FLOAT);
        assertThat(dl4j.negLogProbability(black, logit, true)).as("DL4J has been repaired").isZero();
        assertThat(ReconstructionLikelihood.exact(dl4j).negLogProbability(black, logit, true)).isEqualTo(40);
        assertThat(ReconstructionLikelihood.exact(dl4j).gradient(black, logit).getDouble(0)).isEqualTo(1);
        // e^-40 but for the rounding of a float near 1
        assertThat(ReconstructionLikelihood.exact(dl4j).exampleNegLogProbability(black, logit.neg()).getDouble(0))
                .isBetween(0.0, 1e-7);
    }

    @Test
    void whatHasNoProbabilityIsRefusedByRowAndColumn() {
        var mixed = new CompositeReconstructionDistribution.Builder()
                .addDistribution(2, new GaussianReconstructionDistribution())
                .addDistribution(1, new ExponentialReconstructionDistribution(Activation.IDENTITY))
                .addDistribution(2, new BernoulliReconstructionDistribution(Activation.SIGMOID)).build();
        MultiLayerNetwork network = new MultiLayerNetwork(new NeuralNetConfiguration.Builder().list()
                .layer(new DiscreteVariationalAutoencoder.Builder().nIn(5).nOut(4).reconstructionDistribution(mixed)
                        .build()).build());
        network.init();
        float[][] good = {{-3, 7, 2, 0, 1}, {0, 0, 0, 0.5f, 0.5f}};
        network.pretrainLayer(0, Nd4j.createFromArray(good));
        float[][] wrong = {{0, Float.NaN}, {1, Float.POSITIVE_INFINITY}, {2, -0.1f}, {3, 1.5f}, {4, -1}};
        for (float[] each : wrong) {
            INDArray bad = Nd4j.createFromArray(good);
            bad.putScalar(1, (int) each[0], each[1]);
            String words = "row 2, column " + ((int) each[0] + 1) + " of the data is " + each[1];
            assertThatThrownBy(() -> network.pretrainLayer(0, bad)).hasMessageContaining(words);
            assertThatThrownBy(() -> layer(network).reconstructionLogProbability(bad, 1)).hasMessageContaining(words);
        }
        assertThatThrownBy(() -> layer(network).reconstructionLogProbability(Nd4j.zeros(2, 3), 1))
                .hasMessageContaining("data of shape [2, 3]: [n, 5] is needed");
        assertThatThrownBy(() -> layer(network).generateAtMeanGivenZ(Nd4j.zeros(2, 3)))
                .hasMessageContaining("codes of shape [2, 3]: [n, 4] is needed");
    }

    @Test
    void whatGivesNoBoundIsRefused() {
        var builder = new DiscreteVariationalAutoencoder.Builder();
        assertThatThrownBy(() -> builder.reconstructionDistribution(
                new LossFunctionWrapper(Activation.IDENTITY, new LossMSE()))).hasMessageContaining("no probability");
        assertThatThrownBy(() -> builder.reconstructionDistribution(
                new BernoulliReconstructionDistribution(Activation.HARDSIGMOID))).hasMessageContaining("sigmoid");
        assertThatThrownBy(() -> builder.categories(1)).hasMessageContaining("categories = 1");
        assertThatThrownBy(() -> builder.nOut(7).build()).hasMessageContaining("nOut = 7 is no multiple");
        assertThatThrownBy(() -> builder.temperature(0)).hasMessageContaining("temperature = 0.0");
        assertThatThrownBy(() -> builder.numSamples(0)).hasMessageContaining("numSamples = 0");
        assertThatThrownBy(() -> builder.encoderLayerSizes()).hasMessageContaining("encoderLayerSizes = []");
    }
}
