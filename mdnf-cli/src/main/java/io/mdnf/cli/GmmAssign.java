package io.mdnf.cli;

import io.mdnf.report.CsvTable;
import io.mdnf.gmm.GaussianMixtureData;
import io.mdnf.gmm.GaussianMixtureModel;
import io.mdnf.gmm.Responsibilities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Cluster, responsibilities and predictive density of every row of a table under a fitted mixture. */
@Command(name = "assign", description = "Cluster, responsibilities and predictive log density of new rows, as CSV.%n")
final class GmmAssign implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "MODEL.json", description = "Written by 'mdnf gmm fit --out DIR'.")
    private Path model;

    @Parameters(index = "1", paramLabel = "DATA.csv", description = "Rows with the model's columns; plain or gzip.")
    private String data;

    @Option(names = "--ignore", paramLabel = "COLUMN", description = "A column to leave out, by name or number; "
            + "repeatable.")
    private Set<String> ignored = Set.of();

    @Mixin
    private JsonOption json;

    /** What is known of one row, for {@code --json}. */
    record Row(int cluster, double logDensity, double[] responsibilities) { }

    @Override
    public Integer call() throws IOException {
        if (!Files.isRegularFile(model)) {
            throw new UsageProblem("no such file: " + model);
        }
        GaussianMixtureModel fitted = load();
        GaussianMixtureData rows = GmmData.read(data, 0, ignored);
        if (rows.dimension() != fitted.columns().size()) {
            throw new UsageProblem(data + " has " + rows.dimension() + " columns; " + model + " was fitted to "
                    + fitted.columns().size() + ": " + String.join(", ", fitted.columns()));
        }
        Responsibilities r = fitted.posterior().responsibilities(rows);
        double[] densities = fitted.posterior().predictiveLogDensity(rows);
        json.answer(() -> {
            double[][] table = r.toArray();
            int[] clusters = r.assignment();
            return Map.of("rows", IntStream.range(0, densities.length)
                    .mapToObj(n -> new Row(clusters[n] + 1, densities[n], table[n])).toList());
        }, out -> out.print(table(r, densities)));
        return 0;
    }

    private GaussianMixtureModel load() throws IOException {
        try {
            return GaussianMixtureModel.load(model);
        } catch (IOException e) {
            throw new UsageProblem(e.getMessage(), e);
        }
    }

    /** Row, cluster from 1, log density and responsibilities. */
    static CsvTable table(Responsibilities r, double[] densities) {
        String[] header = new String[3 + r.clusters()];
        header[0] = "row";
        header[1] = "cluster";
        header[2] = "log density";
        for (int k = 0; k < r.clusters(); k++) {
            header[3 + k] = "r" + (k + 1);
        }
        CsvTable table = new CsvTable(header);
        int[] clusters = r.assignment();
        for (int n = 0; n < densities.length; n++) {
            Object[] cells = new Object[header.length];
            cells[0] = n + 1;
            cells[1] = clusters[n] + 1;
            cells[2] = densities[n];
            for (int k = 0; k < r.clusters(); k++) {
                cells[3 + k] = r.get(n, k);
            }
            table.row(cells);
        }
        return table;
    }
}
