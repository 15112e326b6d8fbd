package io.mdnf.experiments;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.bn.FactorisedVif;
import io.mdnf.bn.GumbelFit;
import io.mdnf.bn.GumbelSettings;
import io.mdnf.bn.GumbelTemperatures;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.VariableElimination;
import io.mdnf.plot.Axis;
import io.mdnf.plot.LinePlot;
import io.mdnf.plot.Reference;
import io.mdnf.plot.Series;
import io.mdnf.random.Seed;
import io.mdnf.report.Block;
import io.mdnf.report.CsvTable;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.training.TrainingState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** What each method improves while it trains, and what becomes of the bound meanwhile. */
final class BnConvergence {

    private static final List<PaperCases> CASES = List.of(PaperCases.SACHS_LOW, PaperCases.EARTHQUAKE_TRUE);
    private static final double TAU = 1;
    private static final double PRIOR_TAU = 1;
    private static final double MDNF_TAU = 10;
    private static final int MDNF_FLOWS = 100;
    private static final int DRAWS = 4;
    /** What the authors' notebook prints at the end of Gumbel's run on the second case: its objective, and KL. */
    private static final double NOTEBOOK_OBJECTIVE = -2.985;
    private static final double NOTEBOOK_KL = 1.407;

    /** One fit: the internal objective and the true bound at each evaluation. */
    record Curve(double[] internal, double[] bound) {

        double highest() {
            return Arrays.stream(bound).max().orElseThrow();
        }

        double lastInternal() {
            return internal[internal.length - 1];
        }

        double lastBound() {
            return bound[bound.length - 1];
        }

        double[] gain() {
            return Arrays.stream(internal).map(v -> v - internal[0]).toArray();
        }
    }

    private BnConvergence() {}

    static ReportSection run(Workplace workplace) throws IOException {
        return run(workplace, workplace.pick(2000, 10_000), workplace.pick(3, 10), 50);
    }

    static ReportSection run(Workplace workplace, int iterations, int seeds, int points) throws IOException {
        Results<PaperCases, GridMethod, Curve> curves = Study.of(CASES, List.of(GridMethod.values()), seeds)
                .run(workplace, "convergence", Curve.class, trial -> {
                    Seed seed = workplace.seed().fold("convergence").fold(trial.test().id()).fold(trial.seed());
                    return trial.method() == GridMethod.MDNF ? mdnf(trial.test().target(), seed, iterations, points)
                            : gumbel(trial.test().target(), trial.method(), seed, iterations, points);
                });
        double every = iterations / points;
        double[] steps = IntStream.rangeClosed(0, points).mapToDouble(i -> i * every).toArray();
        CsvTable csv = new CsvTable("case", "method", "seed", "iteration", "internal", "elbo");
        curves.all().forEach((trial, curve) -> IntStream.range(0, steps.length).forEach(i -> csv.row(trial.test().id(),
                trial.method().id(), trial.seed(), (long) steps[i], curve.internal[i], curve.bound[i])));
        csv.write(workplace.file("convergence.csv"));
        return ReportSection.of("bn-convergence", "Internal objective and true bound")
                .with(new Block.Paragraph("Gumbel-Softmax maximises the objective of a relaxed model. Its discretised"
                        + " posterior, the product of softmax(logits), has an exact bound at every iteration; whether"
                        + " that rises too is a matter of luck. What MDNF maximises is the bound but for a floor"
                        + " of 0.01 / B in the entropy's logarithm, which its gradient needs; the loss is that times"
                        + " τ B, which is divided out here. Its expectation is summed in closed form, where Gumbel"
                        + " has 100 samples; it has one start, no polish rounds and no warm-up. Lines are medians"
                        + " over " + seeds + " seeds, bands reach from the lower to the upper quartile."),
                        table(curves))
                .withAll(CASES.stream().flatMap(test -> figures(test, curves, steps).stream()).toList())
                .found(findings(curves));
    }

    private static List<Block> figures(PaperCases test, Results<PaperCases, GridMethod, Curve> curves,
            double[] steps) {
        double logEvidence = VariableElimination.logEvidence(test.evidence());
        return List.of(
                new Block.Figure("internal-" + test.id(),
                        internal(test, curves, steps, GridMethod.GUMBEL, GridMethod.MDNF),
                        "The objectives have arbitrary constants, so gains since the first iteration are shown."),
                new Block.Figure("internal-st-" + test.id(), internal(test, curves, steps, GridMethod.ST_GUMBEL),
                        "Straight-through codes are scored where a relaxed density does not exist: the gradient"
                                + " there is not that of the objective, which falls while it is being maximised."),
                new Block.Figure("bound-" + test.id(), new LinePlot("What it does to the bound: " + test.title(),
                        "Exact ELBO of each method's posterior over iterations.", Axis.linear("iteration", ""),
                        Axis.linear("ELBO", "nats"), series(test, curves, steps, Curve::bound, GridMethod.values()),
                        List.of(Reference.across("log evidence", logEvidence),
                                Reference.across("best product", logEvidence - test.bestProductKl()))),
                        "Exact ELBO of the discretised posteriors. MDNF: one start, τ = 10."));
    }

