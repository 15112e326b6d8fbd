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

/** {@code mdnf vae sample}: a picture of digits drawn from a trained VAE. */
@Command(name = "sample", description = "Draw digits from a trained VAE's prior, as a PNG picture.%n")
final class VaeSample implements Callable<Integer> {

    @Mixin
    private VaeRunParameter run;

    @Option(names = {"-n", "--count"}, paramLabel = "N", defaultValue = "100",
            description = "How many: ${DEFAULT-VALUE} by default.")
    private int count;

    @Option(names = "--out", paramLabel = "FILE.png", description = "Where to; RUN/samples.png by default.")
    private Path out;

    @Mixin
    private SeedOption seed;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (count < 1) {
            throw new UsageProblem("--count " + count + ": at least 1 is needed");
        }
        Path file = out == null ? run.folder().resolve("samples.png") : out;
        try (TrainedVae vae = run.open()) {
            VaeRun.grid(run.folder()).write(file, VaeRun.samples(vae, count, seed.seed()));
        }
        spec.commandLine().getOut().println(file);
        return 0;
    }
}
