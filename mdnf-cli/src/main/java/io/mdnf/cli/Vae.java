package io.mdnf.cli;

import io.mdnf.mnist.LabelledImages;
import io.mdnf.report.CsvTable;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeEvaluation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Variational autoencoders with discrete codes: train one on MNIST, and see what it is worth. */
@Command(name = "vae", description = "Train variational autoencoders with discrete codes on MNIST, and use them.",
        footer = {"  mdnf vae train --epochs 3 --out runs/digits", "  mdnf vae sample runs/digits"},
        subcommands = VaeTrain.class)
final class Vae extends CommandGroup {

    @Command(name = "evaluate", footer = "  mdnf vae evaluate runs/digits --importance 100", description =
            "Print valid bounds of a trained VAE: ELBO, importance-weighted bound, the likelihood where codes are few.")
    int evaluate(@Mixin VaeModel model,
            @Option(names = "--samples", paramLabel = "S", defaultValue = "1",
                    description = "Codes per image for the ELBO")
            int samples,
            @Option(names = "--importance", paramLabel = "L", defaultValue = "0",
                    description = "Codes per image for the importance-weighted bound, 0 for none")
            int importance, @Mixin VaeImages images, @Mixin JsonOption json) throws IOException {
        UsageProblem.ifBelowOne("--samples", samples);
        images.check();
        if (importance < 0) {
            throw new UsageProblem("--importance " + importance + ": at least 0 is needed");
        }
        try (TrainedVae vae = model.open()) {
            VaeEvaluation found = vae.evaluate(images.of(images.load(json.given())), model.seed.seed(), samples,
                    importance, true);
            json.answer(() -> {
                Map<String, Object> answer = new LinkedHashMap<>();
                answer.put("run", model.folder.toString());
                answer.put("split", images.split());
                answer.putAll(VaeFigures.answer(found));
                return answer;
            }, out -> out.print(VaeFigures.text(found)));
        }
        return 0;
    }

    @Command(name = "sample", footer = "  mdnf vae sample runs/digits -n 64 --out digits.png",
            description = "Draw digits from a trained VAE's prior, as a PNG picture.")
    int sample(@Mixin VaeModel model,
            @Option(names = {"-n", "--count"}, paramLabel = "N", defaultValue = "100", description = "How many")
            int count,
            @Option(names = "--temperature", paramLabel = "T", defaultValue = "1", description = "Of the prior: below 1 "
                    + "likelier codes, clearer and less varied digits; without effect on a uniform one")
            double temperature,
            @Option(names = "--out", paramLabel = "FILE.png", description = "Where to; RUN/samples.png by default.")
            Path out) throws IOException {
        UsageProblem.ifBelowOne("--count", count);
        if (!(temperature > 0 && temperature <= 100)) {
            throw new UsageProblem("--temperature " + temperature + ": above 0 and at most 100");
        }
        return model.draw(out, "samples.png",
                (vae, grid) -> grid.draw(vae.sample(count, model.seed.seed().fold("samples"), temperature)));
    }

    @Command(name = "reconstruct", footer = "  mdnf vae reconstruct runs/digits -n 20",
            description = "Show test digits over their reconstructions, each from a sampled code, as a PNG picture.")
    int reconstruct(@Mixin VaeModel model,
            @Option(names = {"-n", "--count"}, paramLabel = "N", defaultValue = "50", description = "How many")
            int count,
            @Option(names = "--out", paramLabel = "FILE.png",
                    description = "Where to; RUN/reconstructions.png by default.")
            Path out, @Mixin MnistOption mnist) throws IOException {
        UsageProblem.ifBelowOne("--count", count);
        return model.draw(out, "reconstructions.png", (vae, grid) ->
                VaeRun.reconstructions(vae, grid, mnist.load(false).test().images().first(count), model.seed.seed()));
    }

    @Command(name = "codes", footer = "  mdnf vae codes runs/digits --out codes.csv",
            description = "Write the most probable code of every image, with its label, as CSV.")
    int codes(@Mixin VaeModel model,
            @Option(names = "--out", paramLabel = "FILE.csv", required = true, description = "Where to.")
            Path out, @Mixin VaeImages images) throws IOException {
        images.check();
        try (TrainedVae vae = model.open()) {
            LabelledImages chosen = images.load(false);
            int[][] codes = vae.codes(images.of(chosen), model.seed.seed());
            CsvTable csv = new CsvTable(Stream.concat(Stream.of("image", "label"), IntStream
                    .rangeClosed(1, vae.settings().latents()).mapToObj(d -> "z" + d)).toArray(String[]::new));
            for (int i = 0; i < codes.length; i++) {
                csv.row(Stream.concat(Stream.of(i, chosen.labels()[i]), Arrays.stream(codes[i]).boxed()).toArray());
            }
            csv.write(out);
        }
        return model.wrote(out);
    }
}
