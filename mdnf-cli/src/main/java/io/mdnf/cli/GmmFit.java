package io.mdnf.cli;

import io.mdnf.cli.plot.Axis;
import io.mdnf.cli.plot.LinePlot;
import io.mdnf.cli.plot.Reference;
import io.mdnf.cli.plot.Series;
import io.mdnf.cli.report.Block;
import io.mdnf.cli.report.CsvTable;
import io.mdnf.cli.report.HtmlReport;
import io.mdnf.cli.report.Progress;
import io.mdnf.cli.report.Report;
import io.mdnf.cli.report.ReportSection;
import io.mdnf.gmm.BayesianGaussianMixture;
import io.mdnf.gmm.ClosedFormEm;
import io.mdnf.gmm.EmState;
import io.mdnf.gmm.FlowEm;
import io.mdnf.gmm.FlowSettings;
import io.mdnf.gmm.GaussianMixtureData;
import io.mdnf.gmm.GaussianMixtureModel;
import io.mdnf.gmm.MixtureStart;
import io.mdnf.gmm.StopRule;
import io.mdnf.random.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Fits a Bayesian Gaussian mixture by variational EM, its E-step in closed form or by flows. */
@Command(name = "fit", description = "Fit a Bayesian Gaussian mixture to a table of numbers.%n")
public final class GmmFit implements Callable<Integer> {

    /** Who does the E-step. */
    enum Algorithm {
        VIF("vif"), BVIF("bvif"), CLOSED_FORM("closed-form");

        private final String word;

