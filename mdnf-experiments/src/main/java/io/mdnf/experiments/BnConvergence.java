package io.mdnf.experiments;

import io.mdnf.plot.Quartiles;
import io.mdnf.bn.GumbelFit;
import io.mdnf.bn.GumbelSettings;
import io.mdnf.bn.GumbelState;
import io.mdnf.bn.GumbelTemperatures;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.VariableElimination;
import io.mdnf.plot.Axis;
import io.mdnf.plot.LinePlot;
import io.mdnf.plot.Reference;
import io.mdnf.plot.Series;
import io.mdnf.report.Block;
import io.mdnf.report.CsvTable;
import io.mdnf.report.Finding;
import io.mdnf.report.Progress;
import io.mdnf.report.ReportSection;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.random.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** What each method improves while it trains, and what becomes of the bound meanwhile. */
final class BnConvergence implements Experiment {

    private static final List<PaperCases> CASES = List.of(PaperCases.SACHS_LOW, PaperCases.EARTHQUAKE_TRUE);
    private static final double TAU = 1;
    private static final double PRIOR_TAU = 1;
    private static final double MDNF_TAU = 10;
    private static final int DRAWS = 4;
    /** What the authors' notebook prints at the end of Gumbel's run on the second case: its objective, and KL. */
    private static final double NOTEBOOK_OBJECTIVE = -2.985;
    private static final double NOTEBOOK_KL = 1.407;

    /** One fit: the internal objective and the true bound at each evaluation. */
    private record Curve(PaperCases test, GridMethod method, int seed, double[] internal, double[] bound) {

        double highest() {
            return Arrays.stream(bound).max().orElseThrow();
        }
    }

    @Override
    public String name() {
        return "bn-convergence";
    }

    @Override
    public String paper() {
        return "Fig. 1: internal objective against the true one";
    }

    @Override
    public double minutes(Scale scale) {
        return scale == Scale.QUICK ? 0.1 : 3;
    }

    @Override
    public ReportSection run(Workplace workplace) throws IOException {
        return report(workplace, workplace.pick(2000, 10_000), workplace.pick(3, 10), 50);
    }

    ReportSection report(Workplace workplace, int iterations, int seeds, int points) throws IOException {
        List<Callable<Curve>> fits = new ArrayList<>();
        for (PaperCases test : CASES) {
            NetworkTarget target = test.target();
            for (GridMethod method : GridMethod.values()) {
                for (int s = 0; s < seeds; s++) {
                    int number = s;
                    Seed seed = workplace.seed().fold("convergence").fold(test.id()).fold(s);
                    fits.add(() -> method == GridMethod.MDNF ? mdnf(test, target, number, seed, iterations, points)
                            : gumbel(test, target, method, number, seed, iterations, points));
                }
            }
        }
        List<Curve> curves;
        try (Progress progress = workplace.progress("convergence", fits.size())) {
            curves = FitPool.run(fits, progress);
        }
        double every = iterations / points;
        double[] steps = IntStream.rangeClosed(0, points).mapToDouble(i -> i * every).toArray();
        write(workplace, curves, steps);
        ReportSection section = ReportSection.of(name(), "Internal objective and true bound")
                .with(new Block.Paragraph("Gumbel-Softmax maximises the objective of a relaxed model. Its discretised"
                        + " posterior, the product of softmax(logits), has an exact bound at every iteration; whether"
                        + " that rises too is a matter of luck. MDNF maximises the bound itself. Lines are medians"
                        + " over "
                        + seeds
                        + " seeds, bands reach from the lower to the upper quartile."))
                .with(table(curves));
        for (PaperCases test : CASES) {
            section = section.with(new Block.Figure("internal-" + test.id(),
                            internal(test, curves, steps, List.of(GridMethod.GUMBEL, GridMethod.MDNF)),
                            "The objectives have arbitrary constants, so gains since the first iteration are shown."))
                    .with(new Block.Figure("internal-st-" + test.id(),
                            internal(test, curves, steps, List.of(GridMethod.ST_GUMBEL)),
                            "Straight-through codes are scored where a relaxed density does not exist: the gradient"
                                    + " there is not that of the objective, which falls while it is being maximised."))
                    .with(new Block.Figure("bound-" + test.id(), bound(test, curves, steps),
                            "Exact ELBO of the discretised posteriors. MDNF: one start, no restarts, τ = 10."));
        }
        return findings(section, curves);
    }

    /** Where the bound ends on Earthquake, and what Gumbel's objective says of it. */
    private static ReportSection findings(ReportSection section, List<Curve> curves) {
        PaperCases test = PaperCases.EARTHQUAKE_TRUE;
        double logEvidence = VariableElimination.logEvidence(test.evidence());
        String limit = GridReport.number(logEvidence - test.bestProductKl());
        String elbo = "ELBO at the end, " + test.title() + ", ";
        return section.with(new Finding(elbo + GridMethod.MDNF.title() + " (nats, ↑)",
                        GridReport.number(end(curves, test, GridMethod.MDNF, Curve::bound)), Finding.NONE, limit))
                .with(new Finding(elbo + GridMethod.GUMBEL.title() + " (nats, ↑)",
                        GridReport.number(end(curves, test, GridMethod.GUMBEL, Curve::bound)),
                        notebook(logEvidence - NOTEBOOK_KL), limit))
                .with(new Finding("Gumbel's own objective there; limit: the log evidence (nats)",
                        GridReport.number(end(curves, test, GridMethod.GUMBEL, Curve::internal)),
                        notebook(NOTEBOOK_OBJECTIVE), GridReport.number(logEvidence)));
    }

