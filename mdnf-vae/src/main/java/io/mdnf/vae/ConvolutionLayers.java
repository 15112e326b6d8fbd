package io.mdnf.vae;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.network.DenseLayers;
import java.util.List;

/**
 * Convolutions over images: kernels of 4 x 4 pixels that move by 2, so that every layer of an encoder halves height and
 * width, [n, h, w, c] -&gt; [n, h/2, w/2, units], and their transposes, by which a decoder doubles them again.
 *
 * <p>Both are matrix products. Two neighbours of two neighbouring cells of 2 x 2 pixels are one patch, so the encoder's
 * product is [n h/2 w/2, 16 c] times [16 c, units]; the decoder's, of patches of 2 x 2 pixels at every corner between
 * pixels, is [n (h+1) (w+1), 4 c] times [4 c, 4 units], whose rows are cells of 2 x 2. Slices and joints bring them
 * about: their gradients are right, and ND4J's own convolution takes eight times as long, most of it backwards.
 *
 * @param shape of the images
 * @param channels units of the encoder's layers; the decoder mirrors them
 */
record ConvolutionLayers(ImageShape shape, List<Integer> channels) {

    /** The shape after so many layers. */
    private ImageShape shape(int layers) {
        ImageShape halved = shape;
        for (int layer = 0; layer < layers; layer++) {
            halved = halved.halved();
        }
        return halved;
    }

    /** Channels after so many layers. */
    private int channels(int layers) {
        return layers == 0 ? 1 : channels.get(layers - 1);
    }

    /** Numbers that the last layer of the encoder makes of an image, and the decoder begins with. */
    int features() {
        return shape(channels.size()).size() * channels(channels.size());
    }

    /** The features of images [n, h * w], [n, features]. */
    Tensor encoded(Graph graph, BatchStatistics statistics, Tensor images) {
        Graph scope = graph.under("encoder").under("convolution");
        long n = images.extent(0);
        Tensor x = images;
        for (int layer = 1; layer <= channels.size(); layer++) {
            ImageShape from = shape(layer - 1);
            Tensor patches = patches(x.reshape(n, from.height(), from.width(), channels(layer - 1)));
            x = DenseLayers.activated(scope, statistics, layer, product(scope, layer, patches, channels(layer)));
        }
        return x.reshape(n, features());
    }

    /** What the decoder says of every pixel, [n, h * w], by features [n, features]. */
    Tensor decoded(Graph graph, BatchStatistics statistics, Tensor features) {
        Graph scope = graph.under("decoder").under("convolution");
        long n = features.extent(0);
        Tensor x = features;
        for (int layer = 1; layer <= channels.size(); layer++) {
            int left = channels.size() - layer;
            ImageShape from = shape(left + 1);
            ImageShape to = shape(left);
            int units = channels(left);
            Tensor corners = windows(padded(x.reshape(n, from.height(), from.width(), channels(left + 1)),
                    from.height() + 2, from.width() + 2));
            Tensor cells = product(scope, layer, corners, 4 * units)
                    .reshape(n, from.height() + 1, from.width() + 1, 4L * units);
            Tensor sums = pixels(cells).slice(1, 1, to.height()).slice(2, 1, to.width());
            x = left == 0 ? sums
                    : DenseLayers.activated(scope, statistics, layer, sums.reshape(n * to.size(), units));
        }
        Tensor bias = graph.parameter(new Parameter(outputBias(), Initialiser.constant(0), shape.size()));
        return x.reshape(n, shape.size()).plus(bias.repeatLeading(n));
    }

    /** The name of the decoder's last bias, one for each pixel. */
    String outputBias() {
        return "decoder/convolution/bias" + channels.size();
    }

    private static Tensor product(Graph scope, int layer, Tensor patches, int units) {
        long length = patches.extent(3);
        return patches.reshape(patches.size() / length, length).matmul(scope.parameter(
                new Parameter("weights" + layer, Initialiser.glorot(), length, units)));
    }

    /** The 4 x 4 pixels around every other corner between pixels, [n, h, w, c] -&gt; [n, h/2, w/2, 16 c]. */
    private static Tensor patches(Tensor x) {
        int height = (int) (x.extent(1) + 1) / 2 * 2;
        int width = (int) (x.extent(2) + 1) / 2 * 2;
        return windows(cells(padded(x, height + 2, width + 2)));
    }

    /** Images with one line of zeros before them, and as many after them as make them so high and wide. */
    private static Tensor padded(Tensor x, int height, int width) {
        return padded(1, padded(2, x, width), height);
    }

    private static Tensor padded(int axis, Tensor x, int extent) {
        return Tensor.concat(axis, zeros(axis, x, 1), x, zeros(axis, x, (int) (extent - 1 - x.extent(axis))));
    }

    private static Tensor zeros(int axis, Tensor x, int extent) {
        long[] shape = x.shape();
        shape[axis] = extent;
        return x.graph().constant(new double[(int) (x.size() / x.extent(axis) * extent)], shape);
    }

    /** Cells of 2 x 2 pixels as one, [n, 2 h, 2 w, c] -&gt; [n, h, w, 4 c]. */
    private static Tensor cells(Tensor x) {
        long n = x.extent(0);
        long height = x.extent(1) / 2;
        long width = x.extent(2) / 2;
        long channels = x.extent(3);
        Tensor lines = x.reshape(n * height, 2, width, 2 * channels);
        return Tensor.concat(3, lines.slice(1, 0, 1), lines.slice(1, 1, 1)).reshape(n, height, width, 4 * channels);
    }

    /** Cells taken apart again, [n, h, w, 4 c] -&gt; [n, 2 h, 2 w, c]. */
    private static Tensor pixels(Tensor cells) {
        long n = cells.extent(0);
        long height = cells.extent(1);
        long width = cells.extent(2);
        long channels = cells.extent(3) / 4;
        Tensor halves = cells.reshape(n * height, width, 2, 2 * channels);
        long[] line = {n * height, 1, width, 2 * channels};
        return Tensor.concat(1, halves.slice(2, 0, 1).reshape(line), halves.slice(2, 1, 1).reshape(line))
                .reshape(n, 2 * height, 2 * width, channels);
    }

    /** Every four neighbours as one, [n, h, w, c] -&gt; [n, h-1, w-1, 4 c]. */
    private static Tensor windows(Tensor x) {
        return neighbours(2, neighbours(1, x));
    }

    private static Tensor neighbours(int axis, Tensor x) {
        int length = (int) x.extent(axis) - 1;
        return Tensor.concat(3, x.slice(axis, 0, length), x.slice(axis, 1, length));
    }
}
