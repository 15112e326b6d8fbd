package io.mdnf.experiments;

import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.VariableElimination;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BoxPlot;
import io.mdnf.plot.Reference;
import io.mdnf.report.Block;
import io.mdnf.report.CsvTable;
import io.mdnf.report.Progress;
import io.mdnf.report.ReportSection;
import io.mdnf.fit.Family;
import io.mdnf.fit.Fit;
import io.mdnf.fit.FitOptions;
import io.mdnf.fit.Fitter;
import io.mdnf.random.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/** What an oracle that knows the truth gets out of each method by its choice of temperatures. */
final class BnOracles implements Experiment {

    private static final int ATOMS = 100;
    /** Nothing below this can be told from 0 in a picture. */
    private static final double LEAST = 0.001;

    @Override
    public String name() {
        return "bn-oracles";
    }

    @Override
    public String paper() {
        return "Fig. 3 right and its table: weak and strong oracles";
    }

    @Override
    public double minutes(Scale scale) {
        return scale == Scale.QUICK ? 0.4 : 25;
    }

    @Override
    public ReportSection run(Workplace workplace) throws IOException {
        TemperatureGrid grid = TemperatureGrid.at(workplace.scale(), false);
        Optional<List<GridCell>> written = grid.written(workplace.folder().resolveSibling("bn-temperature"));
        return report(workplace, grid, written);
    }

    ReportSection report(Workplace workplace, TemperatureGrid grid, Optional<List<GridCell>> written)
            throws IOException {
        GridReport report = new GridReport(grid, written.isPresent() ? written.get() : grid.run(workplace));
        CsvTable csv = new CsvTable("case", "method", "oracle", "tau", "tau_p", "kl", "paper");
        for (PaperCases test : grid.cases()) {
            for (GridMethod method : GridMethod.values()) {
                for (boolean weak : new boolean[] {true, false}) {
                    GridReport.Pick pick = weak ? report.weak(test, method) : report.strong(test, method);
                    csv.row(test.id(), method.id(), weak ? "weak" : "strong", pick.tau(),
                            Double.isNaN(pick.priorTau()) ? null : pick.priorTau(), pick.kl(),
                            method.published(weak ? test.weak() : test.strong()));
                }
            }
        }
        csv.write(workplace.folder().resolve("oracles.csv"));
        Richer richer = richer(workplace, grid.cases());
        return ReportSection.of(name(), "Oracles for the temperatures")
                .with(new Block.Paragraph("The weak oracle picks one pair of temperatures for all cases, the strong"
                        + " oracle one for each case, both by the true KL, which nobody has in practice. MDNF needs"
                        + " neither: its objective is the bound, so its own best τ is the strong oracle's."))
                .with(report.oracles(true))
                .with(plot(report, richer, true))
                .with(report.oracles(false))
                .with(plot(report, richer, false))
                .with(iterations(report))
                .with(table(workplace, grid.cases(), richer))
                .with(BnTemperature.facts(grid))
                .with(report.sums());
    }

    private static Block.Table iterations(GridReport report) {
        Block.Table table = Block.Table.of("If the oracle also picked the iteration: lowest KL in nats of any cell",
                Block.Column.text("case"), Block.Column.number("ST-Gumbel"), Block.Column.number("Gumbel"),
                Block.Column.number("mean-field limit"));
        for (PaperCases test : report.grid().cases()) {
            table = table.row(test.title(), GridReport.number(report.lowestEver(test, GridMethod.ST_GUMBEL)),
                    GridReport.number(report.lowestEver(test, GridMethod.GUMBEL)),
                    GridReport.number(test.bestProductKl()));
        }
        return table;
    }

    /**
     * What two richer families reach, fitted with the defaults.
     *
     * @param joint KL of 100 equal atoms for each case
     * @param autoregressive KL for each case
     */
    private record Richer(double[] joint, double[] autoregressive) {}