    private static String notebook(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    /** The median over seeds of a curve's last value. */
    private static double end(List<Curve> curves, PaperCases test, GridMethod method,
            Function<Curve, double[]> values) {
        return median(curves.stream().filter(c -> c.test == test && c.method == method).map(values)
                .mapToDouble(all -> all[all.length - 1]));
    }

    private static Curve gumbel(PaperCases test, NetworkTarget target, GridMethod method, int number, Seed seed,
            int iterations, int points) {
        double[] internal = new double[points + 1];
        double[] bound = new double[points + 1];
        GumbelSettings settings = GumbelSettings.published(method == GridMethod.ST_GUMBEL);
        try (GumbelFit fit = new GumbelFit(target, settings, List.of(GumbelTemperatures.constant(TAU, PRIOR_TAU)))) {
            GumbelState state = fit.init(seed);
            for (int i = 0; i <= points; i++) {
                internal[i] = fit.objective(state, DRAWS)[0];
                bound[i] = fit.figures(state, 0).elbo();
                if (i < points) {
                    state = fit.advance(state, iterations / points);
                }
            }
        }
        return new Curve(test, method, number, internal, bound);
    }

    private static Curve mdnf(PaperCases test, NetworkTarget target, int number, Seed seed, int iterations,
            int points) {
        double[] bound = new double[points + 1];
        int every = iterations / points;
        new FactorisedStarts(100, 1, iterations, 0).fit(target, TemperatureSchedule.constant(MDNF_TAU), seed, every,
                (step, now) -> bound[(int) (step / every)] = now[0].elbo());
        return new Curve(test, GridMethod.MDNF, number, bound, bound);
    }

    private static void write(Workplace workplace, List<Curve> curves, double[] steps) throws IOException {
        CsvTable csv = new CsvTable("case", "method", "seed", "iteration", "internal", "elbo");
        for (Curve curve : curves) {
            for (int i = 0; i < steps.length; i++) {
                csv.row(curve.test.id(), curve.method.id(), curve.seed, (long) steps[i], curve.internal[i],
                        curve.bound[i]);
            }
        }
        csv.write(workplace.folder().resolve("convergence.csv"));
    }

    private static double[][] rows(List<Curve> curves, PaperCases test, GridMethod method, boolean internal) {
        return curves.stream().filter(c -> c.test == test && c.method == method).map(c -> internal
                ? Arrays.stream(c.internal).map(v -> v - c.internal[0]).toArray() : c.bound).toArray(double[][]::new);
    }

    private static LinePlot internal(PaperCases test, List<Curve> curves, double[] steps,
            List<GridMethod> methods) {
        List<Series> series = new ArrayList<>();
        for (GridMethod method : methods) {
            series.add(Series.overSeeds(method.title(), steps, rows(curves, test, method, true)));
        }
        return new LinePlot("What is maximised: " + test.title(),
                "Gain of each method's own objective over iterations.",
                Axis.linear("iteration", ""), Axis.linear("internal objective, gain since the start", "nats"), series,
                List.of());
    }

    private static LinePlot bound(PaperCases test, List<Curve> curves, double[] steps) {
        List<Series> series = new ArrayList<>();
        for (GridMethod method : GridMethod.values()) {
            series.add(Series.overSeeds(method.title(), steps, rows(curves, test, method, false)));
        }
        double logEvidence = VariableElimination.logEvidence(test.evidence());
        return new LinePlot("What it does to the bound: " + test.title(),
                "Exact ELBO of each method's posterior over iterations.", Axis.linear("iteration", ""),
                Axis.linear("ELBO", "nats"), series, List.of(Reference.across("log evidence", logEvidence),
                        Reference.across("best product", logEvidence - test.bestProductKl())));
    }

    /** Where the bound ends, and how much of it training lost again. */
    private static Block.Table table(List<Curve> curves) {
        Block.Table table = Block.Table.of("ELBO in nats, medians over seeds", Block.Column.text("case"),
                Block.Column.text("method"), Block.Column.number("highest on the way"),
                Block.Column.number("at the end").emphasised(), Block.Column.number("best product"),
                Block.Column.number("log evidence"), Block.Column.number("internal objective at the end"));
        for (PaperCases test : CASES) {
            double logEvidence = VariableElimination.logEvidence(test.evidence());
            for (GridMethod method : GridMethod.values()) {
                List<Curve> own = curves.stream().filter(c -> c.test == test && c.method == method).toList();
                table = table.row(test.title(), method.title(),
                        GridReport.number(median(own.stream().mapToDouble(Curve::highest))),
                        GridReport.number(end(curves, test, method, Curve::bound)),
                        GridReport.number(logEvidence - test.bestProductKl()),
                        GridReport.number(logEvidence),
                        GridReport.number(end(curves, test, method, Curve::internal)));
            }
        }
        return table.footnote("Gumbel: τ = τₚ = 1, as in the published run. MDNF: one start, B = 100, τ = 10.")
                .footnote("The authors' notebook ends Gumbel's run on " + PaperCases.EARTHQUAKE_TRUE.title()
                        + " with an objective of " + notebook(NOTEBOOK_OBJECTIVE) + " and, from samples, a KL of "
                        + notebook(NOTEBOOK_KL) + ".");
    }

    private static double median(DoubleStream values) {
        return Quartiles.of(values.toArray()).median();
    }
}
