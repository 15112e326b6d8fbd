package io.mdnf.cli;

import io.mdnf.vae.TrainedVae;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mdnf vae reconstruct}: a picture of test digits over what a trained VAE makes of them. */
@Command(name = "reconstruct",
        description = "Show test digits over their reconstructions, each from a sampled code, as a PNG picture.%n")
final class VaeReconstruct implements Callable<Integer> {

    @Mixin
    private VaeRunParameter run;

    @Option(names = {"-n", "--count"}, paramLabel = "N", defaultValue = "50",
            description = "How many: ${DEFAULT-VALUE} by default.")
    private int count;

    @Option(names = "--out", paramLabel = "FILE.png", description = "Where to; RUN/reconstructions.png by default.")
    private Path out;

    @Mixin
    private MnistOption mnist;

    @Mixin
    private SeedOption seed;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (count < 1) {
            throw new UsageProblem("--count " + count + ": at least 1 is needed");
        }
        Path file = out == null ? run.folder().resolve("reconstructions.png") : out;
        try (TrainedVae vae = run.open()) {
            VaeRun.grid(run.folder()).write(file,
                    VaeRun.reconstructions(vae, mnist.load(false).test().images().first(count), seed.seed()));
        }
        spec.commandLine().getOut().println(file);
        return 0;
    }
}
