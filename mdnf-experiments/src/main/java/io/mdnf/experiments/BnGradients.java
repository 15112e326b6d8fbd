package io.mdnf.experiments;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.VariableElimination;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.evaluation.KlLimits;
import io.mdnf.inference.AnnealedSettings;
import io.mdnf.inference.AnnealedVif;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Weighting;
import io.mdnf.objective.Bound;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BoxPlot;
import io.mdnf.plot.Reference;
import io.mdnf.random.Seed;
import io.mdnf.report.Block;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.FunctionTarget;
import io.mdnf.target.TargetModel;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The paper's table of eight cases by gradients alone: last iterates, without searches, restarts or solved weights. */
final class BnGradients {

    private static final int COMPONENTS = 100;
    private static final int TAU = 10;
    /** Of the autoregressive posterior: each costs several of the atoms'. */
    private static final int CONDITIONAL_STEPS = 1000;
    private static final double LOWEST = 1e-4;
    /** Nats; the posterior of one case is a product but for 2e-8. */
    private static final double SAME = 1e-6;

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
    private static final List<Item<Way>> ANNEALED = List.of(annealed(1), ATOMS, annealed(100));
    private static final Item<Way> BLACK_BOX = new Item<>("black-box", "the same, a black box", (target, steps) ->
            annealed(new FunctionTarget(target.space(), x -> target.logJoint(new int[][] {x})[0]), TAU, steps));
    private static final Item<Way> CONDITIONALS = new Item<>("autoregressive", "autoregressive", (target, steps) -> {
        Mixture mixture = Mixture.autoregressive(target.space(), COMPONENTS, target.order());
        return new Vif(target, mixture, VifSettings.forMixture(mixture, Math.min(steps, CONDITIONAL_STEPS)));
    });
    private static final List<Item<Way>> METHODS = List.of(PUBLISHED, ANNEALED.get(0), ATOMS, ANNEALED.get(2),
            BLACK_BOX, CONDITIONALS);

    /** A target beyond the table, its log evidence, and the least KL of equal atoms. */
    private record Beyond(String id, String title, FactorTarget target, double logEvidence, double limit)
            implements Named {

        static Beyond field(TernaryField kind, int seed) {
            String word = kind.name().toLowerCase(Locale.ROOT);
            FactorTarget target = kind.draw(seed);
            KlLimits limits = TernaryField.limits(target);
            return new Beyond("field-" + word + "-" + seed, "random field, " + word + ", " + seed, target,
                    limits.logEvidence(), limits.equalAtoms(COMPONENTS).kl());
        }

        static Beyond hepar() {
            Evidence evidence = Evidence.parse(BuiltInNetworks.open("hepar2"), "carcinoma=present");
            return new Beyond("hepar2", "Hepar II, carcinoma=present", new NetworkTarget(evidence),
                    VariableElimination.logEvidence(evidence),
                    BnAlgorithms.limit(evidence, COMPONENTS, Weighting.EQUAL));
        }

        /** Fields, and 69 variables. */
        static List<Beyond> all() {
            return Stream.of(IntStream.range(0, 6).mapToObj(seed -> field(TernaryField.FULL, seed)),
                    IntStream.range(0, 2).mapToObj(seed -> field(TernaryField.GRID, seed)), Stream.of(hepar()))
                    .flatMap(targets -> targets).toList();
        }
    }

    private BnGradients() {}

    private static Item<Way> annealed(int tau) {
        return new Item<>("annealed-" + tau, "annealed differences, τ=" + tau,
                (target, steps) -> annealed(target, tau, steps));
    }

    private static AnnealedVif annealed(TargetModel target, int tau, int steps) {
        Mixture mixture = Mixture.atoms(target.space(), COMPONENTS);
        AnnealedSettings usual = AnnealedSettings.forMixture(mixture, steps);
        return new AnnealedVif(target, mixture, usual.withTraining(
                usual.training().withTemperature(TemperatureSchedule.constant(tau))));
    }

    static ReportSection run(Workplace workplace) throws IOException {
        int repeats = workplace.pick(1, 5);
        int steps = workplace.pick(2000, 4000);
        ReportSection section = run(workplace, PaperCases.all(), repeats, steps);
        Results<Beyond, Item<Way>, Trained> results = Study.of(Beyond.all(), List.of(ATOMS), repeats)
                .run(workplace, "bn-gradients-beyond", Trained.class, trial -> train(trial.test().target(),
                        trial.test().logEvidence(), annealed(trial.test().target(), TAU, steps),
                        KlFit.seed(workplace, trial.seed())));
        return section.with(table(results));
    }

