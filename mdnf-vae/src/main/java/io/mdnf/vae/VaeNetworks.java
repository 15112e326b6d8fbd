package io.mdnf.vae;

import io.mdnf.base.Deltas;
import io.mdnf.flow.Setting;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.Conditioned;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Given;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.space.CodeSpace;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The networks of a VAE laid out in a graph: encoder, posterior, prior, decoder. Parameters are named, so that a graph
 * of the encoder alone shares them with the graph of the whole. An image has so many pixels.
 */
record VaeNetworks(VaeSettings settings, Graph graph, int pixels) {

    /** Numbers of a one-hot code. */
    int width() {
        return settings.latents() * settings.categories();
    }

    private static DenseLayers layers(String name, int first, IntStream hidden, int last) {
        return new DenseLayers(name, Stream.of(IntStream.of(first), hidden, IntStream.of(last))
                .flatMapToInt(width -> width).toArray());
    }

    /** Categorical logits of methods without flows, [n, D, K]. */
    Tensor logits(Tensor image) {
        return encoder().of(graph, image).reshape(image.extent(0), settings.latents(), settings.categories());
    }

    private Mixture mixture() {
        CodeSpace space = settings.space();
        int components = settings.components();
        ShiftNetwork network = settings.head() == FlowHead.PAPER
                ? new Given(space, components)
                : new Conditioned(new DirectLogits(space, components, Initialiser.gumbel()));
        return new Mixture(settings.method() == LatentMethod.MDNF_JOINT ? Structure.JOINT : Structure.PER_VARIABLE,
                new ShiftFlow(network), Deltas.zero(space, components), Weighting.EQUAL);
    }

    /** q(code | image), one row for every image. */
    MixtureGraph posterior(Tensor image, Tensor inverseTemperature) {
        Graph own = graph.under("posterior");
        return mixture().in(new Setting(own, StraightThrough.FIRST_ORDER, inverseTemperature, given(image)));
    }

    /** What the image gives the flows: [n, D, K] to all alike, or [B, n, D, K], of two categories their differences. */
    private Tensor given(Tensor image) {
        long n = image.extent(0);
        int components = settings.components();
        int latents = settings.latents();
        if (settings.head() == FlowHead.SHARED) {
            return logits(image);
        }
        boolean binary = settings.categories() == 2;
        Tensor own = encoder().of(graph, image);
        Tensor all = binary ? paperHead().differences(graph, own) : paperHead().of(graph, own);
        return all.reshape(n, components, all.extent(1) / components).permute(1, 0, 2)
                .reshape(components, n, latents, binary ? 1 : settings.categories());
    }

    private DenseLayers encoder() {
        return layers("encoder", pixels, settings.hidden().stream().mapToInt(width -> width), width());
    }

    private DenseLayers paperHead() {
        int all = settings.components() * width();
        return new DenseLayers("head", width(), all, all);
    }

    /** Unnormalised log-probabilities of the prior, [1, D, K]. */
    Tensor priorLogits() {
        long[] shape = {1, settings.latents(), settings.categories()};
        return settings.prior() == CodePrior.LEARNED
                ? graph.under("prior").parameter(new Parameter("logits", Initialiser.constant(0), shape))
                : graph.constant(new double[width()], shape);
    }

    /** log p(z) of each category, [D, K]. */
    Tensor logPrior() {
        return priorLogits().logSoftmax().reshape(settings.latents(), settings.categories());
    }

    /** log p(z) of codes, or its mean under a product q, [n], of [n, D * K]. */
    Tensor logPrior(Tensor codes) {
        return codes.matmul(logPrior().reshape(width(), 1)).reshape(codes.extent(0));
    }

    /** Bernoulli logits of the pixels, [n, pixels], of codes [n, D * K]. */
    Tensor decode(Tensor codes) {
        int deepest = settings.hidden().size() - 1;
        IntStream mirrored = IntStream.rangeClosed(0, deepest).map(i -> settings.hidden().get(deepest - i));
        return layers("decoder", width(), mirrored, pixels).of(graph, codes);
    }

    /** log p(image | code), [n], of codes [n, D * K]. */
    Tensor logLikelihood(Tensor codes, Tensor image) {
        return decodedLogLikelihood(decode(codes), image);
    }

    /** log p(image | code), [n], of decoded codes o [n, pixels]: sum over pixels of x o - softplus(o). */
    static Tensor decodedLogLikelihood(Tensor decoded, Tensor image) {
        return image.times(decoded).minus(decoded.softplus()).sum(1);
    }

    /** log p(image | code) of every image and every decoded code, [n, m]. */
    static Tensor logLikelihoods(Tensor decoded, Tensor image) {
        return image.matmulTransposed(decoded).minus(decoded.softplus().sum(1).repeatLeading(image.extent(0)));
    }
}
