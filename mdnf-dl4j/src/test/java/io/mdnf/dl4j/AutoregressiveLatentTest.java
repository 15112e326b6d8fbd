package io.mdnf.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;

/** {@link AutoregressiveLatent} against the distribution of mdnf-core that it says it is, and central differences. */
class AutoregressiveLatentTest {

    /** Of unequal sizes, so that impossible categories take part. */
    private static final CodeSpace CODES = CodeSpace.of(2, 4, 3);
    private static final int LENGTH = CODES.oneHotLength();
    private static final double TAU = 3;
    private static final double STEP = 1e-5;
    /** The tables' gradient has a floor of 2e-9 in its logarithm, and differences with step 1e-5 err by 1e-9. */
    private static final double TOLERANCE = 1e-7;

    @TempDir
    private Path folder;

    private static ComputationGraphConfiguration configuration(AutoregressiveLatent latent, DataType type,
            double rate) {
        return new NeuralNetConfiguration.Builder().seed(1).dataType(type).updater(new Adam(rate)).biasInit(0.1)
                .graphBuilder().addInputs("image", "choice")
                .addLayer("encoder", new DenseLayer.Builder().nOut(16).activation(Activation.TANH).build(), "image")
                .addLayer("latent", latent, "encoder", "choice")
                .addVertex("code", latent.code(), "latent")
                .addVertex("posterior", latent.tables(), "latent")
                .addLayer("decoder", new DenseLayer.Builder().nOut(Patterns.PIXELS).activation(Activation.IDENTITY)
                        .build(), "code")
                .addLayer("elbo", latent.negativeElbo(Patterns.PIXELS), "decoder", "posterior")
                .setInputTypes(InputType.feedForward(Patterns.PIXELS),
                        InputType.feedForward(latent.getCardinalities().length))
                .setOutputs("elbo").build();
    }

    private static AutoregressiveLatent.Builder latent(CodeSpace codes) {
        return new AutoregressiveLatent.Builder().codes(codes).looking(6).temperature(TAU);
    }

    /** A graph whose posteriors are far from uniform and from products. */
    private static ComputationGraph graph() {
        ComputationGraph graph = new ComputationGraph(configuration(latent(CODES).build(), DataType.DOUBLE, 0.1));
        graph.init();
        for (String name : new String[] {"latent_ownW", "latent_rowsW", "latent_weightsW"}) {
            graph.getParam(name).muli(3);
        }
        return graph;
    }

    private static INDArray images(int n) {
        return Patterns.images(n, new Draws(Seed.of(2)), DataType.DOUBLE);
    }

    private static MultiDataSet batch(INDArray images, long step) {
        return latent(CODES).build().choices(Seed.of(3)).batch(images, step);
    }

    @Test
    @Tag("slow")
    void tablesAreThoseOfThePosteriorAlongTheDrawnCode() {
        ComputationGraph graph = graph();
        INDArray images = images(8);
        Map<String, INDArray> activations = graph.feedForward(batch(images, 0).getFeatures(), false);
        int[][] codes = CODES.indices(activations.get("code").dup('c').data().asDouble());
        double[][] tables = activations.get("posterior").toDoubleMatrix();
        List<CodeDistribution> posteriors = new LatentCodes(graph, "latent").posterior(images);
        for (int i = 0; i < codes.length; i++) {
            double log = 0;
            for (int d = 0; d < codes[i].length; d++) {
                log += Math.log(tables[i][d * CODES.width() + codes[i][d]]);
                assertThat(Arrays.stream(tables[i], d * CODES.width(), (d + 1) * CODES.width()).sum())
                        .isCloseTo(1, within(1e-12));
            }
            assertThat(posteriors.get(i).logProb(new int[][] {codes[i]})[0]).isCloseTo(log, within(1e-12));
            posteriors.get(i).close();
        }
    }

    /** Pearson's statistic of 8,000 codes over 24, below 60 but for one seed in 30,000. */
    @Test
    @Tag("slow")
    void codesHaveTheFrequenciesOfThePosterior() {
        ComputationGraph graph = graph();
        int count = 8000;
        INDArray images = Nd4j.tile(images(1), count, 1);
        int[][] drawn = new LatentCodes(graph, "latent").sample(images, Seed.of(5));
        int[][] all = CODES.all();
        double[] counts = new double[all.length];
        for (int[] code : drawn) {
            counts[(code[0] * 4 + code[1]) * 3 + code[2]]++;
        }
        try (CodeDistribution q = new LatentCodes(graph, "latent").posterior(images(1)).get(0)) {
            double[] logs = q.logProb(all);
            double statistic = 0;
            for (int c = 0; c < all.length; c++) {
                double expected = count * Math.exp(logs[c]);
                statistic += (counts[c] - expected) * (counts[c] - expected) / expected;
            }
            assertThat(statistic).isLessThan(60);
            assertThat(Arrays.stream(logs).map(Math::exp).sum()).isCloseTo(1, within(1e-12));
        }
    }

