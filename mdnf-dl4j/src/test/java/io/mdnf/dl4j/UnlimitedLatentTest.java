package io.mdnf.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.mixture.Estimator;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import java.util.Arrays;
import java.util.Map;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;

/** {@link MdnfLatent} with flows without number, against plain loops and central differences in double. */
class UnlimitedLatentTest {

    /** Of unequal sizes, so that impossible categories take part. */
    private static final CodeSpace CODES = CodeSpace.of(2, 4, 3);
    private static final double TAU = 3;
    /** The tables' gradient has a floor of 2e-9 in its logarithm, and differences with step 1e-5 err by 1e-9. */
    private static final double TOLERANCE = 1e-7;

    private final MdnfLatent latent =
            new MdnfLatent.Builder().nIn(32).codes(CODES).unlimited().temperature(TAU).build();
    private final MultiDataSet batch =
            latent.choices(Seed.of(3)).batch(Patterns.images(8, new Draws(Seed.of(2)), DataType.DOUBLE), 0);
    private final double[][] images = batch.getFeatures(0).toDoubleMatrix();
    private final double[][] choices = batch.getFeatures(1).toDoubleMatrix();
    private final ComputationGraph graph = new ComputationGraph(
            Patterns.configuration(latent, Estimator.SECOND_ORDER, DataType.DOUBLE, 0.1, 1));
    private final AutoencoderTwin twin = new AutoencoderTwin(graph, latent);

    private double[] softmax(double[] image, double temperature) {
        double[] logits = twin.logits(image)[0];
        double[] p = new double[logits.length];
        for (int d = 0; d < CODES.variables(); d++) {
            int at = d * CODES.width();
            double sum = 0;
            for (int k = 0; k < CODES.cardinality(d); k++) {
                sum += Math.exp(logits[at + k] / temperature);
            }
            for (int k = 0; k < CODES.cardinality(d); k++) {
                p[at + k] = Math.exp(logits[at + k] / temperature) / sum;
            }
        }
        return p;
    }

    private static double[] jacobian(double[] p, double[] g) {
        double[] result = new double[p.length];
        for (int i = 0; i < p.length; i++) {
            int at = i / CODES.width() * CODES.width();
            double mean = 0;
            for (int k = 0; k < CODES.width(); k++) {
                mean += p[at + k] * g[at + k];
            }
            result[i] = p[i] * (g[i] - mean);
        }
        return result;
    }

    @Test
    void tablesCodesAndScoreAreThoseOfPlainLoops() {
        graph.init();
        Map<String, INDArray> activations = graph.feedForward(batch.getFeatures(), false);
        double score = 0;
        for (int i = 0; i < images.length; i++) {
            double[] q = softmax(images[i], 1);
            assertThat(activations.get("posterior").getRow(i).toDoubleVector()).containsExactly(q, within(1e-14));
            int[] code = code(q, choices[i]);
            assertThat(activations.get("code").getRow(i).toDoubleVector())
                    .containsExactly(CODES.oneHot(new int[][] {code}));
            score += (twin.divergence(q) - twin.logLikelihood(images[i], code)) / images.length;
        }
        assertThat(graph.score(batch, false)).isCloseTo(score, within(1e-12));
    }

    /** The category in which the running sum passes the choice. */
    private static int[] code(double[] q, double[] choice) {
        int[] code = new int[CODES.variables()];
        for (int d = 0; d < code.length; d++) {
            double passed = 0;
            for (int k = 0; k < CODES.cardinality(d); k++) {
                code[d] = k;
                passed += q[d * CODES.width() + k];
                if (passed * MdnfLatent.UNLIMITED > choice[d] + 0.5) {
                    break;
                }
            }
        }
        return code;
    }

