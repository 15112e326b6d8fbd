package io.mdnf.experiments;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.bn.NetworkTarget;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.inference.AnnealedSettings;
import io.mdnf.inference.AnnealedVif;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Mixture;
import io.mdnf.objective.Bound;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BoxPlot;
import io.mdnf.plot.Reference;
import io.mdnf.random.Seed;
import io.mdnf.report.Block;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.space.LogSpace;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The paper's table of eight cases by gradients alone: last iterates, without searches, restarts or solved weights. */
final class BnGradients {

    private static final int COMPONENTS = 100;
    private static final int TAU = 10;
    /** Of the autoregressive posterior: each costs several of the atoms'. */
    private static final int CONDITIONAL_STEPS = 1000;
    private static final double LOWEST = 1e-4;

    /** How one posterior is trained, for a number of steps. */
    private interface Way {
        TrainingTask<FlowMixture> task(NetworkTarget target, int steps);
    }

    /**
     * One training.
     *
     * @param last KL of the last iterate
     * @param best KL of the best iterate that was evaluated
     */
    record Trained(double last, double best, double seconds) {}

    private static final Item<Way> PUBLISHED = new Item<>("published", "published gradient, τ=" + TAU,
            (target, steps) -> {
        Mixture mixture = Mixture.atoms(target.space(), COMPONENTS);
        VifSettings usual = VifSettings.forMixture(mixture, steps);
        return new Vif(target, mixture, usual.withTraining(
                usual.training().withTemperature(TemperatureSchedule.constant(TAU))));
    });
    private static final Item<Way> ATOMS = annealed(TAU);
    private static final Item<Way> CONDITIONALS = new Item<>("autoregressive", "autoregressive", (target, steps) -> {
        Mixture mixture = Mixture.autoregressive(target.space(), COMPONENTS, target.order());
        return new Vif(target, mixture, VifSettings.forMixture(mixture, Math.min(steps, CONDITIONAL_STEPS)));
    });
    private static final List<Item<Way>> METHODS =
            List.of(PUBLISHED, annealed(1), ATOMS, annealed(100), CONDITIONALS);

    private BnGradients() {}

    private static Item<Way> annealed(int tau) {
        return new Item<>("annealed-" + tau, "annealed differences, τ=" + tau, (target, steps) -> {
            Mixture mixture = Mixture.atoms(target.space(), COMPONENTS);
            AnnealedSettings usual = AnnealedSettings.forMixture(mixture, steps);
            return new AnnealedVif(target, mixture, usual.withTraining(
                    usual.training().withTemperature(TemperatureSchedule.constant(tau))));
        });
    }

    static ReportSection run(Workplace workplace) throws IOException {
        return run(workplace, PaperCases.all(), workplace.pick(1, 5), workplace.pick(2000, 4000));
    }

    static ReportSection run(Workplace workplace, List<PaperCases> cases, int repeats, int steps) throws IOException {
        Results<PaperCases, Item<Way>, Trained> results = Study.of(cases, METHODS, repeats)
                .run(workplace, "bn-gradients", Trained.class, trial -> train(trial.test().target(),
                        trial.method().value(), steps, KlFit.seed(workplace, trial.seed())));
        results.write(workplace.file("fits.csv"), List.of("case", "method", "seed", "lastKl", "bestKl", "seconds"),
                (trial, fit) -> List.of(trial.test().id(), trial.method().title(), trial.seed(), fit.last(),
                        fit.best(), fit.seconds()));
        double[] limits = cases.stream().mapToDouble(test -> test.limits().equalAtoms(COMPONENTS).kl()).toArray();
        double[] products = cases.stream().mapToDouble(PaperCases::bestProductKl).toArray();
        return ReportSection.of("bn-gradients", "Eight cases by gradients alone")
                .with(new Block.Paragraph("KL of the last iterate, summed exactly: no search, no restart, no best so "
                                + "far. B = " + COMPONENTS + ", " + steps + " steps, at most "
                                + CONDITIONAL_STEPS + " for the autoregressive posterior; the same settings for all."),
                        table(results, limits, products),
                        new Block.Figure("kl", plot(results, limits), "Each point is the last iterate of one training."
                                + " Bars mark what no set of equal atoms can pass. What is below 0.0001 is drawn there."))
                .with(new Finding("Sum of KL over " + cases.size() + " cases by gradients alone, " + COMPONENTS
                                + " equal atoms (nats, ↓)", fixed(results.sum(ATOMS, Trained::last), 4),
                        fixed(cases.stream().mapToDouble(test -> test.strong().mdnf()).sum(), 2),
                        fixed(Arrays.stream(limits).sum(), 4)));
    }

