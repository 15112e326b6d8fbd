package io.mdnf.vae;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The networks of a VAE laid out in a graph: encoder, head, prior, decoder. Parameters are named, so that a graph of
 * the encoder alone shares them with the graph of the whole.
 *
 * @param settings the model
 * @param graph where to build
 * @param pixels numbers per image
 */
record VaeNetworks(VaeSettings settings, Graph graph, int pixels) {

    /** Numbers of a one-hot code. */
    int width() {
        return settings.latents() * settings.categories();
    }

    private int[] widths(int first, int... rest) {
        return IntStream.concat(IntStream.of(first), IntStream.of(rest)).toArray();
    }

    /** Categorical logits of methods without flows, [n, D, K]. */
    Tensor logits(Tensor image) {
        return encoder().of(graph, image).reshape(image.extent(0), settings.latents(), settings.categories());
    }

    /** Logits of the flows, [n, B, D, K]. */
    Tensor flowLogits(Tensor image) {
        long n = image.extent(0);
        int components = settings.components();
        Tensor own = encoder().of(graph, image);
        Tensor logits = settings.head() == FlowHead.PAPER
                ? paperHead().of(graph, own)
                : own.repeatAt(1, components).plus(offsets().repeatLeading(n));
        return logits.reshape(n, components, settings.latents(), settings.categories());
    }

    /** For two categories, the differences of the flows' logits, [n, B * D]. */
    Tensor flowDifferences(Tensor image) {
        long n = image.extent(0);
        int components = settings.components();
        int latents = settings.latents();
        Tensor differences;
        if (settings.head() == FlowHead.PAPER) {
            differences = paperHead().differences(graph, encoder().of(graph, image));
        } else {
            Tensor own = encoder().differences(graph, image);
            Tensor offsets = StraightThrough.differences(offsets().reshape(components, latents, 2));
            differences = own.repeatAt(1, components).plus(offsets.repeatLeading(n));
        }
        return differences.reshape(n, (long) components * latents);
    }

    private DenseLayers encoder() {
        return new DenseLayers("encoder", widths(pixels, append(hidden(), width())));
    }

    private DenseLayers paperHead() {
        int all = settings.components() * width();
        return new DenseLayers("head", width(), all, all);
    }

    private Tensor offsets() {
        int all = settings.components() * width();
        return graph.under("head").parameter(
                new Parameter("offsets", (draws, shape) -> draws.gumbel("values", all), settings.components(), width()));
    }

    /** Unnormalised log-probabilities of the prior, [1, D, K]. */
    Tensor priorLogits() {
        long[] shape = {1, settings.latents(), settings.categories()};
        return settings.prior() == CodePrior.LEARNED
                ? graph.under("prior").parameter(new Parameter("logits", Initialiser.constant(0), shape))
                : graph.constant(new double[width()], shape);
    }

    /** log p(z) of each category repeated for n images, [n, D, K]. */
    Tensor logPrior(long n) {
        return priorLogits().logSoftmax().reshape(settings.latents(), settings.categories()).repeatLeading(n);
    }

    /** Bernoulli logits of the pixels, [n, pixels], of codes [n, D * K]. */
    Tensor decode(Tensor codes) {
        int[] hidden = hidden();
        int[] mirrored = IntStream.range(0, hidden.length).map(i -> hidden[hidden.length - 1 - i]).toArray();
        return new DenseLayers("decoder", widths(width(), append(mirrored, pixels))).of(graph, codes);
    }

    /** log p(image | code), [n]: sum over pixels of x o - softplus(o). */
    static Tensor logLikelihood(Tensor decoded, Tensor image) {
        return image.times(decoded).minus(decoded.softplus()).sum(1);
    }

    private int[] hidden() {
        return settings.hidden().stream().mapToInt(Integer::intValue).toArray();
    }

    private static int[] append(int[] widths, int last) {
        return Stream.of(IntStream.of(widths), IntStream.of(last)).flatMapToInt(s -> s).toArray();
    }
}
