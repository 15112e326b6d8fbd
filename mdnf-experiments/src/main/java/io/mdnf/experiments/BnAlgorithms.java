package io.mdnf.experiments;

import com.fasterxml.jackson.core.type.TypeReference;
import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.MostProbableCodes;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.ScoredCode;
import io.mdnf.bn.VariableElimination;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BoxPlot;
import io.mdnf.plot.Quartiles;
import io.mdnf.plot.Reference;
import io.mdnf.report.Block;
import io.mdnf.report.CsvTable;
import io.mdnf.report.Finding;
import io.mdnf.report.Progress;
import io.mdnf.report.ReportSection;
import io.mdnf.evaluation.AtomAllocation;
import io.mdnf.fit.Family;
import io.mdnf.fit.Fit;
import io.mdnf.fit.FitOptions;
import io.mdnf.fit.Fitter;
import io.mdnf.mixture.Weighting;
import io.mdnf.random.Seed;
import io.mdnf.space.LogSpace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/** VIF, BVIF and BVI over the number of components: as published, and followed by the search for better atoms. */
final class BnAlgorithms implements Experiment {

    /** A network with what was observed. */
    enum Case {
        /** Six binary variables. */
        ASIA("asia", "asia=yes,xray=yes"),
        /** Ten variables of three categories. */
        SACHS("sachs", "Akt=LOW"),
        /** 69 variables; the paper leaves BVI out. */
        HEPAR("hepar2", "carcinoma=present");

        private final String network;
        private final String observed;

        Case(String network, String observed) {
            this.network = network;
            this.observed = observed;
        }

        private Evidence evidence() {
            return Evidence.parse(BuiltInNetworks.open(network), observed);
        }

        private String title() {
            return network + ", " + observed.replace(",", ", ");
        }
    }

    /** What is compared. */
    enum Contestant {
        /** All flows together, equal weights. */
        VIF("VIF", FitOptions.Method.VIF, Weighting.EQUAL, false),
        /** One flow and its weight at a time. */
        BVIF("BVIF", FitOptions.Method.BVIF, Weighting.FREE, false),
        /** Weights only. */
        BVI("BVI", FitOptions.Method.BVI, Weighting.FREE, false),
        /** VIF and the search. */
        VIF_REFINED("VIF, refined", FitOptions.Method.VIF, Weighting.EQUAL, true),
        /** BVIF and the search. */
        BVIF_REFINED("BVIF, refined", FitOptions.Method.BVIF, Weighting.FREE, true);

        private final String title;
        private final FitOptions options;

        Contestant(String title, FitOptions.Method method, Weighting weighting, boolean refined) {
            this.title = title;
            FitOptions all = FitOptions.standard(Family.JOINT).withMethod(method, weighting);
            this.options = refined ? all : all.unrefined();
        }
    }

    private record Result(Case test, Contestant contestant, int components, int repeat, double elbo, double kl,
            double seconds) { }

    @Override
    public String name() {
        return "bn-algorithms";
    }

    @Override
    public String paper() {
        return "Fig. 5 left: VIF, BVIF and BVI over B";
    }

    @Override
    public double minutes(Scale scale) {
        return scale == Scale.QUICK ? 0.3 : 40;
    }

    @Override
    public ReportSection run(Workplace workplace) throws IOException {
        int[] components = workplace.scale() == Scale.QUICK ? new int[] {2, 10} : new int[] {2, 5, 10, 20, 40};
        return run(workplace, List.of(Case.values()), components, workplace.pick(2, 10), workplace.pick(2000, 10_000));
    }

    ReportSection run(Workplace workplace, List<Case> cases, int[] components, int repeats, int steps)
            throws IOException {
        List<Callable<Result>> fits = new ArrayList<>();
        for (Case test : cases) {
            double logEvidence = VariableElimination.logEvidence(test.evidence());
            for (Contestant contestant : Contestant.values()) {
                for (int b : components) {
                    // Nothing about BVI is random.
                    int times = contestant == Contestant.BVI ? 1 : repeats;
                    for (int repeat = 0; repeat < times; repeat++) {
                        int number = repeat;
                        fits.add(() -> fit(test, logEvidence, contestant, b, number, steps, workplace.seed()));
                    }
                }
            }
        }
        List<Result> results;
        try (Progress progress = workplace.progress(name(), fits.size())) {
            results = FitPool.run(fits, progress, workplace.parts("fits", new TypeReference<>() { }));
        }
        CsvTable csv = new CsvTable("case", "algorithm", "components", "repeat", "elbo", "kl", "seconds");
        results.forEach(r -> csv.row(r.test().network, r.contestant().title, r.components(), r.repeat(),
                r.elbo(), r.kl(), r.seconds()));
        csv.write(workplace.folder().resolve("fits.csv"));
        ReportSection section = ReportSection.of(name(), "Algorithms over the number of components")
                .with(new Block.Paragraph("VIF, BVIF and BVI as published, and VIF and BVIF followed by the search for "
                        + "better atoms. Unrefined VIF makes " + steps + " steps. The limits are those of the B most "
                        + "probable codes, with equal and with the best weights, which no mixture of B atoms can pass. The paper has figures only."));
        for (Case test : cases) {
            section = add(section, test, components, results);
        }
        Case main = cases.contains(Case.SACHS) ? Case.SACHS : cases.get(0);
        int most = Arrays.stream(components).max().orElseThrow();
        section = section.with(finding(main, Contestant.VIF_REFINED, most, results))
                .with(finding(main, Contestant.BVIF_REFINED, most, results));
        return cases.contains(Case.HEPAR) && main != Case.HEPAR
                ? section.with(finding(Case.HEPAR, Contestant.BVIF_REFINED, most, results)) : section;
    }

