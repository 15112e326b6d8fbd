package io.mdnf.cli;

import io.mdnf.mnist.LabelledImages;
import io.mdnf.report.CsvTable;
import io.mdnf.vae.TrainedVae;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mdnf vae codes}: the most probable code of every image, with its label, as CSV. */
@Command(name = "codes", description = "Write the most probable code of every image, with its label, as CSV.%n")
final class VaeCodes implements Callable<Integer> {

    @Mixin
    private VaeModel model;

    @Option(names = "--out", paramLabel = "FILE.csv", required = true, description = "Where to.")
    private Path out;

    @Mixin
    private VaeImages images;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        images.check();
        try (TrainedVae vae = model.open()) {
            LabelledImages chosen = images.load(false);
            int[][] codes = vae.codes(images.of(chosen), model.seed());
            CsvTable csv = new CsvTable(Stream.concat(Stream.of("image", "label"), IntStream
                    .rangeClosed(1, vae.settings().latents()).mapToObj(d -> "z" + d)).toArray(String[]::new));
            for (int i = 0; i < codes.length; i++) {
                csv.row(Stream.concat(Stream.of(i, chosen.labels()[i]), Arrays.stream(codes[i]).boxed()).toArray());
            }
            csv.write(out);
        }
        spec.commandLine().getOut().println(out);
        return 0;
    }
}
