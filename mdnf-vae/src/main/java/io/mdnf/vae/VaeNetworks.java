package io.mdnf.vae;

import io.mdnf.base.Deltas;
import io.mdnf.flow.Setting;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.Conditioned;
import io.mdnf.network.DenseLayers;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Given;
import io.mdnf.network.Nade;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The networks of a VAE laid out in a graph: encoder, posterior, prior, decoder. Parameters are named, so that a graph
 * of the encoder alone shares them with the graph of the whole. An image is a row of pixels, or of a table.
 */
record VaeNetworks(VaeSettings settings, Graph graph, Likelihood likelihood, BatchStatistics statistics) {

    /** How much a prior looks at earlier variables before training: hardly. */
    private static final double PRIOR_LOOKS = 0.05;

    /** The networks of images as they are trained. */
    static VaeNetworks training(VaeSettings settings, Graph graph, int pixels) {
        return training(settings, graph, new PixelLikelihood(new ImageShape(1, pixels)));
    }

    /** The networks as they are trained. */
    static VaeNetworks training(VaeSettings settings, Graph graph, Likelihood likelihood) {
        return new VaeNetworks(settings, graph, likelihood, new BatchStatistics(settings.normalised()));
    }

    /** The networks as they are used, with averages folded into their layers. */
    static VaeNetworks trained(VaeSettings settings, Graph graph, Likelihood likelihood) {
        return new VaeNetworks(settings, graph, likelihood, new BatchStatistics(false));
    }

    /** Numbers of a one-hot code. */
    int width() {
        return settings.latents() * settings.categories();
    }

    private static DenseLayers layers(String name, int first, IntStream hidden, int last) {
        return new DenseLayers(name, Stream.of(IntStream.of(first), hidden, IntStream.of(last))
                .flatMapToInt(width -> width).toArray());
    }

    /** What the encoder's last hidden layer sees of images, [n, features]. */
    Tensor features(Tensor image) {
        return encoder().hidden(graph, statistics, looked(image));
    }

    /** Categorical logits of a product, [n, D, K]. */
    Tensor logits(Tensor image) {
        return said(image).reshape(image.extent(0), settings.latents(), settings.categories());
    }

    /** What the encoder's last layer says of images, [n, D * m]: logits, m = K, or what is to be quantised. */
    private Tensor said(Tensor image) {
        return encoder().of(graph, statistics, looked(image));
    }

    /** What the encoder's first dense layer sees of images. */
    private Tensor looked(Tensor image) {
        Tensor seen = likelihood.seen(image);
        return convolves() ? convolution().encoded(graph, statistics, seen) : seen;
    }

    private boolean convolves() {
        return !settings.channels().isEmpty();
    }

    private ConvolutionLayers convolution() {
        return new ConvolutionLayers(likelihood.shape(), settings.channels());
    }

    /** Codes without a distribution. */
    Quantised quantised(Tensor image) {
        return Quantised.of(settings, graph, said(image));
    }

    /** The description of q(z | x). */
    static Mixture posterior(VaeSettings settings) {
        CodeSpace space = settings.space();
        boolean unlimited = settings.isUnlimited();
        int flows = unlimited ? 1 : settings.components();
        ShiftNetwork network;
        if (settings.posterior() == Posterior.AUTOREGRESSIVE) {
            network = new Nade(space, flows, settings.hidden().get(settings.hidden().size() - 1), settings.looking());
        } else if (unlimited || settings.head() == FlowHead.PAPER) {
            network = new Given(space, flows);
        } else {
            network = new Conditioned(new DirectLogits(space, flows, Initialiser.gumbel()));
        }
        return unlimited ? Mixture.unlimited(network)
                : new Mixture(settings.posterior() == Posterior.JOINT ? Structure.JOINT : Structure.PER_VARIABLE,
                        new ShiftFlow(network), Deltas.zero(space, flows), Weighting.EQUAL);
    }

    /** q(code | image), so many rows for every image, one sample of all of them after the other. */
    MixtureGraph posterior(Tensor image, Tensor inverseTemperature, int samples) {
        Tensor given = given(image);
        if (samples > 1) {
            long[] shape = given.shape();
            shape[0] *= samples;
            given = given.repeatLeading(samples).reshape(shape);
        }
        return posterior(settings).in(new Setting(graph.under("posterior"), StraightThrough.FIRST_ORDER,
                inverseTemperature, given));
    }

