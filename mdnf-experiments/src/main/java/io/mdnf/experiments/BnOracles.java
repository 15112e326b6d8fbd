package io.mdnf.experiments;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.fit.Plan;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BoxPlot;
import io.mdnf.plot.Reference;
import io.mdnf.report.Block;
import io.mdnf.report.CsvTable;
import io.mdnf.report.ReportSection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** What an oracle that knows the truth gets out of each method by its choice of temperatures. */
final class BnOracles {

    private static final int ATOMS = 100;
    /** Nothing below this can be told from 0 in a picture. */
    private static final double LEAST = 0.001;

    /** Families richer than a product, fitted with the defaults. */
    private static final KlFit.Method JOINT = new KlFit.Method("joint", "MDNF joint",
            Plan.joint().withComponents(ATOMS));
    private static final KlFit.Method AUTOREGRESSIVE = new KlFit.Method("autoregressive", "MDNF autoregressive",
            Plan.autoregressive());

    private BnOracles() {}

    static ReportSection run(Workplace workplace) throws IOException {
        TemperatureGrid grid = TemperatureGrid.at(workplace.scale(), false);
        return run(workplace, grid, grid.written(workplace.folder().resolveSibling("bn-temperature")));
    }

    static ReportSection run(Workplace workplace, TemperatureGrid grid, Optional<List<GridCell>> written)
            throws IOException {
        GridReport report = new GridReport(grid, written.isPresent() ? written.get() : grid.run(workplace));
        CsvTable csv = new CsvTable("case", "method", "oracle", "tau", "tau_p", "kl", "paper");
        for (PaperCases test : grid.cases()) {
            for (GridMethod method : GridMethod.values()) {
                for (boolean weak : new boolean[] {true, false}) {
                    GridCell pick = report.pick(weak, test, method);
                    csv.row(test.id(), method.id(), weak ? "weak" : "strong", pick.tau(),
                            Double.isNaN(pick.priorTau()) ? null : pick.priorTau(), pick.kl(),
                            method.published(weak ? test.weak() : test.strong()));
                }
            }
        }
        csv.write(workplace.file("oracles.csv"));
        Results<PaperCases, KlFit.Method, KlFit> richer = Study.of(grid.cases(), List.of(JOINT, AUTOREGRESSIVE), 1)
                .run(workplace, "richer-families", KlFit.class, trial -> KlFit.of(trial.test().target(),
                        trial.method().plan(), workplace.seed().fold("richer").fold(trial.test().id())));
        return ReportSection.of("bn-oracles", "Oracles for the temperatures")
                .with(new Block.Paragraph("The weak oracle picks one pair of temperatures for all cases, the strong"
                        + " oracle one for each case, both by the true KL, which nobody has in practice. MDNF needs"
                        + " neither: its objective is the bound, so its own best τ is the strong oracle's."),
                        report.oracles(true), plot(report, richer, true), report.oracles(false),
                        plot(report, richer, false), iterations(report), table(workplace, richer),
                        BnTemperature.facts(grid))
                .found(report.sums());
    }

    private static Block.Table iterations(GridReport report) {
        return Block.Table.numbers("If the oracle also picked the iteration: lowest KL in nats of any cell", "case",
                List.of("ST-Gumbel", "Gumbel", "mean-field limit"))
                .rows(report.grid().cases(), test -> List.of(test.title(),
                        fixed(report.lowestEver(test, GridMethod.ST_GUMBEL), 4),
                        fixed(report.lowestEver(test, GridMethod.GUMBEL), 4), fixed(test.bestProductKl(), 4)));
    }

    private static Block.Table table(Workplace workplace, Results<PaperCases, KlFit.Method, KlFit> richer)
            throws IOException {
        Block.Table table = Block.Table.numbers("What a richer family adds: KL(q‖p) in nats", "case",
                List.of("joint, 100 atoms", "its limit", "autoregressive", "mean-field limit"));
        CsvTable csv = new CsvTable("case", "joint_kl", "joint_limit", "autoregressive_kl", "mean_field_limit");
        for (PaperCases test : richer.cases()) {
            double joint = richer.median(test, JOINT, KlFit::kl);
            double autoregressive = richer.median(test, AUTOREGRESSIVE, KlFit::kl);
            double atoms = test.limits().equalAtoms(ATOMS).kl();
            table = table.row(test.title(), fixed(joint, 4), fixed(atoms, 4), fixed(autoregressive, 4),
                    fixed(test.bestProductKl(), 4));
            csv.row(test.id(), joint, atoms, autoregressive, test.bestProductKl());
        }
        csv.write(workplace.file("richer.csv"));
        return table.footnote("One seed, the defaults of 'mdnf bn fit' in all cases. The autoregressive family holds"
                + " every posterior, so its limit is 0.");
    }

    /** Every method under one oracle, the paper's values beside ours. */
    private static Block.Figure plot(GridReport report, Results<PaperCases, KlFit.Method, KlFit> richer, boolean weak) {
        List<PaperCases> cases = report.grid().cases();
        List<BoxPlot.Samples> samples = new ArrayList<>();
        for (GridMethod method : GridMethod.values()) {
            samples.add(points(method.title(), cases, test -> report.pick(weak, test, method).kl()));
            samples.add(points(method == GridMethod.MDNF ? "paper's MDNF (joint)" : method.title() + ", paper", cases,
                    test -> method.published(weak ? test.weak() : test.strong())));
        }
        samples.addAll(richer.boxes(richer.methods(), fit -> Math.max(LEAST, fit.kl())));
        return new Block.Figure(weak ? "weak" : "strong", new BoxPlot(
                (weak ? "Weak oracle" : "Strong oracle") + ": divergence from the posterior",
                "KL(q || p) of every method and the paper's values for each case, with the mean-field limit.", "case",
                richer.caseTitles(), Axis.log("KL(q‖p)", "nats").between(LEAST / 1.5, 30),
                samples, List.of(Reference.perGroup("mean-field limit",
                        cases.stream().mapToDouble(test -> Math.max(LEAST, test.bestProductKl())).toArray()))),
                "One fit each. What is below " + LEAST + " is drawn there. No product can be below the mean-field"
                        + " limit; joint and autoregressive posteriors are no products.");
    }

    private static BoxPlot.Samples points(String name, List<PaperCases> cases, ToDoubleFunction<PaperCases> kl) {
        return BoxPlot.Samples.of(name, cases.stream()
                .map(test -> new double[] {Math.max(LEAST, kl.applyAsDouble(test))}).toArray(double[][]::new));
    }
}
