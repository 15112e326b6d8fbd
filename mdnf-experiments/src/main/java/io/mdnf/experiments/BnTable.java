package io.mdnf.experiments;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.evaluation.KlLimits;
import io.mdnf.fit.Plan;
import io.mdnf.mixture.Weighting;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BoxPlot;
import io.mdnf.plot.Reference;
import io.mdnf.report.Block;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The paper's table of eight cases: KL(q || p) of every family, beside the published values and the exact limits. */
final class BnTable {

    /** The smallest divergence the plot tells from 0. */
    private static final double LOWEST = 1e-4;
    private static final int EQUAL = 100;
    private static final int FREE = 40;
    private static final int FLOWS = 200;
    private static final int RESTARTS = 32;

    /** What the paper's column is. */
    private static final Item<Plan> EQUAL_ATOMS = new Item<>("equal-atoms",
            "joint, equal weights, B=" + EQUAL, Plan.joint().withComponents(EQUAL));
    private static final Item<Plan> FREE_ATOMS = new Item<>("free-atoms", "joint, free weights, B=" + FREE,
            Plan.joint().withComponents(FREE).by(Plan.Training.BVIF, Weighting.FREE));
    /** What the paper says its column is. */
    private static final Item<Plan> FACTORISED = new Item<>("factorised", "factorised, B=" + EQUAL,
            Plan.factorised().withComponents(EQUAL));
    /** What no number of atoms limits; without number flows would be the posterior, and the table say nothing. */
    private static final Item<Plan> AUTOREGRESSIVE = new Item<>("autoregressive", "autoregressive, B=" + FLOWS,
            Plan.autoregressive().withComponents(FLOWS));
    private static final List<Item<Plan>> METHODS = List.of(EQUAL_ATOMS, FREE_ATOMS, FACTORISED, AUTOREGRESSIVE);

    private BnTable() {}

    static ReportSection run(Workplace workplace) throws IOException {
        return run(workplace, PaperCases.all(), workplace.pick(1, 5));
    }

    static ReportSection run(Workplace workplace, List<PaperCases> cases, int repeats) throws IOException {
        Results<PaperCases, Item<Plan>, KlFit> results = Study.of(cases, METHODS, repeats)
                .run(workplace, "bn-table", KlFit.class, trial -> KlFit.of(trial.test().target(),
                        trial.method().value(), KlFit.seed(workplace, trial.seed())));
        results.write(workplace.file("fits.csv"), List.of("case", "family", "seed", "elbo", "kl", "seconds"),
                (trial, fit) -> List.of(trial.test().id(), trial.method().title(), trial.seed(), fit.elbo(), fit.kl(),
                        fit.seconds()));
        List<KlLimits> limits = cases.stream().map(PaperCases::limits).toList();
        double[] equal = limits.stream().mapToDouble(limit -> limit.equalAtoms(EQUAL).kl()).toArray();
        double[] free = limits.stream().mapToDouble(limit -> limit.freeAtoms(FREE).kl()).toArray();
        double[] product = limits.stream().mapToDouble(limit -> limit
                .products(RESTARTS, workplace.seed().fold("limit")).get(0).kl()).toArray();
        return ReportSection.of("bn-table", "Eight cases of four networks")
                .with(new Block.Paragraph("Every figure is log p(D) minus a bound summed exactly after fitting. All "
                                + "cases use the same defaults."),
                        table(results, equal, free, product),
                        new Block.Figure("kl", plot(results, equal, product), "Each point is one fit. Bars mark what no"
                                + " fit of the family can pass. What is below 0.0001 is drawn there."))
                .with(sum(results, EQUAL_ATOMS, EQUAL + " equal atoms",
                                fixed(cases.stream().mapToDouble(test -> test.strong().mdnf()).sum(), 2), equal),
                        sum(results, FACTORISED, "factorised", Finding.NONE, product),
                        sum(results, AUTOREGRESSIVE, "autoregressive", Finding.NONE, 0));
    }

    private static Block.Table table(Results<PaperCases, Item<Plan>, KlFit> results, double[] equal, double[] free,
            double[] product) {
        Block.Table table = Block.Table.of("KL(q || p) in nats, medians", Block.Column.text("case"),
                Block.Column.number("paper, weak"), Block.Column.number("paper, strong"),
                Block.Column.number(EQUAL + " equal atoms").emphasised(), Block.Column.number("limit"),
                Block.Column.number(FREE + " free atoms").emphasised(), Block.Column.number("limit"),
                Block.Column.number("factorised").emphasised(), Block.Column.number("limit"),
                Block.Column.number("autoregressive").emphasised());
        double[][] limits = {equal, free, product};
        for (int i = 0; i < results.cases().size(); i++) {
            PaperCases test = results.cases().get(i);
            List<String> row = new ArrayList<>(List.of(test.title(), fixed(test.weak().mdnf(), 2),
                    fixed(test.strong().mdnf(), 2)));
            for (int m = 0; m < METHODS.size(); m++) {
                row.add(fixed(results.median(test, METHODS.get(m), KlFit::kl), 4));
                if (m < limits.length) {
                    row.add(fixed(limits[m][i], 4));
                }
            }
            table = table.row(row.toArray(String[]::new));
        }
        double slowest = results.all().values().stream().mapToDouble(KlFit::seconds).max().orElse(0);
        return table.footnote("paper: its MDNF column, with the weak and with the strong oracle. Called factorised"
                + " there, it is a joint mixture of equal atoms.")
                .footnote("atoms: a joint mixture of deltas, with equal or with free weights.")
                .footnote("limit: the least KL of the family, by enumeration; of autoregressive flows without"
                        + " number it is 0, and so are they.")
                .footnote("The slowest fit took " + fixed(slowest, 1) + " s.");
    }

    private static Finding sum(Results<PaperCases, Item<Plan>, KlFit> results, Item<Plan> method, String family,
            String paper, double... limits) {
        return new Finding("Sum of KL over " + results.cases().size() + " cases, " + family + " (nats, ↓)",
                fixed(results.sum(method, KlFit::kl), 4), paper, fixed(Arrays.stream(limits).sum(), 4));
    }

    /** On a logarithmic axis a KL of 0 has no place: what is smaller is drawn at the lowest that is told apart. */
    private static BoxPlot plot(Results<PaperCases, Item<Plan>, KlFit> results, double[] equal, double[] product) {
        return new BoxPlot("Divergence from the posterior", "Box plots of KL(q || p) for each case and family, with "
                + "the exact limits of equal atoms and of products", "case", results.caseTitles(),
                Axis.log("KL(q || p)", "nats"), results.boxes(results.methods(), fit -> Math.max(fit.kl(), LOWEST)),
                List.of(Reference.perGroup("limit of " + EQUAL + " equal atoms", visible(equal)),
                        Reference.perGroup("limit of products", visible(product))));
    }

    private static double[] visible(double[] kl) {
        return Arrays.stream(kl).map(value -> Math.max(value, LOWEST)).toArray();
    }
}
