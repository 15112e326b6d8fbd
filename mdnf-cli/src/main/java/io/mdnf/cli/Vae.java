package io.mdnf.cli;

import io.mdnf.file.CsvFile;
import io.mdnf.mnist.LabelledImages;
import io.mdnf.report.CsvTable;
import io.mdnf.report.Progress;
import io.mdnf.vae.Column;
import io.mdnf.vae.TableRows;
import io.mdnf.vae.TableVae;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeEvaluation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Variational autoencoders with discrete codes: train one on MNIST or a table, and see what it is worth. */
@Command(name = "vae", description = "Train variational autoencoders with discrete codes on MNIST or a table, and use "
        + "them.", footer = {"  mdnf vae train --epochs 3 --out runs/digits", "  mdnf vae sample runs/digits",
            "  mdnf vae train --csv table.csv --out runs/table",
            "  mdnf vae impute runs/table --csv table.csv --out full.csv"},
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
            VaeEvaluation found = vae.evaluate(images.of(model, vae, json.given()), model.seed.seed(), samples,
                    importance, true);
            String unit = vae.schema().isPresent() ? "row" : "image";
            json.answer(() -> {
                Map<String, Object> answer = new LinkedHashMap<>();
                answer.put("run", model.folder.toString());
                answer.put(vae.schema().isPresent() ? "csv" : "split", images.source());
                answer.putAll(VaeFigures.answer(found, unit));
                return answer;
            }, out -> out.print(VaeFigures.text(found, unit)));
        }
        return 0;
    }

    @Command(name = "sample", footer = {"  mdnf vae sample runs/digits -n 64 --out digits.png",
        "  mdnf vae sample runs/table -n 1000 --out rows.csv"},
            description = "Draw digits from a trained VAE, as a PNG picture, or rows of its table, as CSV.")
    int sample(@Mixin VaeModel model,
            @Option(names = {"-n", "--count"}, paramLabel = "N", defaultValue = "100", description = "How many")
            int count,
            @Option(names = "--temperature", paramLabel = "T", defaultValue = "1",
                    description = "Of the prior: below 1 likelier codes, clearer and less varied digits; "
                            + "without effect on a uniform one")
            double temperature,
            @Option(names = "--out", paramLabel = "FILE", converter = FileToWrite.class,
                    description = "Where to; RUN/samples.png or .csv by default.")
            Path out) throws IOException {
        UsageProblem.ifBelowOne("--count", count);
        if (!(temperature > 0 && temperature <= 100)) {
            throw new UsageProblem("--temperature " + temperature + ": above 0 and at most 100");
        }
        if (model.isOfTable()) {
            Path file = out == null ? model.folder.resolve("samples.csv") : out;
            try (TrainedVae vae = model.open()) {
                TableVae table = new TableVae(vae);
                VaeRun.csv(table, VaeRun.rows(table, count, model.seed.seed(), temperature)).write(file);
            }
            return model.wrote(file);
        }
        return model.draw(out, "samples.png",
                (vae, grid) -> grid.draw(vae.sample(count, model.seed.seed().fold("samples"), temperature)));
    }

    @Command(name = "reconstruct", footer = "  mdnf vae reconstruct runs/digits -n 20",
            description = "Show test digits over their reconstructions, each from a sampled code, as a PNG picture.")
    int reconstruct(@Mixin VaeModel model,
            @Option(names = {"-n", "--count"}, paramLabel = "N", defaultValue = "50", description = "How many")
            int count,
            @Option(names = "--out", paramLabel = "FILE.png", converter = FileToWrite.class,
                    description = "Where to; RUN/reconstructions.png by default.")
            Path out, @Mixin MnistOption mnist) throws IOException {
        UsageProblem.ifBelowOne("--count", count);
        if (model.isOfTable()) {
            throw new UsageProblem(model.folder + ": the run learned from a table; 'mdnf vae impute' fills its cells");
        }
        return model.draw(out, "reconstructions.png", (vae, grid) ->
                VaeRun.reconstructions(vae, grid,
                VaeImages.known(vae, model.images(mnist, false).test().images().first(count)), model.seed.seed()));
    }

    @Command(name = "codes", footer = "  mdnf vae codes runs/digits --out codes.csv",
            description = {"Write the most probable code of every image, with its label, or of every row, as CSV.",
                "Images are numbered from 0; rows as in their file, where the first names the columns."})
    int codes(@Mixin VaeModel model,
            @Option(names = "--out", paramLabel = "FILE.csv", required = true, converter = FileToWrite.class,
                    description = "Where to.")
            Path out, @Mixin VaeImages images) throws IOException {
        images.check();
        try (TrainedVae vae = model.open()) {
            boolean table = vae.schema().isPresent();
            if (!table) {
                images.refuseTable();
            }
            LabelledImages labelled = table ? null : images.load(model, false);
            int[][] codes = vae.codes(table ? images.rows(vae.schema().get()) : images.of(vae, labelled),
                    model.seed.seed());
            CsvTable csv = new CsvTable(Stream.concat(table ? Stream.of("row") : Stream.of("image", "label"), IntStream
                    .rangeClosed(1, vae.settings().latents()).mapToObj(d -> "z" + d)).toArray(String[]::new));
            for (int i = 0; i < codes.length; i++) {
                // rows of a file count from 1, and its first names the columns
                csv.row(Stream.concat(table ? Stream.of(i + 2) : Stream.of(i, labelled.labels()[i]),
                        Arrays.stream(codes[i]).boxed()).toArray());
            }
            csv.write(out);
        }
        return model.wrote(out);
    }

    @Command(name = "impute", footer = "  mdnf vae impute runs/table --csv table.csv --out full.csv", description = {
        "Fill the missing cells of a table: the mode of words and of 0 and 1, the mean of numbers and counts, given "
            + "the known cells of the row.",
        "All else stays as it is, columns that the run did not learn too."})
    int impute(@Mixin VaeModel model,
            @Option(names = "--csv", paramLabel = "FILE.csv", required = true, description = "The table.") Path csv,
            @Option(names = "--out", paramLabel = "FILE.csv", required = true, converter = FileToWrite.class,
                    description = "Where to.") Path out,
            @Option(names = "--codes", paramLabel = "S", defaultValue = "100",
                    description = "Codes drawn for every row from q, and as many from the prior, whose answers are "
                            + "averaged by their weights")
            int codes, @Mixin QuietOption quiet) throws IOException {
        UsageProblem.ifBelowOne("--codes", codes);
        if (!model.isOfTable()) {
            throw new UsageProblem(model.folder + ": the run learned from images, not from a table");
        }
        CsvFile file = VaeTable.read(csv);
        try (TrainedVae vae = model.open()) {
            TableVae table = new TableVae(vae);
            TableRows rows = UsageProblem.ifRefused(() -> TableRows.of(table.schema(), file));
            double[][] filled;
            try (Progress progress = quiet.progress("impute", rows.count(), "rows")) {
                filled = table.filled(rows, codes, model.seed.seed(), done -> progress.at(done, Double.NaN));
            }
            List<String> header = file.rows().get(0);
            CsvTable result = new CsvTable(header.toArray(String[]::new));
            for (int r = 0; r < filled.length; r++) {
                String[] cells = file.rows().get(r + 1).toArray(String[]::new);
                for (int c = 0; c < filled[r].length; c++) {
                    Column column = table.schema().columns().get(c);
                    int at = header.indexOf(column.name());
                    cells[at] = Double.isNaN(rows.cell(r, c)) ? column.text(filled[r][c]) : cells[at];
                }
                result.row((Object[]) cells);
            }
            result.write(out);
        }
        return model.wrote(out);
    }
}
