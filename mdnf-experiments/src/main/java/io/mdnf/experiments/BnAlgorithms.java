package io.mdnf.experiments;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.MostProbableCodes;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.VariableElimination;
import io.mdnf.distribution.Atoms;
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
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** VIF, BVIF and BVI over the number of components: as published, and followed by the search for better atoms. */
final class BnAlgorithms {

    enum Problem {
        /** Six binary variables. */
        ASIA("asia", "asia=yes,xray=yes"),
        /** Ten variables of three categories. */
        SACHS("sachs", "Akt=LOW"),
        /** 69 variables; the paper leaves BVI out. */
        HEPAR("hepar2", "carcinoma=present");

        private final String network;
        private final String observed;

        Problem(String network, String observed) {
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

    private record Setting(Problem problem, int components) implements Named {
        @Override
        public String title() {
            return Integer.toString(components);
        }

        @Override
        public String id() {
            return problem.network + "-" + components;
        }
    }

    private static final Item<Plan.Joint> BVI = method("BVI", Plan.Training.BVI, Weighting.FREE, false);
    private static final Item<Plan.Joint> VIF_REFINED =
            method("VIF, refined", Plan.Training.VIF, Weighting.EQUAL, true);
    private static final Item<Plan.Joint> BVIF_REFINED =
            method("BVIF, refined", Plan.Training.BVIF, Weighting.FREE, true);
    /** All flows together; one flow and its weight at a time; weights only; the first two and the search. */
    private static final List<Item<Plan.Joint>> METHODS = List.of(
            method("VIF", Plan.Training.VIF, Weighting.EQUAL, false),
            method("BVIF", Plan.Training.BVIF, Weighting.FREE, false), BVI, VIF_REFINED, BVIF_REFINED);

    private static Item<Plan.Joint> method(String title, Plan.Training training, Weighting weighting, boolean refined) {
        Plan.Joint plan = Plan.joint().by(training, weighting);
        return new Item<>(title.toLowerCase(Locale.ROOT).replace(", ", "-"), title,
                refined ? plan : plan.unrefined());
    }

    private BnAlgorithms() {}

    static ReportSection run(Workplace workplace) throws IOException {
        return run(workplace, List.of(Problem.values()),
                workplace.pick(new int[] {2, 10}, new int[] {2, 5, 10, 20, 40}), workplace.pick(2, 10),
                workplace.pick(2000, 10_000));
    }

    static ReportSection run(Workplace workplace, List<Problem> problems, int[] components, int repeats, int steps)
            throws IOException {
        List<Setting> settings = problems.stream().flatMap(problem ->
                Arrays.stream(components).mapToObj(b -> new Setting(problem, b))).toList();
        // nothing about BVI is random
        Results<Setting, Item<Plan.Joint>, KlFit> results = Study.of(settings, METHODS, repeats)
                .where(trial -> trial.method() != BVI || trial.seed() == 0)
                .run(workplace, "bn-algorithms", KlFit.class, trial -> KlFit.of(
                        new NetworkTarget(trial.test().problem.evidence()),
                        trial.method().value().withComponents(trial.test().components).withSteps(steps),
                        KlFit.seed(workplace, trial.seed())));
        results.write(workplace.file("fits.csv"), List.of("case", "algorithm", "components", "seed", "elbo", "kl",
                "seconds"), (trial, fit) -> List.of(trial.test().problem.network, trial.method().title(),
                        trial.test().components, trial.seed(), fit.elbo(), fit.kl(), fit.seconds()));
        ReportSection section = ReportSection.of("bn-algorithms", "Algorithms over the number of components")
                .with(new Block.Paragraph("VIF, BVIF and BVI as published, and VIF and BVIF followed by the search for "
                        + "better atoms. Unrefined VIF makes " + steps + " steps. The limits are those of the B most "
                        + "probable codes, with equal and with the best weights, which no mixture of B atoms can pass."
                        + " The paper has figures only."));
        for (Problem problem : problems) {
            section = section.withAll(blocks(problem, components, results));
        }
        Problem main = problems.contains(Problem.SACHS) ? Problem.SACHS : problems.get(0);
        Setting most = new Setting(main, Arrays.stream(components).max().orElseThrow());
        section = section.with(finding(most, VIF_REFINED, results), finding(most, BVIF_REFINED, results));
        return problems.contains(Problem.HEPAR) && main != Problem.HEPAR ? section.with(
                finding(new Setting(Problem.HEPAR, most.components), BVIF_REFINED, results)) : section;
    }

    private static List<Block> blocks(Problem problem, int[] components,
            Results<Setting, Item<Plan.Joint>, KlFit> results) {
        Evidence evidence = problem.evidence();
        double logEvidence = VariableElimination.logEvidence(evidence);
        double[] equal = Arrays.stream(components).mapToDouble(b -> limit(evidence, b, Weighting.EQUAL)).toArray();
        double[] free = Arrays.stream(components).mapToDouble(b -> limit(evidence, b, Weighting.FREE)).toArray();
        List<Setting> settings = Arrays.stream(components).mapToObj(b -> new Setting(problem, b)).toList();
        Results<Setting, Item<Plan.Joint>, KlFit> own = new Results<>(settings, results.methods(), results.all());
        Block.Table table = Block.Table.numbers(problem.title() + ": KL(q || p) in nats, medians; log evidence "
                + fixed(logEvidence, 6), "algorithm", IntStream.of(components).mapToObj(b -> "B=" + b).toList())
                .rows(own.methods(), method -> row(method.title(),
                        settings.stream().mapToDouble(s -> own.median(s, method, KlFit::kl))))
                .rows(List.of(equal), kl -> row("limit, equal weights", Arrays.stream(kl)))
                .rows(List.of(free), kl -> row("limit, free weights", Arrays.stream(kl)))
                .footnote("ELBO = log evidence - KL.");
        return List.of(table, new Block.Figure(problem.network, new BoxPlot(problem.title(),
                "Box plots of KL(q || p) for each algorithm over the number of components, with the exact limits",
                "components B", own.caseTitles(), Axis.log("KL(q || p)", "nats"),
                own.boxes(own.methods(), KlFit::kl), List.of(Reference.perGroup("limit, equal weights", equal),
                        Reference.perGroup("limit, free weights", free))), ""));
    }

    private static List<String> row(String title, DoubleStream values) {
        List<String> cells = new ArrayList<>(List.of(title));
        values.forEach(kl -> cells.add(fixed(kl, 4)));
        return cells;
    }

    /** A refined fit beside what its weights allow. */
    private static Finding finding(Setting test, Item<Plan.Joint> method,
            Results<Setting, Item<Plan.Joint>, KlFit> results) {
        return new Finding("KL on " + test.problem.title() + ", " + method.title() + ", B=" + test.components
                + " (nats, ↓)", fixed(results.median(test, method, KlFit::kl), 4), Finding.NONE,
                fixed(limit(test.problem.evidence(), test.components, method.value().weighting()), 4));
    }

    /** The least KL of so many atoms: those of the most probable codes. */
    static double limit(Evidence evidence, int atoms, Weighting weighting) {
        Atoms best = MostProbableCodes.find(evidence, atoms).atoms(atoms, weighting);
        return VariableElimination.logEvidence(evidence)
                - best.elbo(new NetworkTarget(evidence).logJoint(best.codes()));
    }
}
