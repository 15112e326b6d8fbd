package io.mdnf.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.distribution.Product;
import io.mdnf.space.Estimate;
import io.mdnf.mixture.Estimator;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.deeplearning4j.datasets.iterator.IteratorMultiDataSetIterator;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;
import org.nd4j.linalg.factory.Nd4j;

/** A graph trained once on images of known probability, and what must then hold. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiscreteAutoencoderTest {

    private static final int N = 300;

    private final INDArray images = Patterns.images(N, new Draws(Seed.of(99)), DataType.FLOAT);
    private final double[][] rows = images.castTo(DataType.DOUBLE).toDoubleMatrix();
    private final double truth = Arrays.stream(rows).mapToDouble(Patterns::logProbability).average().orElseThrow();
    private ComputationGraph graph;
    private MdnfLatent latent;
    private AutoencoderTwin twin;

    @BeforeAll
    void train() {
        graph = DiscreteAutoencoderExample.train(200);
        latent = (MdnfLatent) graph.getLayer("posterior").conf().getLayer();
        twin = new AutoencoderTwin(graph, latent);
    }

    @Test
    void trainingComesNearTheTruth() {
        double untrained = meanElbo(new AutoencoderTwin(DiscreteAutoencoderExample.train(0), latent));
        double trained = meanElbo(twin);
        // 18 pixels of a model that knows nothing: -18 log 2 = -12.5 nats; the truth is -5.84
        assertThat(untrained).isLessThan(truth - 6);
        // measured -6.4 to -6.6 over seeds and steps; a posterior that misses one factor is more than 2 nats below
        assertThat(trained).isGreaterThan(truth - 1);
        // no model beats the truth on average: 300 images, standard error of the difference about 0.05, four of them
        assertThat(trained).isLessThan(truth + 0.2);
    }

    @Test
    void trainingComesNearTheTruthWhereVariablesLookAtThoseBeforeThem() {
        // 300 images of 20 codes each: a standard error of 0.05 beside the margins of the product above
        assertThat(DiscreteAutoencoderExample.trainLooking(200).elbo(images, 20, Seed.of(4)).value())
                .isBetween(truth - 1, truth + 0.2);
    }

    private double meanElbo(AutoencoderTwin of) {
        return Arrays.stream(rows).mapToDouble(of::elbo).average().orElseThrow();
    }

    @Test
    void elboNeverExceedsLogEvidenceOfAnyImage() {
        for (double[] row : rows) {
            assertThat(twin.elbo(row)).isLessThan(twin.logEvidence(row) + 1e-12);
        }
    }

    /** The score averages to the exact ELBO: within 5 standard errors, one false alarm in two million seeds. */
    @Test
    void scoreIsAnUnbiasedEstimateOfTheElbo() {
        Estimate estimate = new LatentCodes(graph, "posterior", "code").elbo(images, 60, Seed.of(4));
        assertThat(estimate.standardError()).isLessThan(0.05);
        assertThat(Math.abs(estimate.value() - meanElbo(twin))).isLessThan(5 * estimate.standardError());
    }

    /** Choosing every flow once gives every category exactly as often as its table says. */
    @Test
    void samplesHaveTheFrequenciesOfTheirTable() {
        int flows = latent.getComponents();
        INDArray image = images.getRows(3);
        double[][] q = ((Product) new LatentCodes(graph, "posterior", "code").posterior(image).get(0)).q();
        int[][] counts = new int[Patterns.FACTORS][2];
        for (int b = 0; b < flows; b++) {
            INDArray choice = Nd4j.valueArrayOf(new long[] {1, Patterns.FACTORS}, (double) b)
                    .castTo(DataType.FLOAT);
            INDArray code = graph.feedForward(new INDArray[] {image, choice}, false).get("code");
            int[] x = latent.space().indices(code.castTo(DataType.DOUBLE).data().asDouble())[0];
            for (int d = 0; d < x.length; d++) {
                counts[d][x[d]]++;
            }
        }
        for (int d = 0; d < counts.length; d++) {
            for (int k = 0; k < 2; k++) {
                assertThat(counts[d][k] / (double) flows).isCloseTo(q[d][k], Offset.offset(1e-7));
            }
        }
    }

    @Test
    void factorsAreFoundInTheCodes() {
        int[][] x = new LatentCodes(graph, "posterior", "code").sample(images, Seed.of(6));
        for (int f = 0; f < Patterns.FACTORS; f++) {
            double best = 0;
            for (int d = 0; d < Patterns.FACTORS; d++) {
                int equal = 0;
                for (int i = 0; i < N; i++) {
                    equal += x[i][d] == majority(rows[i], f) ? 1 : 0;
                }
                best = Math.max(best, Math.max(equal, N - equal) / (double) N);
            }
            // a variable that knows nothing of a factor agrees with it on half of the images
            assertThat(best).as("factor %d", f).isGreaterThan(0.85);
        }
    }

    private static int majority(double[] image, int factor) {
        double right = 0;
        for (int p = 0; p < Patterns.BLOCK; p++) {
            right += p < Patterns.BLOCK / 2 ? -image[factor * Patterns.BLOCK + p] : image[factor * Patterns.BLOCK + p];
        }
        return right > 0 ? 1 : 0;
    }

    @Test
    void savedAndRestoredItScoresAndTrainsTheSame() throws IOException {
        MultiDataSet batch = latent.choices(Seed.of(8)).batch(images, 0);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ModelSerializer.writeModel(graph, bytes, true);
        ComputationGraph one = restore(bytes);
        ComputationGraph two = restore(bytes);
        assertThat(one.score(batch, false)).isEqualTo(graph.score(batch, false));

        one.fit(batch);
        two.fit(batch);

        assertThat(one.params()).isEqualTo(two.params()).isNotEqualTo(graph.params());
    }

    private static ComputationGraph restore(ByteArrayOutputStream bytes) throws IOException {
        return ModelSerializer.restoreComputationGraph(new ByteArrayInputStream(bytes.toByteArray()), true);
    }

    @Test
    void batchesOfAnySizeAreTaken() {
        for (int n : new int[] {1, 2, 17}) {
            INDArray few = Patterns.images(n, new Draws(Seed.of(n)), DataType.FLOAT);
            assertThat(new LatentCodes(graph, "posterior", "code").posterior(few)).hasSize(n);
        }
    }

    /** Widths from input types, batches from an iterator; the same seed gives the same parameters. */
    @Test
    void anIteratorTrainsAGraphWithInputTypes() {
        assertThat(trainedByIterator()).isEqualTo(trainedByIterator());
    }

    private INDArray trainedByIterator() {
        MdnfLatent any = new MdnfLatent.Builder().codes(CodeSpace.of(2, 3)).components(5).build();
        ComputationGraph small = new ComputationGraph(new NeuralNetConfiguration.Builder().seed(1).graphBuilder()
                .addInputs("image", "choice")
                .setInputTypes(InputType.feedForward(Patterns.PIXELS), InputType.feedForward(2))
                .addLayer("posterior", any, "image")
                .addVertex("code", any.sample(), "posterior", "choice")
                .addLayer("decoder", new DenseLayer.Builder().nOut(Patterns.PIXELS).build(), "code")
                .addLayer("elbo", any.negativeElbo(Patterns.PIXELS), "decoder", "posterior")
                .setOutputs("elbo").build());
        small.init();
        INDArray[] both = {images};
        List<MultiDataSet> all = List.of(new org.nd4j.linalg.dataset.MultiDataSet(both, both));
        MultiDataSetIterator batches = new IteratorMultiDataSetIterator(all.iterator(), 40);
        batches.setPreProcessor(any.choices(Seed.of(1)));
        small.fit(batches);
        // 300 images in batches of 40
        assertThat(small.getIterationCount()).isEqualTo(8);
        return small.params();
    }

    @Test
    void tutorialShowsThisProgram() throws IOException {
        String tutorial = Files.readString(Path.of("..", "docs", "tutorial.md"));
        String program = Files.readString(
                Path.of("src", "test", "java", "io", "mdnf", "dl4j", "DiscreteAutoencoderExample.java"));
        for (String part : new String[] {"build", "use", "look"}) {
            int begin = program.indexOf('\n', program.indexOf("// begin: " + part)) + 1;
            String code = program.substring(begin, program.indexOf("        // end", begin)).stripTrailing()
                    .stripIndent();
            assertThat(tutorial).contains(code);
        }
    }

    /** Pixels of 0 to 255 gave an "ELBO" of +108 that rose. */
    @Test
    void whatIsNoPixelIsRefusedByItsColumnSinceTheScoreWouldBeNoBound() {
        for (float wrong : new float[] {1.01f, -0.5f, Float.NaN, Float.POSITIVE_INFINITY}) {
            INDArray bad = images.dup();
            bad.putScalar(2, 6, wrong);
            MultiDataSet batch = latent.choices(Seed.of(1)).batch(bad, 0);
            String words = "row 3, column 7 of the data is " + wrong;
            assertThatThrownBy(() -> graph.score(batch, false)).hasMessageContaining(words);
            assertThatThrownBy(() -> graph.fit(batch)).hasMessageContaining(words);
            assertThatThrownBy(() -> new LatentCodes(graph, "posterior", "code").elbo(bad, 1, Seed.of(1)))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(words);
        }
        assertThat(new LatentCodes(graph, "posterior", "code").elbo(images, 1, Seed.of(1)).value()).isNegative();
    }

    @Test
    void wrongNamesAreNamed() {
        assertThatThrownBy(() -> new LatentCodes(graph, "encoder", "code")).hasMessageContaining("posterior = encoder");
        assertThatThrownBy(() -> new LatentCodes(graph, "posterior", "x")).hasMessageContaining("code = x");
        assertThatThrownBy(() -> new MdnfLatent.Builder().components(0)).hasMessageContaining("components = 0");
        assertThatThrownBy(() -> new MdnfLatent.Builder().temperature(-1)).hasMessageContaining("temperature = -1");
        assertThatThrownBy(() -> new MdnfLatent.Builder().build()).hasMessageContaining("codes");
    }

    @Test
    void configurationSurvivesJson() {
        MdnfLatent uneven =
                new MdnfLatent.Builder().nIn(32).codes(CodeSpace.of(2, 5, 3)).components(7).temperature(3).build();
        ComputationGraphConfiguration configuration =
                Patterns.configuration(uneven, Estimator.AVERAGED, DataType.DOUBLE, 0.01, 1);
        String json = configuration.toJson();
        assertThat(ComputationGraphConfiguration.fromJson(json).toJson()).isEqualTo(json)
                .contains("\"temperature\" : 3.0", "\"estimator\" : \"AVERAGED\"", "\"pixels\" : 18");
        assertThat(uneven.toString()).isEqualTo("MdnfLatent(nIn=32, CodeSpace(K=[2, 5, 3]), B=7, temperature=3.0)");
    }
}