    private static Richer richer(Workplace workplace, List<PaperCases> cases) {
        List<Callable<Double>> fits = new ArrayList<>();
        for (PaperCases test : cases) {
            Seed seed = workplace.seed().fold("richer").fold(test.id());
            fits.add(() -> kl(test, FitOptions.standard(Family.AUTOREGRESSIVE), seed));
            fits.add(() -> kl(test, FitOptions.standard(Family.JOINT).withComponents(ATOMS), seed));
        }
        List<Double> kl;
        try (Progress progress = workplace.progress("richer families", fits.size())) {
            kl = FitPool.run(fits, progress);
        }
        return new Richer(IntStream.range(0, cases.size()).mapToDouble(i -> kl.get(2 * i + 1)).toArray(),
                IntStream.range(0, cases.size()).mapToDouble(i -> kl.get(2 * i)).toArray());
    }

    private static double kl(PaperCases test, FitOptions options, Seed seed) throws IOException {
        NetworkTarget target = test.target();
        Fit fit = new Fitter(target, target.order()).fit(options, seed);
        fit.distribution().close();
        return VariableElimination.logEvidence(target.evidence()) - fit.bound().value();
    }

    private static Block.Table table(Workplace workplace, List<PaperCases> cases, Richer richer) throws IOException {
        Block.Table table = Block.Table.of("What a richer family adds: KL(q‖p) in nats", Block.Column.text("case"),
                Block.Column.number("joint, 100 atoms"), Block.Column.number("its limit"),
                Block.Column.number("autoregressive"), Block.Column.number("mean-field limit"));
        CsvTable csv = new CsvTable("case", "joint_kl", "joint_limit", "autoregressive_kl", "mean_field_limit");
        for (int i = 0; i < cases.size(); i++) {
            PaperCases test = cases.get(i);
            double atoms = test.limits().equalAtoms(ATOMS).kl();
            double product = test.bestProductKl();
            table = table.row(test.title(), GridReport.number(richer.joint[i]), GridReport.number(atoms),
                    GridReport.number(richer.autoregressive[i]), GridReport.number(product));
            csv.row(test.id(), richer.joint[i], atoms, richer.autoregressive[i], product);
        }
        csv.write(workplace.folder().resolve("richer.csv"));
        return table.footnote("One seed, the defaults of 'mdnf bn fit' in all cases. The autoregressive family holds every"
                + " posterior, so its limit is 0.");
    }

    /** Every method under one oracle, the paper's values beside ours. */
    private static Block.Figure plot(GridReport report, Richer richer, boolean weak) {
        List<PaperCases> cases = report.grid().cases();
        List<BoxPlot.Samples> samples = new ArrayList<>();
        for (GridMethod method : GridMethod.values()) {
            samples.add(points(method.title(), cases.stream().mapToDouble(
                    test -> (weak ? report.weak(test, method) : report.strong(test, method)).kl()).toArray()));
            samples.add(points(method == GridMethod.MDNF ? "paper's MDNF (joint)" : method.title() + ", paper",
                    cases.stream().mapToDouble(test -> method.published(weak ? test.weak() : test.strong())).toArray()));
        }
        samples.add(points("MDNF joint", richer.joint));
        samples.add(points("MDNF autoregressive", richer.autoregressive));
        String oracle = weak ? "Weak oracle" : "Strong oracle";
        return new Block.Figure(weak ? "weak" : "strong", new BoxPlot(oracle + ": divergence from the posterior",
                "KL(q || p) of every method and the paper's values for each case, with the mean-field limit.", "case",
                cases.stream().map(PaperCases::title).toList(), Axis.log("KL(q‖p)", "nats").between(LEAST / 1.5, 30),
                samples, List.of(Reference.perGroup("mean-field limit",
                        cases.stream().mapToDouble(test -> Math.max(LEAST, test.bestProductKl())).toArray()))),
                "One fit each. What is below " + LEAST + " is drawn there. No product can be below the mean-field limit;"
                        + " joint and autoregressive posteriors are no products.");
    }

    private static BoxPlot.Samples points(String name, double[] kl) {
        return BoxPlot.Samples.of(name,
                Arrays.stream(kl).mapToObj(v -> new double[] {Math.max(LEAST, v)}).toArray(double[][]::new));
    }
}
