package io.mdnf.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.space.Estimate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.variational.BernoulliReconstructionDistribution;
import org.deeplearning4j.nn.conf.layers.variational.CompositeReconstructionDistribution;
import org.deeplearning4j.nn.conf.layers.variational.ExponentialReconstructionDistribution;
import org.deeplearning4j.nn.conf.layers.variational.GaussianReconstructionDistribution;
import org.deeplearning4j.nn.conf.layers.variational.ReconstructionDistribution;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Score, gradient and bound of the layer, against plain loops, central differences and the sum over all codes. */
class DiscreteVariationalAutoencoderGradientTest {

    /** Columns 1 and 2 are in [0, 1], 3 and 4 any numbers, 5 and 6 positive. */
    private static final double[][] DATA = {
        {0, 1, 0.3, -1.2, 0.4, 2}, {1, 0.25, -0.8, 0.1, 1.5, 0.01}, {1, 1, 2, 0.6, 0, 0.7}};

    private static final int K = 3;
    private static final int LENGTH = 2 * K;
    private static final long SEED = 7;
    private static final double STEP = 1e-5;
    /** Central differences err by STEP^2 times third derivatives near 1, and by rounding near 1e-10. */
    private static final double TOLERANCE = 1e-7;

    private final ReconstructionDistribution mixed = new CompositeReconstructionDistribution.Builder()
            .addDistribution(2, new BernoulliReconstructionDistribution(Activation.SIGMOID))
            .addDistribution(2, new GaussianReconstructionDistribution(Activation.IDENTITY))
            .addDistribution(2, new ExponentialReconstructionDistribution(Activation.IDENTITY)).build();
    private final INDArray data = Nd4j.createFromArray(DATA);
    private MultiLayerNetwork network;
    private DiscreteVariationalAutoencoderLayer layer;
    private DiscreteVariationalAutoencoderTwin twin;

    /** Of a product, or with so many units that look at earlier variables. */
    private void start(int samples, int looking) {
        var autoencoder = new DiscreteVariationalAutoencoder.Builder().nIn(DATA[0].length).nOut(LENGTH).categories(K)
                .encoderLayerSizes(5, 4).decoderLayerSizes(4, 5).reconstructionDistribution(mixed).numSamples(samples);
        network = new MultiLayerNetwork(new NeuralNetConfiguration.Builder().seed(1).dataType(DataType.DOUBLE)
                .updater(new Sgd(0.1)).activation(Activation.TANH).biasInit(0.3).list()
                .layer(looking == 0 ? autoencoder.build() : autoencoder.autoregressive(looking).build())
                .layer(new OutputLayer.Builder(LossFunction.MCXENT).activation(Activation.SOFTMAX).nIn(LENGTH).nOut(2)
                        .build()).build());
        network.init();
        network.initGradientsView();
        layer = (DiscreteVariationalAutoencoderLayer) network.getLayer(0);
        twin = new DiscreteVariationalAutoencoderTwin(layer);
        // so that posteriors are far from uniform
        layer.getParam("pZXW").muli(3);
        if (looking > 0) {
            layer.getParam("pZXRowsW").muli(2);
            layer.getParam("pZXWeightsW").muli(2);
        }
    }

    private double score() {
        Nd4j.getRandom().setSeed(SEED);
        layer.setInput(data, LayerWorkspaceMgr.noWorkspaces());
        layer.computeGradientAndScore(LayerWorkspaceMgr.noWorkspaces());
        return layer.score();
    }