    /**
     * Where the code gets the gradient g and the tables t, the logits get s + J(q) t with s = 2 J(m) g - J(q) g / 2.
     * Since s sums to 0 over each variable it is J(q) (s / q), so that central differences of the tables along
     * t + s / q, at the drawn codes, are what all parameters before the code have to have.
     */
    @Test
    @Tag("slow")
    void gradientIsOfSecondOrderByTheCodeAndExactByTheTables() {
        ComputationGraph graph = graph();
        MultiDataSet batch = batch(images(6), 0);
        graph.setInputs(batch.getFeatures());
        graph.setLabels(batch.getLabels());
        graph.computeGradientAndScore();
        Map<String, INDArray> gradients = new LinkedHashMap<>(graph.gradient().gradientForVariable());
        gradients.replaceAll((name, gradient) -> gradient.dup());
        double[][] direction = direction(graph, batch);
        DoubleSupplier tables = () -> {
            double[][] q = graph.feedForward(batch.getFeatures(), false).get("posterior").toDoubleMatrix();
            double total = 0;
            for (int i = 0; i < q.length; i++) {
                for (int j = 0; j < LENGTH; j++) {
                    total += direction[i][j] * q[i][j];
                }
            }
            return total;
        };
        for (String name : new String[] {"latent_ownW", "latent_ownb", "latent_startW", "latent_startb", "latent_rowsW",
            "latent_weightsW", "encoder_b"}) {
            compare(name, gradients.get(name), graph.getParam(name), tables);
        }
        compare("decoder_b", gradients.get("decoder_b"), graph.getParam("decoder_b"),
                () -> graph.score(batch, false) * batch.getFeatures(0).size(0));
    }

    private static void compare(String name, INDArray gradient, INDArray parameter, DoubleSupplier value) {
        INDArray matrix = CentralDifference.matrix(parameter);
        double[][] actual = gradient.reshape(matrix.shape()).toDoubleMatrix();
        double largest = 0;
        for (int row = 0; row < actual.length; row++) {
            for (int column = 0; column < actual[row].length; column++) {
                double expected = CentralDifference.of(value, matrix, row, column, STEP);
                largest = Math.max(largest, Math.abs(expected));
                assertThat(actual[row][column]).as("%s[%d, %d]", name, row, column)
                        .isCloseTo(expected, within(TOLERANCE * (1 + Math.abs(expected))));
            }
        }
        assertThat(largest).as(name).isGreaterThan(1e-3);
    }

    /** t + s / q of every image, by plain loops. */
    private static double[][] direction(ComputationGraph graph, MultiDataSet batch) {
        Map<String, INDArray> activations = graph.feedForward(batch.getFeatures(), false);
        double[][] z = activations.get("code").toDoubleMatrix();
        double[][] q = activations.get("posterior").toDoubleMatrix();
        double[][] pixels = activations.get("decoder").toDoubleMatrix();
        double[][] images = batch.getFeatures(0).toDoubleMatrix();
        INDArray weights = graph.getParam("decoder_W");
        double[][] result = new double[z.length][LENGTH];
        for (int i = 0; i < z.length; i++) {
            double[] g = new double[LENGTH];
            for (int j = 0; j < LENGTH; j++) {
                for (int p = 0; p < pixels[i].length; p++) {
                    g[j] += (1 / (1 + Math.exp(-pixels[i][p])) - images[i][p]) * weights.getDouble(j, p);
                }
            }
            for (int d = 0; d < CODES.variables(); d++) {
                int at = d * CODES.width();
                double total = 0;
                double atMiddle = 0;
                double atTable = 0;
                double[] middle = new double[CODES.cardinality(d)];
                for (int k = 0; k < middle.length; k++) {
                    total += Math.pow(q[i][at + k], 1 / TAU);
                }
                for (int k = 0; k < middle.length; k++) {
                    middle[k] = (Math.pow(q[i][at + k], 1 / TAU) / total + z[i][at + k]) / 2;
                    atMiddle += middle[k] * g[at + k];
                    atTable += q[i][at + k] * g[at + k];
                }
                for (int k = 0; k < middle.length; k++) {
                    double own = q[i][at + k];
                    double s = 2 * middle[k] * (g[at + k] - atMiddle) - own * (g[at + k] - atTable) / 2;
                    result[i][at + k] = Math.log(own) + s / own;
                }
            }
        }
        return result;
    }

