package io.mdnf.cli;

import io.mdnf.file.CsvFile;
import io.mdnf.gmm.EmState;
import io.mdnf.gmm.GaussianMixtureModel;
import io.mdnf.plot.Axis;
import io.mdnf.plot.LinePlot;
import io.mdnf.plot.Reference;
import io.mdnf.plot.Series;
import io.mdnf.report.Block;
import io.mdnf.report.HtmlReport;
import io.mdnf.report.Report;
import io.mdnf.report.ReportSection;
import io.mdnf.training.MetricsCsv;
import io.mdnf.training.Run;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
        GmmAssign.table(em.responsibilities(), em.posterior().predictiveLogDensity(fitted.mixture().data()))
                .write(folder.resolve("responsibilities.csv"));
        HtmlReport.write(folder.resolve("report.html"), report(fitted));
    }

    private Report report(GmmFitted fitted) throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("ELBO, nats", number(fitted.best().em().elbo()));
        if (fitted.components().isPresent()) {
            facts.put("closed form from the same start, nats", number(fitted.closedForm()));
            facts.put("below the closed form, nats", number(fitted.closedForm() - fitted.best().em().elbo()));
        }
        facts.put("EM steps", fitted.best().em().step());
        facts.put("rows", fitted.mixture().data().size());
        facts.put("columns", String.join(", ", fitted.mixture().data().columns()));
        Block.Table clusters = Block.Table.of("Clusters", Block.Column.text("cluster"), Block.Column.number("weight"),
                Block.Column.number("points"), Block.Column.number("mean"));
        int k = 1;
        for (GmmFitted.Cluster cluster : fitted.clusters()) {
            StringBuilder mean = new StringBuilder();
            for (double m : cluster.mean()) {
                mean.append(mean.isEmpty() ? "" : ", ").append(String.format(Locale.ROOT, "%.3f", m));
            }
            clusters = clusters.row(Integer.toString(k++), String.format(Locale.ROOT, "%.3f", cluster.weight()),
                    String.format(Locale.ROOT, "%.1f", cluster.points()), mean.toString());
        }
        ReportSection section = ReportSection.of("gmm-fit", "Fit")
                .with(Block.Facts.of("", facts))
                .with(clusters)
                .with(new Block.Figure("elbo", plot(fitted), ""))
                .with(Block.Facts.of("How it was made", folder.manifest().configuration()));
        return new Report("Gaussian mixture", fitted.data() + ", " + fitted.mixture().clusters() + " clusters, "
                + fitted.algorithm() + ", seed " + fitted.seed() + ".", List.of(section));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
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