    /** The logits get J(q) log(q K_d) from the divergence and 2 J(m) g - J(q) g / 2 from the code. */
    @Test
    @Tag("slow")
    void gradientIsOfSecondOrderAtTheTemperature() {
        graph.init();
        graph.setInputs(batch.getFeatures());
        graph.setLabels(batch.getLabels());
        graph.computeGradientAndScore();
        double[][] byLogits = new double[images.length][];
        for (int i = 0; i < images.length; i++) {
            double[] q = softmax(images[i], 1);
            int[] code = code(q, choices[i]);
            double[] x = CODES.oneHot(new int[][] {code});
            double[] g = twin.likelihoodSlope(images[i], code);
            double[] p = softmax(images[i], TAU);
            double[] middle = new double[p.length];
            Arrays.setAll(middle, j -> (p[j] + x[j]) / 2);
            double[] logs = Arrays.stream(q).map(each -> each > 0 ? Math.log(each) : 0).toArray();
            double[] byDivergence = jacobian(q, logs);
            double[] atMiddle = jacobian(middle, g);
            double[] atTable = jacobian(q, g);
            byLogits[i] = new double[q.length];
            Arrays.setAll(byLogits[i], j -> byDivergence[j] + 2 * atMiddle[j] - atTable[j] / 2);
        }
        for (String name : new String[] {"posterior_W", "posterior_b", "encoder_b"}) {
            INDArray matrix = CentralDifference.matrix(graph.getParam(name));
            double[][] actual = graph.gradient().gradientForVariable().get(name).reshape(matrix.shape())
                    .toDoubleMatrix();
            for (int row = 0; row < actual.length; row += 5) {
                for (int column = 0; column < actual[row].length; column++) {
                    double expected = CentralDifference.of(() -> linear(byLogits), matrix, row, column, 1e-5);
                    assertThat(actual[row][column]).as("%s[%d, %d]", name, row, column)
                            .isCloseTo(expected, within(TOLERANCE * (1 + Math.abs(expected))));
                }
            }
        }
    }

    private double linear(double[][] byLogits) {
        double total = 0;
        for (int i = 0; i < images.length; i++) {
            double[] logits = twin.logits(images[i])[0];
            for (int j = 0; j < logits.length; j++) {
                total += byLogits[i][j] * logits[j];
            }
        }
        return total;
    }

    /** Trained, saved as JSON and asked; the bound stays below the truth and comes nearer to it than 40 flows do. */
    @Test
    @Tag("slow")
    void trainingComesNearTheTruth() {
        MdnfLatent three = new MdnfLatent.Builder().nIn(32).codes(CodeSpace.uniform(3, 2)).unlimited().temperature(TAU)
                .build();
        String json = Patterns.configuration(three, Estimator.SECOND_ORDER, DataType.FLOAT, 0.03, 1).toJson();
        ComputationGraph trained = new ComputationGraph(ComputationGraphConfiguration.fromJson(json));
        trained.init();
        for (int step = 0; step < 200; step++) {
            INDArray next = Patterns.images(64, new Draws(Seed.of(5).fold(step)), DataType.FLOAT);
            trained.fit(three.choices(Seed.of(1)).batch(next, step));
        }
        INDArray rows = Patterns.images(300, new Draws(Seed.of(99)), DataType.FLOAT);
        double truth = Arrays.stream(rows.castTo(DataType.DOUBLE).toDoubleMatrix())
                .mapToDouble(Patterns::logProbability).average().orElseThrow();
        LatentCodes codes = new LatentCodes(trained, "posterior", "code");
        Estimate bound = codes.elbo(rows, 20, Seed.of(4));
        // no model beats the truth on average: 300 images, standard error of the difference about 0.05, four of them
        assertThat(bound.value()).isBetween(truth - 0.5, truth + 0.2);
        assertThat(codes.posterior(rows)).hasSize(300);
        assertThat(codes.sample(rows, Seed.of(5))).hasNumberOfRows(300);
        assertThat(three.toString()).contains("B=unlimited");
        assertThat(json).doesNotContain("isUnlimited", "\"unlimited\"");
    }

    /** Every choice has a category, also the last of tables whose sum falls short of 1. */
    @Test
    void theLargestChoiceStillDrawsACode() {
        SampledCodeVertex vertex = new SampledCodeVertex(null, "code", 0, DataType.FLOAT,
                new SampledCode(CODES, MdnfLatent.UNLIMITED, Estimator.SECOND_ORDER, TAU));
        INDArray tables = Nd4j.createFromArray(new float[][] {{0.5f, 0.4999f, 0, 0, 0.25f, 0.25f, 0.25f, 0.2499f, 0.3f,
            0.3f, 0.3999f, 0}});
        INDArray choice = Nd4j.valueArrayOf(new long[] {1, 3}, MdnfLatent.UNLIMITED - 1, DataType.FLOAT);
        vertex.setInputs(new INDArray[] {tables, choice});
        INDArray code = vertex.doForward(false, LayerWorkspaceMgr.noWorkspaces());
        assertThat(CODES.indices(code.castTo(DataType.DOUBLE).toDoubleMatrix()[0])[0]).containsExactly(1, 3, 2);
    }
}
