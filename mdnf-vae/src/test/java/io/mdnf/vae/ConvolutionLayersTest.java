package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.GradientCheck;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConvolutionLayersTest {

    private static final int IMAGES = 3;
    private static final List<Integer> CHANNELS = List.of(2, 3);

    /** Images [h, w, c] as the twin has them. */
    private record Image(int height, int width, int channels, double[] values) {

        static Image of(ImageShape shape, int channels) {
            return new Image(shape.height(), shape.width(), channels, new double[shape.size() * channels]);
        }

        /** The value at a pixel, 0 outside. */
        double at(int row, int column, int channel) {
            return row < 0 || row >= height || column < 0 || column >= width ? 0
                    : values[(row * width + column) * channels + channel];
        }
    }

    /** Where weight (a, b) of a kernel of 4 x 4 stands, of a layer that halves. */
    private static double halving(double[] weights, int a, int b, int in, int channels, int unit, int units) {
        int neighbour = b / 2 * 2 + a / 2;
        int cell = a % 2 * 2 + b % 2;
        return weights[((neighbour * 4 + cell) * channels + in) * units + unit];
    }

    /** The same of a layer that doubles: later pixels reach with the beginning of the kernel. */
    private static double doubling(double[] weights, int a, int b, int in, int channels, int unit, int units) {
        int neighbour = (1 - b / 2) * 2 + 1 - a / 2;
        int cell = a % 2 * 2 + b % 2;
        return weights[(neighbour * channels + in) * 4 * units + cell * units + unit];
    }

    /** y[i, j] = sum_ab x[2i + a - 1, 2j + b - 1] k[a, b]. */
    private static Image halved(Image x, ImageShape to, int units, double[] weights) {
        Image y = Image.of(to, units);
        for (int i = 0; i < to.height(); i++) {
            for (int j = 0; j < to.width(); j++) {
                for (int k = 0; k < 16 * x.channels * units; k++) {
                    int a = k % 4;
                    int b = k / 4 % 4;
                    int in = k / 16 % x.channels;
                    int unit = k / 16 / x.channels;
                    y.values[(i * to.width() + j) * units + unit] += x.at(2 * i + a - 1, 2 * j + b - 1, in)
                            * halving(weights, a, b, in, x.channels, unit, units);
                }
            }
        }
        return y;
    }

    /** The transpose: pixel (i, j) adds x[i, j] k[a, b] to y[2i + a - 1, 2j + b - 1]. */
    private static Image doubled(Image x, ImageShape to, int units, double[] weights) {
        Image y = Image.of(to, units);
        for (int i = 0; i < x.height; i++) {
            for (int j = 0; j < x.width; j++) {
                for (int k = 0; k < 16 * x.channels * units; k++) {
                    int row = 2 * i + k % 4 - 1;
                    int column = 2 * j + k / 4 % 4 - 1;
                    int in = k / 16 % x.channels;
                    int unit = k / 16 / x.channels;
                    if (row >= 0 && row < to.height() && column >= 0 && column < to.width()) {
                        y.values[(row * to.width() + column) * units + unit] += x.at(i, j, in)
                                * doubling(weights, k % 4, k / 4 % 4, in, x.channels, unit, units);
                    }
                }
            }
        }
        return y;
    }

    private static Image activated(Image sums, double[] bias) {
        double[] values = new double[sums.values.length];
        Arrays.setAll(values, i -> Math.max(0, sums.values[i] + bias[i % sums.channels]));
        return new Image(sums.height, sums.width, sums.channels, values);
    }

    /** Parameters other than the first ones, whose biases are 0. */
    private static double[] parameters(Graph graph) {
        return new Draws(Seed.of(3)).normal("values", graph.layout().size());
    }

    @ParameterizedTest
    @CsvSource({"8, 8", "5, 7", "4, 9", "2, 3"})
    void imagesOfAnySizeAreConvolvedAsLoopsDo(int height, int width) {
        ImageShape shape = new ImageShape(height, width);
        ConvolutionLayers layers = new ConvolutionLayers(shape, CHANNELS);
        Graph graph = new Graph(Precision.DOUBLE);
        double[] pixels = new Draws(Seed.of(1)).normal("pixels", IMAGES * shape.size());
        BatchStatistics none = new BatchStatistics(false);
        Tensor features = layers.encoded(graph, none, graph.constant(pixels, IMAGES, shape.size())).plus(0);
        Tensor again = layers.decoded(graph, none, features).plus(0);
        assertThat(features.shape()).containsExactly(IMAGES, layers.features());
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, features, again)) {
            double[] flat = parameters(graph);
            plan.load(flat);
            plan.run();
            for (int n = 0; n < IMAGES; n++) {
                Image x = new Image(height, width, 1,
                        Arrays.copyOfRange(pixels, n * shape.size(), (n + 1) * shape.size()));
                ImageShape half = shape.halved();
                String encoder = "encoder/convolution/";
                Image first = activated(halved(x, half, 2, plan.layout().read(encoder + "weights1", flat)),
                        plan.layout().read(encoder + "bias1", flat));
                Image second = activated(halved(first, half.halved(), 3,
                        plan.layout().read(encoder + "weights2", flat)), plan.layout().read(encoder + "bias2", flat));
                int length = layers.features();
                assertThat(Arrays.copyOfRange(plan.read(features), n * length, (n + 1) * length))
                        .containsExactly(second.values, within(1e-12));
                String decoder = "decoder/convolution/";
                Image third = activated(doubled(second, half, 2, plan.layout().read(decoder + "weights1", flat)),
                        plan.layout().read(decoder + "bias1", flat));
                Image last = doubled(third, shape, 1, plan.layout().read(decoder + "weights2", flat));
                double[] bias = plan.layout().read(layers.outputBias(), flat);
                double[] expected = new double[shape.size()];
                Arrays.setAll(expected, p -> last.values[p] + bias[p]);
                assertThat(Arrays.copyOfRange(plan.read(again), n * shape.size(), (n + 1) * shape.size()))
                        .containsExactly(expected, within(1e-11));
            }
        }
    }

    /** By all weights, biases and scales of both directions, and by the images, through normalised layers. */
    @Test
    void gradientsEqualCentralDifferences() {
        ImageShape shape = new ImageShape(5, 6);
        ConvolutionLayers layers = new ConvolutionLayers(shape, CHANNELS);
        double[] slopes = new Draws(Seed.of(4)).normal("slopes", IMAGES * shape.size());
        GradientCheck.check(graph -> {
            BatchStatistics statistics = new BatchStatistics(true);
            Tensor images = graph.parameter(
                    new Parameter("images", Initialiser.normal(1), IMAGES, shape.size()));
            return layers.decoded(graph, statistics, layers.encoded(graph, statistics, images))
                    .times(graph.constant(slopes, IMAGES, shape.size())).sum();
        });
    }

    @Test
    void rowsWithoutAShapeAreRefusedAndMayBeGivenOne() {
        ImageRows rows = ImageRows.of(new float[][] {{0, 1, 1, 0, 0, 1}});
        VaeSettings settings = Patterns.best().withChannels(2);
        assertThatThrownBy(() -> new VaeTraining(settings, rows, 1)).hasMessageContaining("no known height and width");
        assertThatThrownBy(() -> rows.shaped(2, 2)).hasMessageContaining("are no images of 2 x 2");
        try (VaeTraining training = new VaeTraining(settings, rows.shaped(2, 3), 1)) {
            assertThat(training.stepsPerEpoch()).isEqualTo(1);
        }
    }
}
