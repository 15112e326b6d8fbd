package io.mdnf.experiments;

import com.fasterxml.jackson.core.type.TypeReference;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BoxPlot;
import io.mdnf.plot.Quartiles;
import io.mdnf.plot.Reference;
import io.mdnf.report.Block;
import io.mdnf.report.CsvTable;
import io.mdnf.report.Finding;
import io.mdnf.report.Progress;
import io.mdnf.report.ReportSection;
import io.mdnf.evaluation.KlLimits;
import io.mdnf.fit.Family;
import io.mdnf.fit.Fit;
import io.mdnf.fit.FitOptions;
import io.mdnf.fit.Fitter;
import io.mdnf.mixture.Weighting;
import io.mdnf.random.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** The paper's table of eight cases: KL(q || p) of every family, beside the published values and the exact limits. */
final class BnTable implements Experiment {

    /** The smallest divergence the plot tells from 0. */
    private static final double LOWEST = 1e-4;
    private static final int EQUAL = 100;
    private static final int FREE = 40;
    private static final int RESTARTS = 32;

    /** What is fitted: the same settings for all cases. */
    enum Column {
        /** What the paper's column is. */
        EQUAL_ATOMS("joint, equal weights, B=" + EQUAL, FitOptions.standard(Family.JOINT).withComponents(EQUAL)),
        /** Boosting. */
        FREE_ATOMS("joint, free weights, B=" + FREE, FitOptions.standard(Family.JOINT).withComponents(FREE)
                .withMethod(FitOptions.Method.BVIF, Weighting.FREE)),
        /** What the paper says its column is. */
        FACTORISED("factorised, B=" + EQUAL, FitOptions.standard(Family.FACTORISED).withComponents(EQUAL)),
        /** What no number of atoms limits. */
        AUTOREGRESSIVE("autoregressive", FitOptions.standard(Family.AUTOREGRESSIVE));

        private final String title;
        private final FitOptions options;

        Column(String title, FitOptions options) {
            this.title = title;
            this.options = options;
        }
    }

    private record Result(PaperCases test, Column column, int repeat, double elbo, double kl, double seconds) { }

    @Override
    public String name() {
        return "bn-table";
    }

    @Override
    public String paper() {
        return "Table of KL for eight cases, and exact limits";
    }

    @Override
    public double minutes(Scale scale) {
        return scale == Scale.QUICK ? 0.7 : 8;
    }

    @Override
    public ReportSection run(Workplace workplace) throws IOException {
        return run(workplace, PaperCases.all(), workplace.pick(1, 5));
    }

    ReportSection run(Workplace workplace, List<PaperCases> cases, int repeats) throws IOException {
        Map<PaperCases, KlLimits> limits = new EnumMap<>(PaperCases.class);
        cases.forEach(test -> limits.put(test, test.limits()));
        List<Callable<Result>> fits = new ArrayList<>();
        for (PaperCases test : cases) {
            for (int repeat = 0; repeat < repeats; repeat++) {
                for (Column column : Column.values()) {
                    int number = repeat;
                    fits.add(() -> fit(test, limits.get(test).logEvidence(), column, number, workplace.seed()));
                }
            }
        }
        List<Result> results;
        try (Progress progress = workplace.progress(name(), fits.size())) {
            results = FitPool.run(fits, progress, workplace.parts("fits", new TypeReference<>() { }));
        }
        CsvTable csv = new CsvTable("case", "family", "repeat", "elbo", "kl", "seconds");
        results.forEach(r -> csv.row(r.test().id(), r.column().title, r.repeat(), r.elbo(), r.kl(), r.seconds()));
        csv.write(workplace.folder().resolve("fits.csv"));
        return report(cases, limits, results, workplace.seed());
    }

    private static Result fit(PaperCases test, double logEvidence, Column column, int repeat, Seed seed)
            throws IOException {
        NetworkTarget target = test.target();
        Fit fit = new Fitter(target, target.order()).fit(column.options, repeat == 0 ? seed : seed.fold(repeat));
        fit.distribution().close();
        return new Result(test, column, repeat, fit.bound().value(), logEvidence - fit.bound().value(), fit.seconds());
    }

