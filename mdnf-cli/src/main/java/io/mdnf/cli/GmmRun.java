package io.mdnf.cli;

import io.mdnf.file.CsvFile;
import io.mdnf.gmm.EmState;
import io.mdnf.gmm.GaussianMixtureModel;
import io.mdnf.plot.Axis;
import io.mdnf.plot.LinePlot;
import io.mdnf.plot.Reference;
import io.mdnf.plot.Series;
import io.mdnf.report.Block;
import io.mdnf.report.Decimals;
import io.mdnf.report.ReportSection;
import io.mdnf.training.MetricsCsv;
import io.mdnf.training.Run;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The folder of one {@code gmm fit}: {@code manifest.json}, {@code metrics.csv}, {@code checkpoints/},
 * {@code model.json}, {@code responsibilities.csv} and {@code report.html}.
 *
 * @param folder with the manifest
 */
record GmmRun(RunFolder folder) {
    private static final int SAVE_EVERY = 5;
    private static final String METRICS = "metrics.csv";

    <S> void saving(Run<S> run) throws IOException {
        run.checkpoints(folder.resolve("checkpoints"), SAVE_EVERY).listener(new MetricsCsv(folder.resolve(METRICS)));
    }

    void finish(GmmFitted fitted) throws IOException {
        EmState em = fitted.best().em();
        GaussianMixtureModel.of(fitted.mixture(), em).save(folder.resolve("model.json"));
        Gmm.Row.csv(Gmm.Row.of(em.responsibilities(), em.posterior().predictiveLogDensity(fitted.mixture().data())),
                fitted.mixture().clusters()).write(folder.resolve("responsibilities.csv"));
        folder.report("Gaussian mixture", fitted.data() + ", " + fitted.mixture().clusters() + " clusters, "
                + fitted.algorithm() + ", seed " + fitted.seed() + ".", section(fitted));
    }

    private ReportSection section(GmmFitted fitted) throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("ELBO, nats", number(fitted.best().em().elbo()));
        if (fitted.components().isPresent()) {
            facts.put("closed form from the same start, nats", number(fitted.closedForm()));
            facts.put("below the closed form, nats", number(fitted.closedForm() - fitted.best().em().elbo()));
        }
        facts.put("EM steps", fitted.best().em().step());
        facts.put("rows", fitted.mixture().data().size());
        facts.put("columns", String.join(", ", fitted.mixture().data().columns()));
        List<GmmFitted.Cluster> clusters = fitted.clusters();
        return ReportSection.of("gmm-fit", "Fit").with(Block.Facts.of("", facts),
                Block.Table.numbers("Clusters", "cluster", List.of("weight", "points", "mean"))
                        .rows(clusters, cluster -> List.of(Integer.toString(1 + clusters.indexOf(cluster)),
                                number(cluster.weight()), Decimals.fixed(cluster.points(), 1),
                                Arrays.stream(cluster.mean()).mapToObj(GmmRun::number)
                                        .collect(Collectors.joining(", ")))),
                new Block.Figure("elbo", plot(fitted), ""));
    }

    private static String number(double value) {
        return Decimals.fixed(value, 3);
    }

    /** The best start's steps, as the metrics have them, also when the run was resumed. */
    private LinePlot plot(GmmFitted fitted) throws IOException {
        int steps = fitted.best().em().step();
        double[] x = new double[steps];
        double[] y = new double[steps];
        CsvFile.read(folder.resolve(METRICS)).rows().stream().skip(1).forEach(row -> {
            long step = Long.parseLong(row.get(0)) - fitted.best().before();
            if (step >= 1 && step <= steps) {
                x[(int) step - 1] = step;
                y[(int) step - 1] = Double.parseDouble(row.get(2));
            }
        });
        return new LinePlot("ELBO over EM steps", "The ELBO rises to " + number(fitted.best().em().elbo()) + " nats.",
                Axis.linear("EM step", ""), Axis.linear("ELBO", "nats"), List.of(Series.line(fitted.algorithm(), x, y)),
                fitted.components().isEmpty() ? List.of()
                        : List.of(Reference.across("closed form, same start", fitted.closedForm())));
    }
}