    private static LinePlot internal(PaperCases test, Results<PaperCases, GridMethod, Curve> curves, double[] steps,
            GridMethod... methods) {
        return new LinePlot("What is maximised: " + test.title(),
                "Gain of each method's own objective over iterations.", Axis.linear("iteration", ""),
                Axis.linear("internal objective, gain since the start", "nats"),
                series(test, curves, steps, Curve::gain, methods), List.of());
    }

    private static List<Series> series(PaperCases test, Results<PaperCases, GridMethod, Curve> curves, double[] steps,
            Function<Curve, double[]> values, GridMethod... methods) {
        return Arrays.stream(methods).map(method -> Series.overSeeds(method.title(), steps,
                curves.of(test, method).stream().map(values).toArray(double[][]::new))).toList();
    }

    /** Where the bound ends on Earthquake, and what Gumbel's objective says of it. */
    private static List<Finding> findings(Results<PaperCases, GridMethod, Curve> curves) {
        PaperCases test = PaperCases.EARTHQUAKE_TRUE;
        double logEvidence = VariableElimination.logEvidence(test.evidence());
        String limit = fixed(logEvidence - test.bestProductKl(), 4);
        String elbo = "ELBO at the end, " + test.title() + ", ";
        return List.of(new Finding(elbo + GridMethod.MDNF.title() + " (nats, ↑)",
                        fixed(curves.median(test, GridMethod.MDNF, Curve::lastBound), 4), Finding.NONE, limit),
                new Finding(elbo + GridMethod.GUMBEL.title() + " (nats, ↑)",
                        fixed(curves.median(test, GridMethod.GUMBEL, Curve::lastBound), 4),
                        fixed(logEvidence - NOTEBOOK_KL, 3), limit),
                new Finding("Gumbel's own objective there; limit: the log evidence (nats)",
                        fixed(curves.median(test, GridMethod.GUMBEL, Curve::lastInternal), 4),
                        fixed(NOTEBOOK_OBJECTIVE, 3), fixed(logEvidence, 4)));
    }

    private static Curve gumbel(NetworkTarget target, GridMethod method, Seed seed, int iterations, int points) {
        double[] internal = new double[points + 1];
        double[] bound = new double[points + 1];
        GumbelSettings settings = GumbelSettings.published(method == GridMethod.ST_GUMBEL);
        GumbelFit fit = new GumbelFit(target, settings, List.of(GumbelTemperatures.constant(TAU, PRIOR_TAU)));
        try (var training = new GradientTraining<>(fit)) {
            TrainingState state = training.init(seed);
            for (int i = 0; i <= points; i++) {
                internal[i] = fit.objective(state, DRAWS)[0];
                bound[i] = fit.figures(state, 0).elbo();
                if (i < points) {
                    state = training.advance(state, iterations / points);
                }
            }
        }
        return new Curve(internal, bound);
    }

    private static Curve mdnf(NetworkTarget target, Seed seed, int iterations, int points) {
        double[] internal = new double[points + 1];
        double[] bound = new double[points + 1];
        int every = iterations / points;
        try (FactorisedVif vif = new FactorisedVif(target, MDNF_FLOWS,
                List.of(TemperatureSchedule.constant(MDNF_TAU)))) {
            double[][] start = {vif.start(seed.fold("start").fold(0))};
            vif.run(start, iterations, every, false, (step, now) -> {
                internal[(int) (step / every)] = vif.objectives()[0];
                bound[(int) (step / every)] = now[0].elbo();
            });
        }
        return new Curve(internal, bound);
    }

    /** Where the bound ends, and how much of it training lost again. */
    private static Block.Table table(Results<PaperCases, GridMethod, Curve> curves) {
        List<List<String>> rows = new ArrayList<>();
        for (PaperCases test : CASES) {
            double logEvidence = VariableElimination.logEvidence(test.evidence());
            for (GridMethod method : GridMethod.values()) {
                rows.add(List.of(test.title(), method.title(), fixed(curves.median(test, method, Curve::highest), 4),
                        fixed(curves.median(test, method, Curve::lastBound), 4),
                        fixed(logEvidence - test.bestProductKl(), 4), fixed(logEvidence, 4),
                        fixed(curves.median(test, method, Curve::lastInternal), 4)));
            }
        }
        return Block.Table.of("ELBO in nats, medians over seeds", Block.Column.text("case"),
                Block.Column.text("method"), Block.Column.number("highest on the way"),
                Block.Column.number("at the end").emphasised(), Block.Column.number("best product"),
                Block.Column.number("log evidence"), Block.Column.number("internal objective at the end"))
                .rows(rows, row -> row)
                .footnote("Gumbel: τ = τₚ = 1, as in the published run. MDNF: one start, B = 100, τ = 10.")
                .footnote("The authors' notebook ends Gumbel's run on " + PaperCases.EARTHQUAKE_TRUE.title()
                        + " with an objective of " + fixed(NOTEBOOK_OBJECTIVE, 3) + " and, from samples, a KL of "
                        + fixed(NOTEBOOK_KL, 3) + ".");
    }
}