    /** What the image gives the flows: features [n, m], logits [n, D, K] to all alike, or [B, n, D, K]; of two
     * categories the differences of logits. */
    private Tensor given(Tensor image) {
        long n = image.extent(0);
        int components = settings.components();
        int latents = settings.latents();
        if (settings.posterior() == Posterior.AUTOREGRESSIVE) {
            return features(image);
        }
        if (settings.isUnlimited() || settings.head() == FlowHead.SHARED) {
            return logits(image);
        }
        boolean binary = settings.categories() == 2;
        Tensor own = said(image);
        // the paper's head is not normalised
        BatchStatistics plain = new BatchStatistics(false);
        Tensor all = binary ? paperHead().differences(graph, plain, own) : paperHead().of(graph, plain, own);
        return all.reshape(n, components, all.extent(1) / components).permute(1, 0, 2)
                .reshape(components, n, latents, binary ? 1 : settings.categories());
    }

    private DenseLayers encoder() {
        int first = convolves() ? convolution().features() : likelihood.seen();
        return layers("encoder", first, settings.hidden().stream().mapToInt(width -> width), seen());
    }

    /** Numbers the decoder sees, and the encoder says where codes are drawn from a product. */
    private int seen() {
        return settings.latents() * Quantised.length(settings);
    }

    private DenseLayers paperHead() {
        int all = settings.components() * width();
        return new DenseLayers("head", width(), all, all);
    }

    /** The description of a trained prior. */
    static Mixture prior(VaeSettings settings) {
        CodeSpace space = settings.space();
        return Mixture.unlimited(settings.prior() == CodePrior.AUTOREGRESSIVE
                ? new Nade(space, 1, 0, settings.looking(), Initialiser.constant(0), PRIOR_LOOKS)
                : new DirectLogits(space, 1, Initialiser.constant(0)));
    }

    /** log p(z_d = k), [D, K], or log p(z_d = k | z_&lt;d) at codes [n, D, K] if the prior looks at them, [n, D, K]. */
    Tensor logPrior(Tensor codes) {
        int latents = settings.latents();
        int categories = settings.categories();
        if (settings.prior() == CodePrior.UNIFORM) {
            double[] uniform = new double[latents * categories];
            Arrays.fill(uniform, -Math.log(categories));
            return graph.constant(uniform, latents, categories);
        }
        Tensor all = prior(settings).in(new Setting(graph.under("prior"), StraightThrough.FIRST_ORDER,
                graph.ones(1, 1), null)).tables(codes).logs();
        return settings.prior() == CodePrior.AUTOREGRESSIVE ? all : all.reshape(latents, categories);
    }

    /** Unnormalised log-probabilities of a prior that looks at nothing, [1, D, K]. */
    Tensor priorLogits() {
        return logPrior(null).reshape(1, settings.latents(), settings.categories());
    }

    /** log p(z) of codes [n, D, K], [n]. */
    Tensor logPriorOf(Tensor codes) {
        Tensor log = logPrior(codes);
        long n = codes.extent(0);
        Tensor rows = codes.reshape(n, width());
        return log.rank() == 3 ? rows.times(log.reshape(n, width())).sum(1)
                : rows.matmul(log.reshape(width(), 1)).reshape(n);
    }

    /** What the likelihood needs, [n, outputs], of codes [n, D * K]: of pixels their Bernoulli logits. */
    Tensor decode(Tensor codes) {
        return decodeWords(settings.algorithm().isQuantised() ? Quantised.words(settings, graph,
                codes.reshape(codes.extent(0), settings.latents(), settings.categories())) : codes);
    }

    private Tensor decodeWords(Tensor words) {
        int deepest = settings.hidden().size() - 1;
        IntStream mirrored = IntStream.rangeClosed(0, deepest).map(i -> settings.hidden().get(deepest - i));
        if (convolves()) {
            IntStream hidden = IntStream.concat(mirrored, IntStream.of(convolution().features()));
            return convolution().decoded(graph, statistics,
                    layers("decoder", seen(), hidden, likelihood.outputs()).hidden(graph, statistics, words));
        }
        return layers("decoder", seen(), mirrored, likelihood.outputs()).of(graph, statistics, words);
    }

    /** The name of the bias that outputs start from. */
    String outputBias() {
        return convolves() ? convolution().outputBias() : "decoder/bias" + (settings.hidden().size() + 1);
    }

    /** log p(image | code), [n], of codes [n, D, K]. */
    Tensor logLikelihood(Tensor codes, Tensor image) {
        return likelihood.logLikelihood(graph, decode(codes.reshape(codes.extent(0), width())), image);
    }

    /** log p(image | code), [n], of the words of codes, [n, D * m]. */
    Tensor wordsLogLikelihood(Tensor words, Tensor image) {
        return likelihood.logLikelihood(graph, decodeWords(words), image);
    }

    /** log p(image | code) of every image and every code [m, D * K], [n, m]. */
    Tensor logLikelihoods(Tensor codes, Tensor image) {
        return likelihood.logLikelihoods(graph, decode(codes), image);
    }
}