    static ReportSection run(Workplace workplace, List<PaperCases> cases, int repeats, int steps) throws IOException {
        Results<PaperCases, Item<Way>, Trained> results = Study.of(cases, METHODS, repeats)
                .run(workplace, "bn-gradients", Trained.class, trial -> {
                    NetworkTarget target = trial.test().target();
                    return train(target, VariableElimination.logEvidence(target.evidence()),
                            trial.method().value().task(target, steps), KlFit.seed(workplace, trial.seed()));
                });
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
                                + " Bars mark what no set of equal atoms can pass. What is below 0.0001 is drawn"
                                + " there."))
                .with(new Finding("Sum of KL over " + cases.size() + " cases by gradients alone, " + COMPONENTS
                                + " equal atoms (nats, ↓)", fixed(results.sum(ATOMS, Trained::last), 4),
                        fixed(cases.stream().mapToDouble(test -> test.strong().mdnf()).sum(), 2),
                        fixed(Arrays.stream(limits).sum(), 4)));
    }

    private static Trained train(TargetModel target, double logEvidence, TrainingTask<FlowMixture> task, Seed seed) {
        long start = System.nanoTime();
        try (var training = new GradientTraining<>(task)) {
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
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < results.cases().size(); i++) {
            PaperCases test = results.cases().get(i);
            rows.add(row(results, test.title(), test.strong().mdnf(),
                    method -> results.median(test, method, Trained::last), limits[i], products[i]));
        }
        rows.add(row(results, "sum", results.cases().stream().mapToDouble(test -> test.strong().mdnf()).sum(),
                method -> results.sum(method, Trained::last), Arrays.stream(limits).sum(),
                Arrays.stream(products).sum()));
        double[] sums = ANNEALED.stream().mapToDouble(method -> results.sum(method, Trained::last)).toArray();
        double spread = Arrays.stream(sums).max().orElseThrow() / Arrays.stream(sums).min().orElseThrow() - 1;
        long below = IntStream.range(0, products.length).filter(i ->
                results.median(results.cases().get(i), CONDITIONALS, Trained::last) < products[i] + SAME).count();
        return Block.Table.of("KL(q || p) in nats, medians of last iterates", columns.toArray(Block.Column[]::new))
                .rows(rows, row -> row)
                .footnote("published gradient: the target linearised as in the paper, which never settles.")
                .footnote("annealed differences: true differences in the place of the linearisation, see decision 17;"
                        + " their sums differ by " + fixed(100 * spread, 1) + " % over τ."
                        + " A black box is only evaluated.")
                .footnote("limit of atoms, best product: the least KL of " + COMPONENTS
                        + " equal atoms and of any product, by enumeration; the autoregressive posterior is below the"
                        + " best product, or within " + SAME + " of it, in " + below + " of " + products.length
                        + " cases.")
                .footnote("The best iterate of any training is better than the last by at most "
                        + fixed(drift(results, ANNEALED), 4) + " nats for annealed differences, "
                        + fixed(drift(results, List.of(CONDITIONALS)), 4) + " for the autoregressive posterior.");
    }

    private static List<String> row(Results<PaperCases, Item<Way>, Trained> results, String title, double paper,
            ToDoubleFunction<Item<Way>> kl, double limit, double product) {
        List<String> row = new ArrayList<>(List.of(title, fixed(paper, 2)));
        results.methods().forEach(method -> row.add(fixed(kl.applyAsDouble(method), 4)));
        row.add(fixed(limit, 4));
        row.add(fixed(product, 4));
        return row;
    }

    /** How much better the best iterate was than the last, at most. */
    private static double drift(Results<PaperCases, Item<Way>, Trained> results, List<Item<Way>> methods) {
        return results.all().entrySet().stream().filter(e -> methods.contains(e.getKey().method()))
                .mapToDouble(e -> e.getValue().last() - e.getValue().best()).max().orElseThrow();
    }

    /** Targets without a published figure. */
    private static Block.Table table(Results<Beyond, Item<Way>, Trained> results) {
        return Block.Table.numbers("Beyond the table: KL(q || p) in nats of last iterates, " + ATOMS.title(), "target",
                List.of("median", "largest of seeds", "limit of atoms", "above it", "percent", "seconds"))
                .rows(results.cases(), test -> {
                    double kl = results.median(test, ATOMS, Trained::last);
                    return List.of(test.title(), fixed(kl, 4),
                            fixed(Arrays.stream(results.values(test, ATOMS, Trained::last)).max().orElseThrow(), 4),
                            fixed(test.limit(), 4), fixed(kl - test.limit(), 4),
                            fixed(100 * (kl / test.limit() - 1), 1),
                            fixed(results.median(test, ATOMS, Trained::seconds), 1));
                })
                .footnote("Fields: twelve ternary variables, weights from N(0, 1) for all pairs or for neighbours on a"
                        + " grid of 3 x 4, by NumPy's RandomState of the seed.");
    }

    private static BoxPlot plot(Results<PaperCases, Item<Way>, Trained> results, double[] limits) {
        return new BoxPlot("Divergence by gradients alone", "Box plots of KL(q || p) of last iterates for each case "
                + "and method, with the exact limit of equal atoms", "case", results.caseTitles(),
                Axis.log("KL(q || p)", "nats"), results.boxes(results.methods(), fit -> Math.max(fit.last(), LOWEST)),
                List.of(Reference.perGroup("limit of " + COMPONENTS + " equal atoms",
                        Arrays.stream(limits).map(value -> Math.max(value, LOWEST)).toArray())));
    }
}