    private ReportSection report(List<PaperCases> cases, Map<PaperCases, KlLimits> limits, List<Result> results,
            Seed seed) {
        double[] equal = cases.stream().mapToDouble(test -> limits.get(test).equalAtoms(EQUAL).kl()).toArray();
        double[] free = cases.stream().mapToDouble(test -> limits.get(test).freeAtoms(FREE).kl()).toArray();
        double[] product = cases.stream()
                .mapToDouble(test -> limits.get(test).meanField(RESTARTS, seed.fold("limit")).optima().get(0).kl())
                .toArray();
        Block.Table table = Block.Table.of("KL(q || p) in nats, medians", Block.Column.text("case"),
                Block.Column.number("paper, weak"), Block.Column.number("paper, strong"),
                Block.Column.number(EQUAL + " equal atoms").emphasised(), Block.Column.number("limit"),
                Block.Column.number(FREE + " free atoms").emphasised(), Block.Column.number("limit"),
                Block.Column.number("factorised").emphasised(), Block.Column.number("limit"),
                Block.Column.number("autoregressive").emphasised());
        for (int i = 0; i < cases.size(); i++) {
            PaperCases test = cases.get(i);
            table = table.row(test.title(), paper(test.weak().mdnf()), paper(test.strong().mdnf()),
                    number(median(results, test, Column.EQUAL_ATOMS)), number(equal[i]),
                    number(median(results, test, Column.FREE_ATOMS)), number(free[i]),
                    number(median(results, test, Column.FACTORISED)), number(product[i]),
                    number(median(results, test, Column.AUTOREGRESSIVE)));
        }
        double slowest = results.stream().mapToDouble(Result::seconds).max().orElse(0);
        table = table.footnote("paper: its MDNF column, with the weak and with the strong oracle. Called factorised"
                + " there, it is a joint mixture of equal atoms.")
                .footnote("atoms: a joint mixture of deltas, with equal or with free weights.")
                .footnote("limit: the least KL of the family, by enumeration; for autoregressive it is 0.")
                .footnote(String.format(Locale.ROOT, "The slowest fit took %.1f s.", slowest));
        return ReportSection.of(name(), "Eight cases of four networks")
                .with(new Block.Paragraph("Every figure is log p(D) minus a bound summed exactly after fitting. All "
                        + "cases use the same defaults."))
                .with(table)
                .with(new Block.Figure("kl", plot(cases, results, equal, product),
                        "Each point is one fit. Bars mark what no fit of the family can pass. What is below 0.0001 is"
                                + " drawn there."))
                .with(sum(cases, results, Column.EQUAL_ATOMS, EQUAL + " equal atoms",
                        paper(cases.stream().mapToDouble(test -> test.strong().mdnf()).sum()), equal))
                .with(sum(cases, results, Column.FACTORISED, "factorised", Finding.NONE, product))
                .with(sum(cases, results, Column.AUTOREGRESSIVE, "autoregressive", Finding.NONE, 0));
    }

    private static Finding sum(List<PaperCases> cases, List<Result> results, Column column, String family,
            String paper, double... limits) {
        return new Finding("Sum of KL over " + cases.size() + " cases, " + family + " (nats, ↓)",
                number(cases.stream().mapToDouble(test -> median(results, test, column)).sum()), paper,
                number(Arrays.stream(limits).sum()));
    }

    private static BoxPlot plot(List<PaperCases> cases, List<Result> results, double[] equal, double[] product) {
        List<BoxPlot.Samples> samples = new ArrayList<>();
        for (Column column : Column.values()) {
            samples.add(BoxPlot.Samples.of(column.title,
                    cases.stream().map(test -> visible(values(results, test, column))).toArray(double[][]::new)));
        }
        return new BoxPlot("Divergence from the posterior", "Box plots of KL(q || p) for each case and family, with "
                + "the exact limits of equal atoms and of products", "case",
                cases.stream().map(PaperCases::title).toList(),
                Axis.log("KL(q || p)", "nats"), samples,
                List.of(Reference.perGroup("limit of " + EQUAL + " equal atoms", visible(equal)),
                        Reference.perGroup("limit of products", visible(product))));
    }

    /** On a logarithmic axis a KL of 0 has no place: what is smaller is drawn at the lowest that is told apart. */
    private static double[] visible(double[] kl) {
        return Arrays.stream(kl).map(value -> Math.max(value, LOWEST)).toArray();
    }

    private static double[] values(List<Result> results, PaperCases test, Column column) {
        return results.stream().filter(r -> r.test() == test && r.column() == column).mapToDouble(Result::kl).toArray();
    }

    private static double median(List<Result> results, PaperCases test, Column column) {
        return Quartiles.of(values(results, test, column)).median();
    }

    static String number(double kl) {
        return Double.isInfinite(kl) ? "infinity" : String.format(Locale.ROOT, "%.4f", Math.abs(kl) < 5e-5 ? 0 : kl);
    }

    private static String paper(double kl) {
        return String.format(Locale.ROOT, "%.2f", kl);
    }
}