    private static Result fit(Case test, double logEvidence, Contestant contestant, int components, int repeat,
            int steps, Seed seed) throws IOException {
        NetworkTarget target = new NetworkTarget(test.evidence());
        Fit fit = new Fitter(target, target.order()).fit(contestant.options.withComponents(components).withSteps(steps),
                repeat == 0 ? seed : seed.fold(repeat));
        fit.distribution().close();
        double elbo = fit.bound().value();
        return new Result(test, contestant, components, repeat, elbo, logEvidence - elbo, fit.seconds());
    }

    private static ReportSection add(ReportSection section, Case test, int[] components, List<Result> results) {
        Evidence evidence = test.evidence();
        double logEvidence = VariableElimination.logEvidence(evidence);
        double[] logJoint = mostProbable(evidence, Arrays.stream(components).max().orElseThrow());
        double[] equal = Arrays.stream(components).mapToDouble(b -> logEvidence - equalElbo(logJoint, b)).toArray();
        double[] free = Arrays.stream(components).mapToDouble(b -> logEvidence - freeElbo(logJoint, b)).toArray();
        List<Block.Column> columns = new ArrayList<>(List.of(Block.Column.text("algorithm")));
        Arrays.stream(components).forEach(b -> columns.add(Block.Column.number("B=" + b)));
        Block.Table table = Block.Table.of(String.format(Locale.ROOT,
                "%s: KL(q || p) in nats, medians; log evidence %.6f", test.title(), logEvidence),
                columns.toArray(Block.Column[]::new));
        List<BoxPlot.Samples> samples = new ArrayList<>();
        for (Contestant contestant : Contestant.values()) {
            double[][] values = Arrays.stream(components).mapToObj(b -> values(results, test, contestant, b))
                    .toArray(double[][]::new);
            samples.add(BoxPlot.Samples.of(contestant.title, values));
            table = table.row(row(contestant.title, Arrays.stream(values).mapToDouble(v -> Quartiles.of(v).median())
                    .toArray()));
        }
        table = table.row(row("limit, equal weights", equal)).row(row("limit, free weights", free))
                .footnote("ELBO = log evidence - KL.");
        BoxPlot plot = new BoxPlot(test.title(), "Box plots of KL(q || p) for each algorithm over the number of "
                + "components, with the exact limits", "components B",
                Arrays.stream(components).mapToObj(Integer::toString).toList(),
                Axis.log("KL(q || p)", "nats"), samples, List.of(Reference.perGroup("limit, equal weights", equal),
                        Reference.perGroup("limit, free weights", free)));
        return section.with(table).with(new Block.Figure(test.network, plot, ""));
    }

    /** A refined fit beside what its weights allow. */
    private static Finding finding(Case test, Contestant contestant, int components, List<Result> results) {
        double logEvidence = VariableElimination.logEvidence(test.evidence());
        double[] logJoint = mostProbable(test.evidence(), components);
        double limit = logEvidence - (contestant == Contestant.VIF_REFINED ? equalElbo(logJoint, components)
                : freeElbo(logJoint, components));
        return new Finding("KL on " + test.title() + ", " + contestant.title + ", B=" + components + " (nats, ↓)",
                BnTable.number(Quartiles.of(values(results, test, contestant, components)).median()), Finding.NONE,
                BnTable.number(limit));
    }

    private static double[] values(List<Result> results, Case test, Contestant contestant, int components) {
        return results.stream().filter(r -> r.test() == test && r.contestant() == contestant
                && r.components() == components).mapToDouble(Result::kl).toArray();
    }

    private static double[] mostProbable(Evidence evidence, int codes) {
        return MostProbableCodes.find(evidence, codes).stream().mapToDouble(ScoredCode::logJoint).toArray();
    }

    private static String[] row(String title, double[] values) {
        List<String> cells = new ArrayList<>(List.of(title));
        Arrays.stream(values).forEach(kl -> cells.add(BnTable.number(kl)));
        return cells.toArray(String[]::new);
    }

    /** The best ELBO of B equally weighted atoms: sum_i n_i/B (log p_i - log(n_i/B)) with the best counts n. */
    static double equalElbo(double[] logJoint, int atoms) {
        int[] counts = AtomAllocation.bestCounts(logJoint, atoms);
        double elbo = 0;
        for (int i = 0; i < counts.length; i++) {
            double weight = (double) counts[i] / atoms;
            elbo += counts[i] == 0 ? 0 : weight * (logJoint[i] - Math.log(weight));
        }
        return elbo;
    }

    /** The best ELBO of B atoms with free weights: the log of the mass of the B most probable codes. */
    static double freeElbo(double[] logJoint, int atoms) {
        return LogSpace.sumExp(Arrays.copyOf(logJoint, Math.min(atoms, logJoint.length)));
    }
}
