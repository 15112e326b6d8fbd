package io.mdnf.cli;

import io.mdnf.file.CsvFile;
import io.mdnf.gmm.EmState;
import io.mdnf.gmm.GaussWishart;
import io.mdnf.gmm.GaussianMixtureData;
import io.mdnf.gmm.GaussianMixtureModel;
import io.mdnf.plot.Axis;
import io.mdnf.plot.LinePlot;
import io.mdnf.plot.Reference;
import io.mdnf.plot.ScatterPlot;
import io.mdnf.plot.Series;
import io.mdnf.report.Block;
import io.mdnf.report.Decimals;
import io.mdnf.report.ReportSection;
import io.mdnf.training.MetricsCsv;
import io.mdnf.training.Run;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The folder of one {@code gmm fit}: {@code manifest.json}, {@code metrics.csv}, {@code checkpoints/},
 * {@code model.json}, {@code responsibilities.csv} and {@code report.html}.
 */
record GmmRun(RunFolder folder) {
    /** EM steps: what a kill costs at most. */
    private static final int SAVE_EVERY = 5;
    /** Of the polygon that stands for an ellipse. */
    private static final int CORNERS = 60;
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
                new Block.Figure("elbo", plot(fitted), ""))
                .withAll(fitted.mixture().data().dimension() == 2 ? List.of(new Block.Figure("clusters",
                        scatter(fitted.mixture().data(), fitted.best().em()), "Every point in its most probable"
                        + " cluster; outlines two standard deviations from the expected means.")) : List.of());
    }

    /** The points of two columns by cluster, with the expected Gaussians. */
    static ScatterPlot scatter(GaussianMixtureData data, EmState em) {
        int[] assignment = em.responsibilities().assignment();
        List<ScatterPlot.Cloud> clouds = new ArrayList<>();
        for (int k = 0; k < em.responsibilities().clusters(); k++) {
            int cluster = k;
            clouds.add(ScatterPlot.Cloud.of("cluster " + (k + 1), IntStream.range(0, data.size())
                    .filter(n -> assignment[n] == cluster).mapToObj(data::row).toArray(double[][]::new),
                    outline(em.posterior().components().get(k))));
        }
        return new ScatterPlot("Points by cluster", "The rows of the table in the plane, coloured by cluster.",
                Axis.linear(data.columns().get(0), ""), Axis.linear(data.columns().get(1), ""), clouds);
    }

    /** mean + 2 L (cos, sin) with L L^T the covariance whose inverse is expected. */
    private static double[][] outline(GaussWishart cluster) {
        double[][] inverse = cluster.inverseScale();
        double first = Math.sqrt(inverse[0][0] / cluster.nu());
        double both = inverse[0][1] / cluster.nu() / first;
        double second = Math.sqrt(inverse[1][1] / cluster.nu() - both * both);
        double[] mean = cluster.mean();
        return IntStream.range(0, CORNERS).mapToDouble(i -> 2 * Math.PI * i / CORNERS).mapToObj(angle -> new double[] {
            mean[0] + 2 * first * Math.cos(angle),
            mean[1] + 2 * (both * Math.cos(angle) + second * Math.sin(angle))}).toArray(double[][]::new);
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
