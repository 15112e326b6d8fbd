package io.mdnf.cli;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.evaluation.KlLimits;
import io.mdnf.experiments.FitPool;
import io.mdnf.fit.Fit;
import io.mdnf.fit.Fitter;
import io.mdnf.fit.Plan;
import io.mdnf.mixture.Weighting;
import io.mdnf.random.Seed;
import io.mdnf.report.Block;
import io.mdnf.report.Block.Column;
import io.mdnf.report.Progress;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.RandomField;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.commons.statistics.descriptive.Quantile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code mdnf bench families}: on random pairwise Markov fields, how far every family's fit is from the best that
 * family can do.
 */
@Command(name = "families", footer = "  mdnf bench families --seeds 20 --only factorised", description = {
    "Shows how far every family's fit is from the exact optimum of its family, in nats.",
    "On random pairwise Markov fields: at most 6 variables of at most 4 categories, standard normal log-potentials."})
final class BenchFamilies implements Callable<Integer> {

    private interface Best {
        double elbo(KlLimits limits, List<KlLimits.Limit> products);
    }

    /** A family with a number of components, and its optimum. */
    private record Case(String family, int components, String against, Plan plan, List<Best> limits) { }

    @Option(names = "--seeds", paramLabel = "N", defaultValue = "100", description = "How many fields")
    private int seeds;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
            description = "The first field's seed, the others follow")
    private long seed;

    @Option(names = "--variables", paramLabel = "D", defaultValue = "6", description = "Most variables of a field")
    private int variables;

    @Option(names = "--categories", paramLabel = "K", defaultValue = "4", description = "Most categories of a variable")
    private int categories;

    @Option(names = "--only", paramLabel = "FAMILY",
            description = "One of equal-atoms, free-atoms, factorised, autoregressive; all by default.")
    private String only;

    @Option(names = "--threads", paramLabel = "N",
            description = "Fields fitted at a time: one per processor by default.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Mixin
    private QuietOption quiet;

    @Mixin
    private JsonOption json;

    /** One line of the table: gaps in nats from what {@code against} says; seconds of fitting summed over fields. */
    record Row(String family, int components, String against, double medianGap, double p95Gap, double maxGap,
            long worstSeed, double seconds) { }

    record Answer(int seeds, long firstSeed, List<Row> families, double seconds) { }

    /** A field's gaps, one per limit, and the time its fit took. */
    private record Outcome(double[] gaps, double seconds) { }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        List.of(8, 32).forEach(b -> cases.add(new Case("equal-atoms", b, "best atoms", Plan.joint().withComponents(b),
                List.of((limits, product) -> limits.equalAtoms(b).elbo()))));
        for (int b : new int[] {8, 32}) {
            cases.add(new Case("free-atoms", b, "best atoms",
                    Plan.joint().withComponents(b).by(Plan.Training.BVIF, Weighting.FREE),
                    List.of((limits, product) -> limits.freeAtoms(b).elbo())));
        }
        cases.add(new Case("factorised", 100, "best product of multiples of 1/B;mean field",
                Plan.factorised().withComponents(100), List.of((limits, product) ->
                        limits.gridProduct(100, product).elbo(), (limits, product) -> product.get(0).elbo())));
        cases.add(new Case("autoregressive", 40, "posterior", Plan.autoregressive().withComponents(40),
                List.of((limits, product) -> limits.logEvidence())));
        return cases;
    }

    @Override
    public Integer call() {
        List<Case> chosen = cases().stream().filter(c -> only == null || c.family.equals(only)).toList();
        if (chosen.isEmpty()) {
            throw new UsageProblem("--only " + only + ": expected one of "
                    + String.join(", ", cases().stream().map(Case::family).distinct().toList()));
        }
        UsageProblem.ifBelowOne("--seeds", seeds);
        UsageProblem.ifBelowOne("--threads", threads);
        if (variables < 2 || variables > 8 || categories < 2 || categories > 5) {
            throw new UsageProblem("--variables " + variables + " --categories " + categories
                    + ": 2 to 8 variables of 2 to 5 categories are possible");
        }
        Nd4jStart.now();
        long start = System.nanoTime();
        List<Row> rows = new ArrayList<>();
        List<Callable<Outcome>> fits = new ArrayList<>();
        for (Case c : chosen) {
            for (int i = 0; i < seeds; i++) {
                long number = seed + i;
                fits.add(() -> fit(c, number));
            }
        }
        try (Progress progress = quiet.progress("families", fits.size(), "")) {
            List<Outcome> outcomes = FitPool.run(fits, threads, progress);
            for (int c = 0; c < chosen.size(); c++) {
                rows.addAll(rows(chosen.get(c), outcomes.subList(c * seeds, (c + 1) * seeds)));
            }
        }
        double seconds = (System.nanoTime() - start) * 1e-9;
        json.answer(() -> new Answer(seeds, seed, rows, seconds), out -> print(out, rows, seconds));
        return 0;
    }

    private Outcome fit(Case c, long number) throws IOException {
        FactorTarget target = RandomField.pairwise(Seed.of(number), variables, categories);
        KlLimits limits = KlLimits.of(target.space(), target.logJoint(target.space().all(KlLimits.MOST_CODES)));
        List<KlLimits.Limit> product = limits.products(16, Seed.of(number).fold("mean field"));
        long start = System.nanoTime();
        Fit fit = new Fitter(target).fit(c.plan, Seed.of(number).fold("fit"));
        double seconds = (System.nanoTime() - start) * 1e-9;
        fit.close();
        double elbo = fit.bound().value();
        return new Outcome(c.limits.stream().mapToDouble(l -> l.elbo(limits, product) - elbo).toArray(), seconds);
    }

    private List<Row> rows(Case c, List<Outcome> outcomes) {
        String[] against = c.against.split(";");
        List<Row> rows = new ArrayList<>();
        for (int l = 0; l < against.length; l++) {
            int limit = l;
            double[] gaps = outcomes.stream().mapToDouble(o -> o.gaps[limit]).toArray();
            int worst = IntStream.range(0, gaps.length).reduce(0, (a, b) -> gaps[b] > gaps[a] ? b : a);
            double[] quantiles = Quantile.withDefaults().withCopy(true).with(Quantile.EstimationMethod.HF7)
                    .evaluate(gaps, 0.5, 0.95);
            rows.add(new Row(c.family, c.components, against[l], quantiles[0], quantiles[1], gaps[worst], seed + worst,
                    outcomes.stream().mapToDouble(Outcome::seconds).sum()));
        }
        return rows;
    }

    private void print(PrintWriter out, List<Row> rows, double seconds) {
        out.print(TextTables.text(Block.Table.of("gap in nats", Column.text("family"), Column.number("B"),
                Column.text("gap to"), Column.number("median"), Column.number("95 %"), Column.number("largest"),
                Column.number("at seed"), Column.number("seconds")).rows(rows, r -> List.of(r.family,
                        "" + r.components, r.against, fixed(r.medianGap, 5), fixed(r.p95Gap, 5), fixed(r.maxGap, 5),
                        "" + r.worstSeed, fixed(r.seconds, 1)))));
        out.printf(Locale.ROOT,
                "%d fields, %d at a time, %.1f s; gaps in nats, seconds of fitting summed over fields%n",
                seeds, threads, seconds);
    }
}
