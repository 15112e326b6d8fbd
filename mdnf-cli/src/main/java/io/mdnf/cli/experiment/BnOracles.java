package io.mdnf.cli.experiment;

import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.VariableElimination;
import io.mdnf.cli.report.Block;
import io.mdnf.cli.report.CsvTable;
import io.mdnf.cli.report.Progress;
import io.mdnf.cli.report.ReportSection;
import io.mdnf.inference.Bound;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.inference.VifState;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Posterior;
import io.mdnf.random.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** What an oracle that knows the truth gets out of each method by its choice of temperatures. */
final class BnOracles implements Experiment {

    private static final int ATOMS = 100;
    private static final int FLOWS = 20;

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
        return scale == Scale.QUICK ? 2 : 25;
    }

    @Override
    public ReportSection run(Workplace workplace) throws IOException {
        TemperatureGrid grid = TemperatureGrid.at(workplace.scale(), false);
        Optional<List<GridCell>> written = grid.written(workplace.folder().resolveSibling("bn-temperature"));
        return report(workplace, grid, written, workplace.pick(500, 5000), workplace.pick(100, 1000));
    }

    ReportSection report(Workplace workplace, TemperatureGrid grid, Optional<List<GridCell>> written, int atomSteps,
            int autoregressiveSteps) throws IOException {
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
        return ReportSection.of(name(), "Oracles for the temperatures")
                .with(new Block.Paragraph("The weak oracle picks one pair of temperatures for all cases, the strong"
                        + " oracle one for each case, both by the true KL, which nobody has in practice. MDNF needs"
                        + " neither: its objective is the bound, so its own best τ is the strong oracle's."))
                .with(report.oracles(true))
                .with(report.oracles(false))
                .with(iterations(report))
                .with(richer(workplace, grid, atomSteps, autoregressiveSteps))
                .with(BnTemperature.facts(grid));
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

    /** Two richer families, trained by VIF with its default settings. */
    private static Block.Table richer(Workplace workplace, TemperatureGrid grid, int atomSteps, int autoregressiveSteps)
            throws IOException {
        List<Callable<Double>> fits = new ArrayList<>();
        for (PaperCases test : grid.cases()) {
            NetworkTarget target = test.target();
            Seed seed = workplace.seed().fold("richer").fold(test.id());
            fits.add(() -> kl(target, Mixture.atoms(target.codes(), ATOMS), atomSteps, seed));
            Mixture autoregressive = Mixture.autoregressive(target.codes(), FLOWS, target.order());
            fits.add(() -> kl(target, autoregressive, autoregressiveSteps, seed));
        }
        List<Double> kl;
        try (Progress progress = workplace.progress("richer families", fits.size())) {
            kl = FitPool.run(fits, progress);
        }
        Block.Table table = Block.Table.of("What a richer family adds: KL(q‖p) in nats", Block.Column.text("case"),
                Block.Column.number("joint, 100 atoms, VIF"), Block.Column.number("its limit"),
                Block.Column.number("autoregressive, VIF"), Block.Column.number("mean-field limit"));
        CsvTable csv = new CsvTable("case", "joint_kl", "joint_limit", "autoregressive_kl", "mean_field_limit");
        for (int i = 0; i < grid.cases().size(); i++) {
            PaperCases test = grid.cases().get(i);
            double atoms = test.limits().equalAtoms(ATOMS).kl();
            double product = test.bestProductKl();
            table = table.row(test.title(), GridReport.number(kl.get(2 * i)), GridReport.number(atoms),
                    GridReport.number(kl.get(2 * i + 1)), GridReport.number(product));
            csv.row(test.id(), kl.get(2 * i), atoms, kl.get(2 * i + 1), product);
        }
        csv.write(workplace.folder().resolve("richer.csv"));
        return table.footnote("One seed, default settings: " + atomSteps + " steps of 100 atoms, " + autoregressiveSteps
                + " steps of " + FLOWS + " autoregressive flows. The autoregressive family holds every posterior, so"
                + " its limit is 0 up to the grid of 1/" + FLOWS + ".");
    }

    private static double kl(NetworkTarget target, Mixture mixture, int steps, Seed seed) {
        try (Vif vif = new Vif(target, mixture, VifSettings.forMixture(mixture, steps))) {
            VifState state = vif.init(seed);
            while (!vif.isFinished(state)) {
                state = vif.advance(state, 100);
            }
            try (Posterior q = vif.result(state)) {
                return VariableElimination.logEvidence(target.evidence()) - Bound.of(target, q, 1000, seed).value();
            }
        }
    }
}
