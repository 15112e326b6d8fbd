package io.mdnf.dl4j;

import io.mdnf.space.Estimate;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.List;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration.GraphBuilder;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.learning.config.Adam;

/** The tutorial's program: learns the hidden factors of {@link Patterns}. */
final class DiscreteAutoencoderExample {

    private DiscreteAutoencoderExample() {}

    /** Prints what was learned. */
    public static void main(String[] args) {
        ComputationGraph graph = train(200);
        INDArray images = Patterns.images(4, new Draws(Seed.of(7)), DataType.FLOAT);
        // begin: use
        LatentCodes codes = new LatentCodes(graph, "posterior", "code");
        List<CodeDistribution> q = codes.posterior(images);    // one for each image
        int[][] x = codes.sample(images, Seed.of(2));          // [n][D]
        Estimate bound = codes.elbo(images, 10, Seed.of(3));   // nats per image, at most the mean of log p(image)
        // end
        System.out.println(q.get(0).mostProbable(2) + "\n" + Arrays.deepToString(x) + "\n" + bound);
    }

    static ComputationGraph train(int steps) {
        int pixels = Patterns.PIXELS;
        // begin: build
        MdnfLatent latent = new MdnfLatent.Builder().nIn(32).codes(CodeSpace.uniform(3, 2)).components(40).build();
        ComputationGraphConfiguration configuration = new NeuralNetConfiguration.Builder()
                .seed(1).updater(new Adam(0.03)).graphBuilder()
                .addInputs("image", "choice")
                .addLayer("encoder", new DenseLayer.Builder().nIn(pixels).nOut(32)
                        .activation(Activation.RELU).build(), "image")
                .addLayer("posterior", latent, "encoder")
                .addVertex("code", latent.sample(), "posterior", "choice")
                .addLayer("decoder", new DenseLayer.Builder().nIn(6).nOut(pixels)
                        .activation(Activation.IDENTITY).build(), "code")
                .addLayer("elbo", latent.negativeElbo(pixels), "decoder", "posterior")
                .setOutputs("elbo").build();
        ComputationGraph graph = new ComputationGraph(configuration);
        graph.init();
        ComponentChoices choices = latent.choices(Seed.of(1));
        for (int step = 0; step < steps; step++) {
            INDArray images = nextBatch(step);
            graph.fit(choices.batch(images, step));   // graph.score() is the negative ELBO per image
        }
        // end
        return graph;
    }

    /** The same with variables that look at those before them. */
    static LatentCodes trainLooking(int steps) {
        int pixels = Patterns.PIXELS;
        GraphBuilder builder = new NeuralNetConfiguration.Builder()
                .seed(1).updater(new Adam(0.03)).graphBuilder()
                .addInputs("image", "choice")
                .addLayer("encoder", new DenseLayer.Builder().nIn(pixels).nOut(32)
                        .activation(Activation.RELU).build(), "image");
        // begin: look
        AutoregressiveLatent latent = new AutoregressiveLatent.Builder().nIn(32).codes(CodeSpace.uniform(3, 2)).build();
        builder.addLayer("latent", latent, "encoder", "choice")
                .addVertex("code", latent.code(), "latent")
                .addVertex("posterior", latent.tables(), "latent");    // decoder, elbo and choices as above
        // end
        ComputationGraph graph = new ComputationGraph(builder
                .addLayer("decoder", new DenseLayer.Builder().nIn(6).nOut(pixels)
                        .activation(Activation.IDENTITY).build(), "code")
                .addLayer("elbo", latent.negativeElbo(pixels), "decoder", "posterior")
                .setOutputs("elbo").build());
        graph.init();
        ComponentChoices choices = latent.choices(Seed.of(1));
        for (int step = 0; step < steps; step++) {
            graph.fit(choices.batch(nextBatch(step), step));
        }
        return new LatentCodes(graph, "latent");
    }

    private static INDArray nextBatch(int step) {
        return Patterns.images(64, new Draws(Seed.of(5).fold(step)), DataType.FLOAT);
    }
}