        Algorithm(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    /** Where EM begins. */
    enum Start {
        RANDOM("random", MixtureStart.RANDOM_POINTS), K_MEANS("k-means", MixtureStart.K_MEANS);

        private final String word;
        private final MixtureStart start;

        Start(String word, MixtureStart start) {
            this.word = word;
            this.start = start;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    @Parameters(paramLabel = "DATA.csv", description = "Comma-separated numbers, with or without a header, plain or "
            + "gzip; "
            + "or 'artificial', the paper's simulated data.")
    private String data;

    @Option(names = "--clusters", paramLabel = "K", required = true, description = "Number of clusters.")
    private int clusters;

    @Option(names = "--components", paramLabel = "B", defaultValue = "40",
            description = "Flows in the E-step's mixture: ${DEFAULT-VALUE} by default.")
    private int components;

    @Option(names = "--algorithm", paramLabel = "vif|bvif|closed-form", defaultValue = "vif",
            description = "Who does the E-step: ${DEFAULT-VALUE} by default.")
    private Algorithm algorithm;

    @Option(names = "--start", paramLabel = "k-means|random", defaultValue = "k-means",
            description = "Where EM begins: ${DEFAULT-VALUE} by default.")
    private Start start;

    @Option(names = "--starts", paramLabel = "N", defaultValue = "1",
            description = "Starts of which the one with the highest ELBO is kept: ${DEFAULT-VALUE} by default.")
    private int starts;

    @Option(names = "--steps", paramLabel = "N", defaultValue = "200",
            description = "EM steps at most: ${DEFAULT-VALUE} by default.")
    private int steps;

    @Option(names = "--published", description = "Fit the flows as the paper did: S = 100, no exact refinement. Slow.")
    private boolean published;

    @Option(names = "--ignore", paramLabel = "COLUMN", description = "A column to leave out, by name or number; "
            + "repeatable.")
    private Set<String> ignored = Set.of();

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Seed: ${DEFAULT-VALUE} by default.")
    private long seed;

    @Option(names = "--data-seed", paramLabel = "N", defaultValue = "0",
            description = "Seed of the data set 'artificial': ${DEFAULT-VALUE} by default.")
    private long dataSeed;

    @Option(names = "--out", paramLabel = "DIR", description = "Where to write model.json, responsibilities.csv, "
            + "metrics.csv and report.html.")
    private Path out;

    @Option(names = "--quiet", description = "Show no progress.")
    private boolean quiet;

    @CommandLine.Mixin
    private JsonOption json;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** Creates the command; picocli does. */
    public GmmFit() { }

    /** One cluster of the answer. */
    record Cluster(double weight, double points, double[] mean) { }

    /** The answer, for {@code --json}. */
    record Answer(String data, int rows, List<String> columns, List<String> constantColumns, String algorithm,
            Integer components, long seed, double elbo, double closedFormElbo, int steps, double seconds,
            List<Cluster> clusters, String out) { }

    private record Fit(EmState state, double closedForm, List<Double> trace) { }

    @Override
    public Integer call() throws IOException {
        atLeastOne("--clusters", clusters);
        atLeastOne("--components", components);
        atLeastOne("--starts", starts);
        atLeastOne("--steps", steps);
        GaussianMixtureData points = GmmData.read(data, dataSeed, ignored);
        if (points.size() < clusters) {
            throw new UsageProblem("--clusters " + clusters + ": " + data + " has only " + points.size() + " rows");
        }
        BayesianGaussianMixture mixture = BayesianGaussianMixture.standard(points, clusters);
        if (algorithm != Algorithm.CLOSED_FORM) {
            Nd4jStart.now();
        }
        long began = System.nanoTime();
        Fit best = null;
        try (Progress progress = Progress.start("gmm fit", (long) starts * steps, quiet || json.given(), System.err)) {
            for (int i = 0; i < starts; i++) {
                Fit fit = fit(mixture, i, progress);
                best = best == null || fit.state().elbo() > best.state().elbo() ? fit : best;
            }
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        if (out != null) {
            write(mixture, best);
        }
        Answer answer = answer(mixture, best, seconds);
        if (json.given()) {
            json.print(spec.commandLine().getOut(), answer);
        } else {
            print(answer);
        }
        return 0;
    }

    private static void atLeastOne(String option, int value) {
        if (value < 1) {
            throw new UsageProblem(option + " " + value + ": at least 1 is needed");
        }
    }

    private Fit fit(BayesianGaussianMixture mixture, int number, Progress progress) {
        StopRule stop = new StopRule(1e-7, Math.min(10, steps), steps);
        EmState from = start.start.of(mixture, new SplittableRandom(seed + 1_000_003L * number));
        List<Double> trace = new ArrayList<>();
        ClosedFormEm closedForm = new ClosedFormEm(mixture, start.start, stop);
        if (algorithm == Algorithm.CLOSED_FORM) {
            EmState end = closedForm.fit(from, state -> seen(state, number, trace, progress));
            return new Fit(end, end.elbo(), trace);
        }
        FlowSettings.Method method = algorithm == Algorithm.VIF ? FlowSettings.Method.VIF : FlowSettings.Method.BVIF;
        FlowSettings settings = published ? FlowSettings.published(method, components)
                : FlowSettings.standard(method, components);
        try (FlowEm em = new FlowEm(mixture, settings, stop, Seed.of(seed).fold(number))) {
            EmState end = em.fit(from, state -> seen(state.em(), number, trace, progress));
            return new Fit(end, closedForm.fit(from, state -> { }).elbo(), trace);
        }
    }

    private void seen(EmState state, int number, List<Double> trace, Progress progress) {
        trace.add(state.elbo());
        progress.at((long) number * steps + state.step(), state.elbo());
    }

    private Answer answer(BayesianGaussianMixture mixture, Fit fit, double seconds) {
        double[] weights = fit.state().posterior().weights();
        double[] counts = fit.state().responsibilities().counts();
        List<Cluster> all = new ArrayList<>();
        for (int k = 0; k < clusters; k++) {
            all.add(new Cluster(weights[k], counts[k], fit.state().posterior().components().get(k).mean()));
        }
        return new Answer(data, mixture.data().size(), mixture.data().columns(), mixture.data().constantColumns(),
                algorithm.toString(), algorithm == Algorithm.CLOSED_FORM ? null : components, seed, fit.state().elbo(),
                fit.closedForm(), fit.state().step(), seconds, all, out == null ? null : out.toString());
    }

    private void print(Answer answer) {
        var writer = spec.commandLine().getOut();
        writer.printf(Locale.ROOT, "ELBO %.3f nats after %d steps (%s%s, %.1f s)%n", answer.elbo(), answer.steps(),
                answer.algorithm(), answer.components() == null ? "" : ", B = " + answer.components(),
                        answer.seconds());
        if (algorithm != Algorithm.CLOSED_FORM) {
            writer.printf(Locale.ROOT, "closed form from the same start: %.3f, difference %.3f%n",
                    answer.closedFormElbo(), answer.closedFormElbo() - answer.elbo());
        }
        for (int k = 0; k < answer.clusters().size(); k++) {
            Cluster cluster = answer.clusters().get(k);
            StringBuilder mean = new StringBuilder();
            for (double m : cluster.mean()) {
                mean.append(String.format(Locale.ROOT, " %.3f", m));
            }
            writer.printf(Locale.ROOT, "cluster %d: weight %.3f, %.1f points, mean%s%n", k + 1, cluster.weight(),
                    cluster.points(), mean);
        }
        if (!answer.constantColumns().isEmpty()) {
            writer.println("columns that never vary: " + String.join(", ", answer.constantColumns()));
        }
        if (out != null) {
            writer.println("written to " + out);
        }
        writer.flush();
    }

    private void write(BayesianGaussianMixture mixture, Fit fit) throws IOException {
        Files.createDirectories(out);
        GaussianMixtureModel.of(mixture, fit.state()).save(out.resolve("model.json"));
        GmmAssign.table(fit.state().responsibilities(), fit.state().posterior().predictiveLogDensity(mixture.data()))
                .write(out.resolve("responsibilities.csv"));
        CsvTable metrics = new CsvTable("step", "elbo");
        double[] x = new double[fit.trace().size() - 1];
        double[] y = new double[x.length];
        for (int i = 0; i < fit.trace().size(); i++) {
            metrics.row(i, fit.trace().get(i));
            if (i > 0) {
                // the start's own bound is far below and would flatten the curve
                x[i - 1] = i;
                y[i - 1] = fit.trace().get(i);
            }
        }
        metrics.write(out.resolve("metrics.csv"));
        LinePlot plot = new LinePlot("ELBO over EM steps", "The ELBO rises to " + fit.state().elbo() + " nats.",
                Axis.linear("EM step", ""), Axis.linear("ELBO", "nats"),
                List.of(Series.line(algorithm.toString(), x, y)),
                algorithm == Algorithm.CLOSED_FORM ? List.of()
                        : List.of(Reference.across("closed form, same start", fit.closedForm())));
        HtmlReport.write(out.resolve("report.html"), new Report("Gaussian mixture",
                data + ", " + clusters + " clusters, " + algorithm + ", seed " + seed + ".",
                List.of(ReportSection.of("gmm-fit", "Fit").with(new Block.Figure("elbo", plot, "")))));
    }
}
