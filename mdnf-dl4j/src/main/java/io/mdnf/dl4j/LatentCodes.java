package io.mdnf.dl4j;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.Product;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * The codes of a trained graph: posteriors, samples and the bound, all by running the graph itself, so that what is
 * sampled is what is scored.
 *
 * <pre>{@code
 * LatentCodes codes = new LatentCodes(graph, "posterior", "code");
 * List<CodeDistribution> q = codes.posterior(images);        // one for each image
 * Estimate bound = codes.elbo(images, 10, Seed.of(1));       // nats per image
 * }</pre>
 */
public final class LatentCodes {

    private final ComputationGraph graph;
    private final String code;
    private final CodeSpace space;
    private final Function<Seed, ComponentChoices> choices;
    private final Function<Map<String, INDArray>, List<CodeDistribution>> posteriors;

    /** Looks into a graph with the inputs image and choice, in this order, by the names of its {@link MdnfLatent} and
     * {@link SampledCode}. */
    public LatentCodes(ComputationGraph graph, String posterior, String code) {
        this.graph = graph;
        this.code = code;
        Check.that(graph.getLayer(posterior) != null
                && graph.getLayer(posterior).conf().getLayer() instanceof MdnfLatent, "posterior = ", posterior,
                ": the graph has no MdnfLatent of this name");
        MdnfLatent latent = (MdnfLatent) graph.getLayer(posterior).conf().getLayer();
        space = latent.space();
        choices = latent::choices;
        posteriors = activations -> Arrays.stream(activations.get(posterior).castTo(DataType.DOUBLE).toDoubleMatrix())
                .<CodeDistribution>map(row -> product(latent, row)).toList();
        Check.that(graph.getVertex(code) instanceof SampledCodeVertex, "code = ", code,
                ": the graph has no SampledCode of this name");
    }

    /** Looks into a graph with the inputs image and choice, in this order, by the name of its {@link
     * AutoregressiveLatent}. */
    public LatentCodes(ComputationGraph graph, String latent) {
        this.graph = graph;
        this.code = latent;
        Check.that(graph.getLayer(latent) instanceof AutoregressiveLatentLayer, "latent = ", latent,
                ": the graph has no AutoregressiveLatent of this name");
        AutoregressiveLatentLayer layer = (AutoregressiveLatentLayer) graph.getLayer(latent);
        space = layer.layerConf().space();
        choices = layer.layerConf()::choices;
        // DL4J puts a vertex before the layer that merges its inputs
        String merged = graph.getConfiguration().getVertexInputs().get(latent).get(0);
        posteriors = activations -> layer.posterior(activations.get(merged));
    }

    /** The posteriors q(x | image) of images [n, pixels]: products, or flow mixtures of an autoregressive latent. */
    public List<CodeDistribution> posterior(INDArray images) {
        return posteriors.apply(activations(images, Seed.of(0), 0));
    }

    /** Shares of flows, of float accuracy, as probabilities: of B flows multiples of 1 / B, else of sum 1. */
    private static Product product(MdnfLatent latent, double[] row) {
        double[][] q = latent.space().rows(row, 0);
        for (double[] shares : q) {
            double sum = Arrays.stream(shares).sum();
            Arrays.setAll(shares, k -> latent.isUnlimited() ? shares[k] / sum
                    : Math.rint(shares[k] * latent.getComponents()) / latent.getComponents());
        }
        return new Product(q);
    }

    /** A code [n][D] for every image of [n, pixels]. */
    public int[][] sample(INDArray images, Seed seed) {
        INDArray drawn = activations(images, seed, 0).get(code).castTo(DataType.DOUBLE)
                .get(NDArrayIndex.all(), NDArrayIndex.interval(0, space.oneHotLength()));
        return space.indices(drawn.dup('c').data().asDouble());
    }

    private Map<String, INDArray> activations(INDArray images, Seed seed, long step) {
        return graph.feedForward(choices.apply(seed).batch(images, step).getFeatures(), false);
    }

    /**
     * The ELBO in nats, averaged over images [n, pixels], from so many codes drawn for each: a lower bound of their
     * mean log p. Its error comes from drawing codes, not from the choice of images. Regularisation terms, where the
     * graph has them, lower it.
     */
    public Estimate elbo(INDArray images, int samples, Seed seed) {
        Check.that(samples >= 1, "samples = ", samples, ": at least 1 is needed");
        ComponentChoices drawn = choices.apply(seed);
        double[] bounds = new double[samples];
        for (int s = 0; s < samples; s++) {
            bounds[s] = -graph.score(drawn.batch(images, s), false);
        }
        return Estimate.of(bounds);
    }
}
