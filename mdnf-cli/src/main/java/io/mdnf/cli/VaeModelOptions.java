package io.mdnf.cli;

import io.mdnf.mixture.Estimator;
import io.mdnf.vae.CodePrior;
import io.mdnf.vae.FlowHead;
import io.mdnf.vae.LatentMethod;
import io.mdnf.vae.PixelKind;
import io.mdnf.vae.VaeSettings;
import picocli.CommandLine.Option;

/** Mixin for commands that say which VAE to train. */
final class VaeModelOptions {

    @Option(names = "--latents", paramLabel = "D", defaultValue = "10", description = "Variables of a code")
    private int latents;

    @Option(names = "--categories", paramLabel = "K", defaultValue = "2", description = "Categories of each variable")
    private int categories;

    @Option(names = "--components", paramLabel = "B", defaultValue = "40", description = "Flows of a mixture")
    private int components;

    @Option(names = "--algorithm", paramLabel = "ALGORITHM", defaultValue = "mdnf",
            description = "mdnf, mdnf-joint, gumbel, jang, maddison-21, maddison-22, or exact where "
                    + "categories^latents is at most 4096")
    private LatentMethod algorithm;

    @Option(names = "--straight-through", description = "Gumbel algorithms: train with one-hot codes.")
    private boolean straightThrough;

    @Option(names = "--head", paramLabel = "shared|paper", defaultValue = "shared",
            description = "How flows get their logits; the paper's head has (D K B)^2 weights")
    private FlowHead head;

    @Option(names = "--estimator", paramLabel = "second-order|averaged|chosen", defaultValue = "second-order",
            description = "Whether all flows learn from a sample, to second or to first order, or, as published, the "
                    + "one that was chosen")
    private Estimator estimator;

    @Option(names = "--prior", paramLabel = "uniform|learned", defaultValue = "uniform", description = "Prior of codes")
    private CodePrior prior;

    @Option(names = "--pixels", paramLabel = "grey|threshold|dynamic", defaultValue = "grey",
            description = "What the model sees of a grey pixel")
    private PixelKind pixels;

    @Option(names = "--batch", paramLabel = "N", defaultValue = "256", description = "Images per step")
    private int batch;

    @Option(names = "--rate", paramLabel = "R", defaultValue = "0.001", description = "Learning rate of Adam")
    private double rate;

    @Option(names = "--temperature", paramLabel = "TAU",
            description = "First temperature; by default 100 for the paper's head, else 1.")
    private Double temperature;

    @Option(names = "--paper-order", description = "Take images in the file's order, as published; else shuffled.")
    private boolean paperOrder;

    /** What --algorithm was called once. */
    @Option(names = "--method", hidden = true)
    private String method;

    VaeSettings settings() {
        if (method != null) {
            throw new UsageProblem("--method " + method + ": this option is called --algorithm now");
        }
        try {
            VaeSettings settings = VaeSettings.of(algorithm, latents, categories, components).withHead(head)
                    .withEstimator(estimator).withPrior(prior).withPixels(pixels)
                    .withBatch(batch, rate).withStraightThrough(straightThrough).withShuffled(!paperOrder);
            return temperature == null ? settings : settings.withTemperature(temperature,
                    settings.temperature().gamma(), Math.min(temperature, settings.temperature().floor()));
        } catch (IllegalArgumentException e) {
            throw new UsageProblem(e.getMessage(), e);
        }
    }
}
