package io.mdnf.cli;

import io.mdnf.gmm.GaussianMixtureData;
import io.mdnf.gmm.GaussianMixtureModel;
import io.mdnf.gmm.Responsibilities;
import io.mdnf.report.CsvTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Bayesian Gaussian mixtures: fit one to a table, or let a fitted one judge new rows. */
@Command(name = "gmm", description = "Fit Bayesian Gaussian mixtures and apply them.",
        footer = "  mdnf gmm fit artificial --clusters 3", subcommands = GmmFit.class)
final class Gmm extends CommandGroup {

    /** What is known of one row, for {@code --json}: cluster from 1, predictive log density, responsibilities. */
    record Row(int cluster, double logDensity, double[] responsibilities) {

        static List<Row> of(Responsibilities r, double[] densities) {
            double[][] table = r.toArray();
            int[] clusters = r.assignment();
            return IntStream.range(0, densities.length)
                    .mapToObj(n -> new Row(clusters[n] + 1, densities[n], table[n])).toList();
        }

        /** Row number from 1, cluster, log density and responsibilities. */
        static CsvTable csv(List<Row> rows, int clusters) {
            CsvTable csv = new CsvTable(Stream.concat(Stream.of("row", "cluster", "log density"),
                    IntStream.rangeClosed(1, clusters).mapToObj(k -> "r" + k)).toArray(String[]::new));
            for (int n = 0; n < rows.size(); n++) {
                Row row = rows.get(n);
                csv.row(Stream.concat(Stream.of(n + 1, row.cluster, row.logDensity),
                        Arrays.stream(row.responsibilities).boxed()).toArray());
            }
            return csv;
        }
    }

    @Command(name = "assign", footer = "  mdnf gmm assign runs/gmm/model.json rows.csv",
            description = "Cluster, responsibilities and predictive log density of new rows, as CSV.")
    int assign(
            @Parameters(index = "0", paramLabel = "MODEL.json", description = "Written by 'mdnf gmm fit --out DIR'.")
            Path model,
            @Parameters(index = "1", paramLabel = "DATA.csv",
                    description = "Rows with the model's columns; plain or gzip.")
            String data,
            @Option(names = "--ignore", paramLabel = "COLUMN",
                    description = "A column to leave out, by name or number; repeatable.")
            Set<String> ignored, @Mixin JsonOption json) throws IOException {
        if (!Files.isRegularFile(model)) {
            throw new UsageProblem("no such file: " + model);
        }
        GaussianMixtureModel fitted = load(model);
        GaussianMixtureData points = GmmData.read(data, 0, ignored == null ? Set.of() : ignored);
        if (points.dimension() != fitted.columns().size()) {
            throw new UsageProblem(data + " has " + points.dimension() + " columns; " + model + " was fitted to "
                    + fitted.columns().size() + ": " + String.join(", ", fitted.columns()));
        }
        Responsibilities r = fitted.posterior().responsibilities(points);
        List<Row> rows = Row.of(r, fitted.posterior().predictiveLogDensity(points));
        json.answer(() -> Map.of("rows", rows), out -> out.print(Row.csv(rows, r.clusters())));
        return 0;
    }

    private static GaussianMixtureModel load(Path model) throws IOException {
        try {
            return GaussianMixtureModel.load(model);
        } catch (IOException e) {
            throw new UsageProblem(e.getMessage(), e);
        }
    }
}
