package io.mdnf.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mdnf vae sample}: a picture of digits drawn from a trained VAE. */
@Command(name = "sample", description = "Draw digits from a trained VAE's prior, as a PNG picture.%n")
final class VaeSample implements Callable<Integer> {

    @Mixin
    private VaeModel model;

    @Option(names = {"-n", "--count"}, paramLabel = "N", defaultValue = "100",
            description = "How many: ${DEFAULT-VALUE} by default.")
    private int count;

    @Option(names = "--out", paramLabel = "FILE.png", description = "Where to; RUN/samples.png by default.")
    private Path out;

    @Override
    public Integer call() throws IOException {
        UsageProblem.ifBelowOne("--count", count);
        return model.draw(out, "samples.png", (vae, grid) -> VaeRun.samples(vae, grid, count, model.seed()));
    }
}