    /**
     * The codes of a score, [samples][n][D K], from the same random numbers: the largest of logits and Gumbel noise.
     */
    private double[][][] codes(int samples) {
        Nd4j.getRandom().setSeed(SEED);
        double[] uniform = Nd4j.rand(DataType.DOUBLE, samples * DATA.length * LENGTH / K, K).reshape(-1)
                .toDoubleVector();
        double[][][] codes = new double[samples][DATA.length][];
        for (int s = 0; s < samples; s++) {
            for (int i = 0; i < DATA.length; i++) {
                int from = (s * DATA.length + i) * LENGTH;
                codes[s][i] = twin.largest(DATA[i], Arrays.stream(uniform, from, from + LENGTH)
                        .map(u -> -Math.log(-Math.log(u))).toArray());
            }
        }
        return codes;
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "3, 0", "1, 4", "3, 4"})
    void scoreIsThatOfPlainLoops(int samples, int looking) {
        start(samples, looking);
        double expected = 0;
        for (double[][] drawn : codes(samples)) {
            for (int i = 0; i < DATA.length; i++) {
                expected += (twin.missed(DATA[i], drawn[i])
                        + twin.divergence(twin.softmax(twin.logits(DATA[i], drawn[i]), 1))) / samples / DATA.length;
            }
        }
        assertThat(score()).isCloseTo(expected, within(1e-12));
    }

    /** What is asked of a posterior is what the layer draws by. */
    @ParameterizedTest
    @ValueSource(ints = {0, 4})
    void posteriorsScoreCodesAsPlainLoopsDo(int looking) {
        start(1, looking);
        List<CodeDistribution> posteriors = layer.posterior(data);
        int[][] all = twin.space.all();
        for (int i = 0; i < DATA.length; i++) {
            double[] row = DATA[i];
            double[] expected = Arrays.stream(all).mapToDouble(code -> twin.logProb(row, code)).toArray();
            assertThat(posteriors.get(i).logProb(all)).containsExactly(expected, within(1e-12));
            posteriors.get(i).close();
        }
    }

    /** The codes do not depend on the decoder, so its gradient is the score's. */
    @ParameterizedTest
    @CsvSource({"1, 0", "3, 0", "1, 4", "3, 4"})
    void gradientOfTheDecoderIsThatOfTheScore(int samples, int looking) {
        start(samples, looking);
        check(true, () -> score() * DATA.length);
    }

    /** The logits get J(p) log p from the divergence and 2 J(m) g - J(p) g / 2 from each code; the encoder what leads
     * there. */
    @ParameterizedTest
    @CsvSource({"1, 0", "3, 0", "1, 4", "3, 4"})
    void gradientOfTheEncoderIsOfSecondOrder(int samples, int looking) {
        start(samples, looking);
        double[][][] drawn = codes(samples);
        double[][][] byLogits = new double[samples][DATA.length][LENGTH];
        for (int s = 0; s < samples; s++) {
            for (int i = 0; i < DATA.length; i++) {
                double[] z = drawn[s][i];
                double[] logits = twin.logits(DATA[i], z);
                double[] p = twin.softmax(logits, 1);
                double[] g = slope(DATA[i], z);
                double[] middle = twin.softmax(logits, 3);
                add(middle, z, 1);
                double[] half = Arrays.stream(middle).map(each -> each / 2).toArray();
                add(byLogits[s][i], twin.jacobian(p, Arrays.stream(p).map(Math::log).toArray()), 1.0 / samples);
                add(byLogits[s][i], twin.jacobian(half, g), 2.0 / samples);
                add(byLogits[s][i], twin.jacobian(p, g), -0.5 / samples);
            }
        }
        check(false, () -> {
            double total = 0;
            for (int s = 0; s < samples; s++) {
                for (int i = 0; i < DATA.length; i++) {
                    double[] logits = twin.logits(DATA[i], drawn[s][i]);
                    for (int j = 0; j < LENGTH; j++) {
                        total += byLogits[s][i][j] * logits[j];
                    }
                }
            }
            return total;
        });
    }

    /** The derivative of -log p(x | z) by z. */
    private double[] slope(double[] x, double[] z) {
        double[] slope = new double[LENGTH];
        for (int j = 0; j < LENGTH; j++) {
            double[] moved = z.clone();
            moved[j] = z[j] + STEP;
            double up = twin.missed(x, moved);
            moved[j] = z[j] - STEP;
            slope[j] = (up - twin.missed(x, moved)) / (2 * STEP);
        }
        return slope;
    }

    private static void add(double[] sum, double[] term, double factor) {
        Arrays.setAll(sum, j -> sum[j] + factor * term[j]);
    }

    private void check(boolean decoder, DoubleSupplier value) {
        score();
        // copies, as every score overwrites them
        Map<String, INDArray> gradients = new LinkedHashMap<>(layer.gradient().gradientForVariable());
        gradients.keySet().removeIf(name -> layer.layerConf().isPretrainParam(name) != decoder);
        gradients.replaceAll((name, gradient) -> gradient.dup());
        assertThat(gradients).hasSize(decoder || layer.layerConf().getLooking() == 0 ? 6 : 10);
        gradients.forEach((name, gradient) -> compare(name, gradient, layer.getParam(name), value));
    }

    private static void compare(String name, INDArray gradient, INDArray parameter, DoubleSupplier value) {
        INDArray matrix = CentralDifference.matrix(parameter);
        double[][] actual = gradient.reshape(matrix.shape()).toDoubleMatrix();
        for (int row = 0; row < actual.length; row++) {
            for (int column = 0; column < actual[row].length; column++) {
                double expected = CentralDifference.of(value, matrix, row, column, STEP);
                assertThat(actual[row][column]).as("%s[%d, %d]", name, row, column)
                        .isCloseTo(expected, within(TOLERANCE * (1 + Math.abs(expected))));
            }
        }
    }

    /** As a layer of a network its output is the table q, differentiated exactly; the decoder is left alone. */
    @ParameterizedTest
    @Tag("slow")
    @ValueSource(ints = {0, 4})
    void gradientUnderALossIsThatOfTheLoss(int looking) {
        start(1, looking);
        INDArray labels = Nd4j.createFromArray(new double[][] {{1, 0}, {0, 1}, {0, 1}});
        network.setInput(data);
        network.setLabels(labels);
        network.computeGradientAndScore();
        Map<String, INDArray> gradients = new LinkedHashMap<>(network.gradient().gradientForVariable());
        assertThat(gradients).containsKeys("0_e0W", "0_pZXb", "1_W").doesNotContainKeys("0_d0W", "0_pXZb");
        gradients.replaceAll((name, gradient) -> gradient.dup());
        for (String name : gradients.keySet()) {
            // of the mean over rows, while the gradient is that of the sum
            compare(name, gradients.get(name), network.getParam(name), () -> {
                network.setInput(data);
                network.setLabels(labels);
                network.computeGradientAndScore();
                return network.score() * DATA.length;
            });
        }
        double[][] q = network.feedForward(data).get(1).toDoubleMatrix();
        for (int i = 0; i < DATA.length; i++) {
            double[] likeliest = twin.largest(DATA[i], new double[LENGTH]);
            assertThat(q[i]).containsExactly(twin.softmax(twin.logits(DATA[i], likeliest), 1), within(1e-14));
        }
    }

    /** Within 5 standard errors, of a mean over 4,000 codes: one false alarm in a hundred thousand for all checks. */
    @ParameterizedTest
    @Tag("slow")
    @ValueSource(ints = {0, 4})
    void oneCodeGivesTheElboAndManyTheEvidence(int looking) {
        start(1, looking);
        Nd4j.getRandom().setSeed(SEED);
        int codes = 4000;
        double[] bounds = layer.reconstructionLogProbability(Nd4j.tile(data, codes, 1), 1).toDoubleVector();
        INDArray many = layer.reconstructionLogProbability(data, 400);
        INDArray probability = layer.reconstructionProbability(data, 400);
        for (int i = 0; i < DATA.length; i++) {
            int row = i;
            double elbo = twin.elbo(DATA[i]);
            double truth = twin.logEvidence(DATA[i]);
            double[] single = IntStream.range(0, codes).mapToDouble(s -> bounds[s * DATA.length + row]).toArray();
            Estimate estimate = Estimate.of(single);
            assertThat(elbo).isLessThan(truth - 0.01);
            assertThat(estimate.value()).isLessThan(truth).isCloseTo(elbo, within(5 * estimate.standardError()));
            Estimate ratios = Estimate.of(Arrays.stream(single).map(log -> Math.exp(log - truth)).toArray());
            assertThat(ratios.value()).isCloseTo(1, within(5 * ratios.standardError()));
            // a mean of ten times fewer codes
            double close = 5 * ratios.standardError() * Math.sqrt(10);
            assertThat(many.getDouble(i)).isCloseTo(truth, within(close));
            assertThat(probability.getDouble(i)).isCloseTo(Math.exp(truth), within(close * Math.exp(truth)));
        }
    }

    /** Within 5 standard errors, taken from a score of single codes: one false alarm in two million. */
    @ParameterizedTest
    @ValueSource(ints = {0, 4})
    void scoreIsAnUnbiasedEstimateOfTheNegativeElbo(int looking) {
        start(1, looking);
        double elbo = Arrays.stream(DATA).mapToDouble(twin::elbo).average().orElseThrow();
        Nd4j.getRandom().setSeed(SEED);
        double[] scores = new double[40];
        layer.setInput(Nd4j.tile(data, 100, 1), LayerWorkspaceMgr.noWorkspaces());
        for (int s = 0; s < scores.length; s++) {
            layer.computeGradientAndScore(LayerWorkspaceMgr.noWorkspaces());
            scores[s] = -layer.score();
        }
        Estimate estimate = Estimate.of(scores);
        assertThat(estimate.value()).isCloseTo(elbo, within(5 * estimate.standardError()));
    }
}