    /** Within 5 standard errors of a mean over 600 batches: one false alarm in two million seeds. */
    @Test
    @Tag("slow")
    void scoreIsAnUnbiasedEstimateOfTheElboWhichIsABound() {
        ComputationGraph graph = graph();
        INDArray images = images(5);
        Estimate estimate = new LatentCodes(graph, "latent").elbo(images, 600, Seed.of(4));
        List<CodeDistribution> posteriors = new LatentCodes(graph, "latent").posterior(images);
        int[][] all = CODES.all();
        double elbo = 0;
        for (int i = 0; i < 5; i++) {
            double[] logs = posteriors.get(i).logProb(all);
            double own = 0;
            double evidence = 0;
            for (int c = 0; c < all.length; c++) {
                double joint = logLikelihood(graph, images.getRow(i).toDoubleVector(), all[c]) - Math.log(all.length);
                own += Math.exp(logs[c]) * (joint - logs[c]);
                evidence += Math.exp(joint);
            }
            assertThat(own).isLessThan(Math.log(evidence));
            elbo += own / 5;
            posteriors.get(i).close();
        }
        assertThat(estimate.value()).isCloseTo(elbo, within(5 * estimate.standardError()));
    }

    private static double logLikelihood(ComputationGraph graph, double[] image, int[] code) {
        double[] z = CODES.oneHot(new int[][] {code});
        INDArray weights = graph.getParam("decoder_W");
        double total = 0;
        for (int p = 0; p < image.length; p++) {
            double logit = graph.getParam("decoder_b").getDouble(p);
            for (int j = 0; j < LENGTH; j++) {
                logit += z[j] * weights.getDouble(j, p);
            }
            total += image[p] * logit - Math.log1p(Math.exp(logit));
        }
        return total;
    }

    /** Trained from JSON, saved as DL4J saves graphs and read back. */
    @Test
    @Tag("slow")
    void trainingComesNearTheTruthAndIsSaved() throws IOException {
        AutoregressiveLatent three = latent(CodeSpace.uniform(3, 2)).nIn(16).build();
        String json = configuration(three, DataType.FLOAT, 0.03).toJson();
        ComputationGraph trained = new ComputationGraph(ComputationGraphConfiguration.fromJson(json));
        trained.init();
        for (int step = 0; step < 200; step++) {
            INDArray next = Patterns.images(64, new Draws(Seed.of(5).fold(step)), DataType.FLOAT);
            trained.fit(three.choices(Seed.of(1)).batch(next, step));
        }
        Path file = folder.resolve("graph.zip");
        ModelSerializer.writeModel(trained, file.toFile(), true);
        ComputationGraph read = ModelSerializer.restoreComputationGraph(file.toFile());
        INDArray rows = Patterns.images(300, new Draws(Seed.of(99)), DataType.FLOAT);
        double truth = Arrays.stream(rows.castTo(DataType.DOUBLE).toDoubleMatrix())
                .mapToDouble(Patterns::logProbability).average().orElseThrow();
        LatentCodes codes = new LatentCodes(read, "latent");
        Estimate bound = codes.elbo(rows, 20, Seed.of(4));
        // no model beats the truth on average: 300 images, standard error of the difference about 0.05, four of them
        assertThat(bound.value()).isBetween(truth - 0.5, truth + 0.2);
        assertThat(codes.sample(rows, Seed.of(5)))
                .isDeepEqualTo(new LatentCodes(trained, "latent").sample(rows, Seed.of(5)));
        assertThat(read.getLayer("latent").conf().getLayer()).isEqualTo(trained.getLayer("latent").conf().getLayer());
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> new AutoregressiveLatent.Builder().build()).hasMessageContaining("codes: the space");
        assertThatThrownBy(() -> latent(CODES).looking(0)).hasMessage("looking = 0: at least 1 is needed");
        assertThatThrownBy(() -> latent(CODES).temperature(0)).hasMessageContaining("temperature = 0.0");
        assertThatThrownBy(() -> new LatentCodes(graph(), "encoder")).hasMessageContaining("no AutoregressiveLatent");
    }
}
