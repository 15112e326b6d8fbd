package io.mdnf.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mdnf vae reconstruct}: a picture of test digits over what a trained VAE makes of them. */
@Command(name = "reconstruct",
        description = "Show test digits over their reconstructions, each from a sampled code, as a PNG picture.%n")
final class VaeReconstruct implements Callable<Integer> {

    @Mixin
    private VaeModel model;

    @Option(names = {"-n", "--count"}, paramLabel = "N", defaultValue = "50",
            description = "How many: ${DEFAULT-VALUE} by default.")
    private int count;

    @Option(names = "--out", paramLabel = "FILE.png", description = "Where to; RUN/reconstructions.png by default.")
    private Path out;

    @Mixin
    private MnistOption mnist;

    @Override
    public Integer call() throws IOException {
        UsageProblem.ifBelowOne("--count", count);
        return model.draw(out, "reconstructions.png", (vae, grid) ->
                VaeRun.reconstructions(vae, grid, mnist.load(false).test().images().first(count), model.seed()));
    }
}
