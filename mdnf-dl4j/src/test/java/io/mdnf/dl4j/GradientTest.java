package io.mdnf.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.mixture.Estimator;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.assertj.core.data.Offset;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;

/** What the graph computes and how it differentiates, against plain loops and central differences in double. */
@Tag("slow")
class GradientTest {

    /** Of unequal sizes, so that impossible categories take part. */
    private static final CodeSpace CODES = CodeSpace.of(2, 4, 3);

    private static final double STEP = 1e-6;
    /** Central differences with step 1e-6 of values near 100 in double err by about 1e-8. */
    private static final double TOLERANCE = 1e-6;

    private final MdnfLatent latent =
            new MdnfLatent.Builder().nIn(32).codes(CODES).components(7).temperature(0.7).build();
    private final MultiDataSet batch =
            latent.choices(Seed.of(3)).batch(Patterns.images(8, new Draws(Seed.of(2)), DataType.DOUBLE), 0);
    private final double[][] images = batch.getFeatures(0).toDoubleMatrix();
    private final double[][] choices = batch.getFeatures(1).toDoubleMatrix();
    private ComputationGraph graph;
    private AutoencoderTwin twin;

    /** A graph whose biases are not 0. */
    private void start(Estimator gradient) {
        graph = new ComputationGraph(Patterns.configuration(latent, gradient, DataType.DOUBLE, 0.1, 1));
        twin = new AutoencoderTwin(graph, latent);
        graph.init();
        for (String bias : new String[] {"encoder_b", "posterior_b", "decoder_b"}) {
            INDArray values = graph.getParam(bias);
            values.assign(Nd4j.createFromArray(new Draws(Seed.of(4)).normal(bias, (int) values.length()))
                    .reshape(values.shape()).mul(0.3));
        }
    }

    @Test
    void valuesAreThoseOfPlainLoops() {
        start(Estimator.AVERAGED);
        Map<String, INDArray> activations = graph.feedForward(batch.getFeatures(), false);
        double score = 0;
        for (int i = 0; i < images.length; i++) {
            double[] q = twin.table(images[i]);
            int[] code = twin.code(q, choices[i]);
            assertThat(activations.get("posterior").getRow(i).toDoubleVector())
                    .containsExactly(q, Offset.offset(1e-15));
            assertThat(activations.get("code").getRow(i).toDoubleVector())
                    .containsExactly(CODES.oneHot(new int[][] {code}));
            score += (twin.divergence(q) - twin.logLikelihood(images[i], code)) / images.length;
        }
        // sums of some hundred terms near 1
        assertThat(graph.score(batch, false)).isCloseTo(score, Offset.offset(1e-12));
    }

    /** Near the actual tables and codes the score is its linear part; tables move as the soft ones do. */
    @ParameterizedTest
    @EnumSource(value = Estimator.class, names = {"AVERAGED", "SECOND_ORDER"})
    void gradientIsThatOfTheSoftTablesAtTheSampledCodes(Estimator kind) {
        start(kind);
        int n = images.length;
        double[][] tables = new double[n][];
        double[][] softTables = new double[n][];
        double[][] byTable = new double[n][];
        double[][] byCode = new double[n][];
        int[][] codes = new int[n][];
        for (int i = 0; i < n; i++) {
            tables[i] = twin.table(images[i]);
            softTables[i] = twin.softTable(images[i]);
            codes[i] = twin.code(tables[i], choices[i]);
            byTable[i] = twin.divergenceSlope(tables[i]);
            byCode[i] = twin.likelihoodSlope(images[i], codes[i]);
        }
        DoubleSupplier linear = () -> {
            double total = 0;
            for (int i = 0; i < n; i++) {
                double[] q = twin.softTable(images[i]);
                for (int j = 0; j < q.length; j++) {
                    q[j] += tables[i][j] - softTables[i][j];
                }
                double[] x = kind == Estimator.AVERAGED ? q : twin.secondOrder(q, tables[i], codes[i]);
                for (int j = 0; j < q.length; j++) {
                    total += byTable[i][j] * q[j] + byCode[i][j] * x[j];
                }
            }
            return total;
        };
        Map<String, INDArray> gradients = gradients();
        for (String name : new String[] {"posterior_W", "posterior_b", "encoder_W", "encoder_b"}) {
            check(name, gradients.get(name), linear);
        }
    }

    @Test
    void gradientOfTheDecoderIsThatOfTheScore() {
        start(Estimator.SECOND_ORDER);
        Map<String, INDArray> gradients = gradients();
        for (String name : new String[] {"decoder_W", "decoder_b"}) {
            check(name, gradients.get(name), () -> graph.score(batch, false) * images.length);
        }
    }

    private Map<String, INDArray> gradients() {
        graph.setInputs(batch.getFeatures());
        graph.setLabels(batch.getLabels());
        graph.computeGradientAndScore();
        return graph.gradient().gradientForVariable();
    }

    private void check(String name, INDArray gradient, DoubleSupplier value) {
        INDArray flat = gradient.dup('c').reshape(gradient.length());
        INDArray matrix = CentralDifference.matrix(graph.getParam(name));
        int columns = (int) matrix.size(1);
        int stride = Math.max(1, (int) gradient.length() / 25);
        int zeros = 0;
        for (int i = 0; i < gradient.length(); i += stride) {
            double expected = CentralDifference.of(value, matrix, i / columns, i % columns, STEP);
            zeros += expected == 0 ? 1 : 0;
            assertThat(flat.getDouble(i)).as("%s[%d]", name, i)
                    .isCloseTo(expected, Offset.offset(TOLERANCE * (1 + Math.abs(expected))));
        }
        assertThat(zeros).as("coordinates of %s that say nothing", name).isLessThan(20);
    }
}
