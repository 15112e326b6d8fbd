package io.mdnf.cli;

import io.mdnf.mnist.LabelledImages;
import io.mdnf.mnist.Mnist;
import io.mdnf.report.CsvTable;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.TrainedVae;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mdnf vae codes}: the most probable code of every image, with its label, as CSV. */
@Command(name = "codes", description = "Write the most probable code of every image, with its label, as CSV.%n")
final class VaeCodes implements Callable<Integer> {

    @Mixin
    private VaeRunParameter run;

    @Option(names = "--split", paramLabel = "train|test", defaultValue = "test",
            description = "Which images: ${DEFAULT-VALUE} by default.")
    private VaeEvaluate.Split split;

    @Option(names = "--limit", paramLabel = "N", description = "The first N images only.")
    private Integer limit;

    @Option(names = "--out", paramLabel = "FILE.csv", required = true, description = "Where to.")
    private Path out;

    @Mixin
    private MnistOption mnist;

    @Mixin
    private SeedOption seed;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (limit != null && limit < 1) {
            throw new UsageProblem("--limit " + limit + ": at least 1 is needed");
        }
        try (TrainedVae vae = run.open()) {
            Mnist data = mnist.load(false);
            LabelledImages chosen = split == VaeEvaluate.Split.TRAIN ? data.train() : data.test();
            DigitImages images = limit == null ? chosen.images() : chosen.images().first(limit);
            int[][] codes = vae.codes(images, seed.seed());
            List<String> header = new ArrayList<>(List.of("image", "label"));
            for (int d = 1; d <= vae.settings().latents(); d++) {
                header.add("z" + d);
            }
            CsvTable csv = new CsvTable(header.toArray(new String[0]));
            for (int i = 0; i < codes.length; i++) {
                List<Object> row = new ArrayList<>(List.of(i, chosen.labels()[i]));
                for (int k : codes[i]) {
                    row.add(k);
                }
                csv.row(row.toArray());
            }
            csv.write(out);
        }
        spec.commandLine().getOut().println(out);
        return 0;
    }
}
