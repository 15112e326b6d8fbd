package io.mdnf.cli;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.training.GradientTraining;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeSettings;
import io.mdnf.vae.VaeTraining;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mdnf bench vae}: the whole training step of a VAE, images and noise included, on images of MNIST's size. */
@Command(
        name = "vae",
        description = {
            "Times the training step of a VAE on random images of 28 x 28: pixels, noise, gradient, Adam.",
            "The model is that of 'vae train'; --head paper is what other programs are compared with.%n"})
final class BenchVae extends BenchTraining {

    private static final int IMAGES = 2048;

    @Mixin
    private VaeModelOptions model;

    @Override
    public Integer call() {
        VaeSettings settings = model.settings();
        Nd4jStart.now();
        int[] grey = new Draws(Seed.of(1)).uniform("pixels", IMAGES * 28 * 28, 256);
        byte[] pixels = new byte[grey.length];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) grey[i];
        }
        String workload = String.format(Locale.ROOT, "vae-%s-%s-D%d-K%d-B%d", settings.method(), settings.head(),
                settings.latents(), settings.categories(), settings.components());
        VaeTraining task = new VaeTraining(settings, DigitImages.of(28, 28, pixels), Integer.MAX_VALUE);
        try (GradientTraining<TrainedVae> training = new GradientTraining<>(task)) {
            measure(workload, settings.space(), settings.components(), settings.batch(), training);
        }
        return 0;
    }
}
