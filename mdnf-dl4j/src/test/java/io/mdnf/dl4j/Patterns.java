package io.mdnf.dl4j;

import io.mdnf.mixture.Estimator;
import io.mdnf.random.Draws;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;

/**
 * Images of three hidden factors, each of which says which half of its own six pixels is bright, with some pixels
 * flipped; the true log p of an image; and a graph to learn them. The factors are independent given an image, so an
 * auto-encoder with one binary variable per factor can reach the truth.
 */
final class Patterns {

    static final int FACTORS = 3;
    static final int BLOCK = 6;
    static final int PIXELS = BLOCK * FACTORS;
    static final double FLIP = 0.05;

    private Patterns() {}

    /** New images, [n, PIXELS]. */
    static INDArray images(int n, Draws draws, DataType type) {
        var rng = draws.stream("images");
        double[][] images = new double[n][PIXELS];
        for (double[] image : images) {
            for (int f = 0; f < FACTORS; f++) {
                int half = rng.nextInt(2);
                for (int p = 0; p < BLOCK; p++) {
                    boolean flipped = rng.nextDouble() < FLIP;
                    image[f * BLOCK + p] = (p / (BLOCK / 2) == half) != flipped ? 1 : 0;
                }
            }
        }
        return Nd4j.createFromArray(images).castTo(type);
    }

    /** The truth: log p(image) = sum over factors of log((p(pixels | left) + p(pixels | right)) / 2). */
    static double logProbability(double[] image) {
        double total = 0;
        for (int f = 0; f < FACTORS; f++) {
            int asLeft = 0;
            for (int p = 0; p < BLOCK; p++) {
                asLeft += image[f * BLOCK + p] == (p / (BLOCK / 2) == 0 ? 1 : 0) ? 1 : 0;
            }
            total += Math.log(0.5 * likelihood(asLeft) + 0.5 * likelihood(BLOCK - asLeft));
        }
        return total;
    }

    private static double likelihood(int matching) {
        return Math.pow(1 - FLIP, matching) * Math.pow(FLIP, BLOCK - matching);
    }

    static ComputationGraphConfiguration configuration(
            MdnfLatent latent, Estimator gradient, DataType type, double rate, long seed) {
        int hidden = 32;
        return new NeuralNetConfiguration.Builder().seed(seed).dataType(type).updater(new Adam(rate)).graphBuilder()
                .addInputs("image", "choice")
                .addLayer("encoder", new DenseLayer.Builder().nIn(PIXELS).nOut(hidden)
                        .activation(Activation.RELU).build(), "image")
                .addLayer("posterior", latent, "encoder")
                .addVertex("code", latent.sample(gradient), "posterior", "choice")
                .addLayer("decoder", new DenseLayer.Builder().nIn(latent.space().oneHotLength()).nOut(PIXELS)
                        .activation(Activation.IDENTITY).build(), "code")
                .addLayer("elbo", latent.negativeElbo(PIXELS), "decoder", "posterior")
                .setOutputs("elbo").build();
    }
}