    private static Trained train(NetworkTarget target, Way way, int steps, Seed seed) {
        double logEvidence = LogSpace.sumExp(target.logJoint(target.space().all()));
        long start = System.nanoTime();
        try (var training = new GradientTraining<>(way.task(target, steps))) {
            TrainingState end = training.finish(training.init(seed));
            double seconds = (System.nanoTime() - start) / 1e9;
            try (FlowMixture best = training.result(end);
                    FlowMixture last = new FlowMixture(best.mixture(), end.parameters())) {
                return new Trained(logEvidence - Bound.of(target, last, 2, seed).value(),
                        logEvidence - Bound.of(target, best, 2, seed).value(), seconds);
            }
        }
    }

    private static Block.Table table(Results<PaperCases, Item<Way>, Trained> results, double[] limits,
            double[] products) {
        List<Block.Column> columns = new ArrayList<>(List.of(Block.Column.text("case"), Block.Column.number("paper")));
        results.methods().forEach(method -> columns.add(method == ATOMS || method == CONDITIONALS
                ? Block.Column.number(method.title()).emphasised() : Block.Column.number(method.title())));
        columns.add(Block.Column.number("limit of atoms"));
        columns.add(Block.Column.number("best product"));
        Block.Table table = Block.Table.of("KL(q || p) in nats, medians of last iterates",
                columns.toArray(Block.Column[]::new));
        for (int i = 0; i < results.cases().size(); i++) {
            PaperCases test = results.cases().get(i);
            List<String> row = new ArrayList<>(List.of(test.title(), fixed(test.strong().mdnf(), 2)));
            results.methods().forEach(method -> row.add(fixed(results.median(test, method, Trained::last), 4)));
            row.add(fixed(limits[i], 4));
            row.add(fixed(products[i], 4));
            table = table.row(row.toArray(String[]::new));
        }
        double drift = results.all().entrySet().stream().filter(e -> e.getKey().method() != PUBLISHED)
                .mapToDouble(e -> e.getValue().last() - e.getValue().best()).max().orElse(0);
        return table.footnote("published gradient: the target linearised as in the paper, which never settles.")
                .footnote("annealed differences: true differences in the place of the linearisation, see decision 17.")
                .footnote("limit of atoms, best product: the least KL of " + COMPONENTS
                        + " equal atoms and of any product, by enumeration.")
                .footnote("But for the published gradient the best iterate is at most " + fixed(drift, 4)
                        + " nats better than the last.");
    }

    private static BoxPlot plot(Results<PaperCases, Item<Way>, Trained> results, double[] limits) {
        return new BoxPlot("Divergence by gradients alone", "Box plots of KL(q || p) of last iterates for each case and "
                + "method, with the exact limit of equal atoms", "case", results.caseTitles(),
                Axis.log("KL(q || p)", "nats"), results.boxes(results.methods(), fit -> Math.max(fit.last(), LOWEST)),
                List.of(Reference.perGroup("limit of " + COMPONENTS + " equal atoms",
                        Arrays.stream(limits).map(value -> Math.max(value, LOWEST)).toArray())));
    }
}
