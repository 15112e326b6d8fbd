package io.mdnf.experiments;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.bn.GumbelTemperatures;
import io.mdnf.fit.Plan;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BoxPlot;
import io.mdnf.plot.Reference;
import io.mdnf.report.Block;
import io.mdnf.report.CsvTable;
import io.mdnf.report.ReportSection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The paper's three experiments on a grid of temperatures: constant, annealed, and picked by oracles. */
final class TemperatureStudies {

    private static final int ATOMS = 100;
    /** Nothing below this can be told from 0 in a picture. */
    private static final double LEAST = 0.001;

    /** Families richer than a product, fitted with the defaults. */
    private static final Item<Plan> JOINT = new Item<>("joint", "MDNF joint",
            Plan.joint().withComponents(ATOMS));
    private static final Item<Plan> AUTOREGRESSIVE = new Item<>("autoregressive", "MDNF autoregressive",
            Plan.autoregressive());

    private TemperatureStudies() {}

    static ReportSection constant(Workplace workplace) throws IOException {
        return constant(workplace, TemperatureGrid.at(workplace.scale(), false));
    }

    /** How much the divergence depends on the temperatures, against the exact limit of the family. */
    static ReportSection constant(Workplace workplace, TemperatureGrid grid) throws IOException {
        GridReport report = new GridReport(grid, grid.run(workplace));
        return ReportSection.of("bn-temperature", "KL over temperatures")
                .with(new Block.Paragraph("Gumbel-Softmax trains an objective of a relaxed model, with a temperature τ"
                        + " of its posterior and another, τₚ, of its relaxed prior; which pair is good differs between"
                        + " networks, and the objective cannot tell. Factorised MDNF, which has the same family of"
                        + " posteriors, trains the bound itself: every τ of at least 1 ends at the best"
                        + " product there is. It also has more: a closed-form expectation, "
                        + grid.flows().starts() + " starts, four polish rounds, and a loss multiplied by τ, where each"
                        + " cell of Gumbel is one run with 100 samples. So Gumbel gets as many starts in a table of"
                        + " its own."), report.reliability(), starts(workplace, grid, report), facts(grid))
                .withAll(report.heatMaps()).found(report.gaps());
    }

    /** Gumbel from several starts, at the temperatures that are best for each case. */
    private static Block.Table starts(Workplace workplace, TemperatureGrid grid, GridReport report)
            throws IOException {
        Item<String> many = new Item<>("gumbel", "Gumbel", "");
        Results<PaperCases, Item<String>, GumbelStarts> results = Study.of(grid.cases(), List.of(many), 1)
                .run(workplace, "starts", GumbelStarts.class, trial -> {
                    GridCell pick = report.strong(trial.test(), GridMethod.GUMBEL);
                    return GumbelStarts.fit(trial.test().target(),
                            GumbelTemperatures.constant(pick.tau(), pick.priorTau()), grid.flows(), grid.iterations(),
                            workplace.seed().fold("starts").fold(trial.test().id()));
                });
        return Block.Table.numbers("KL(q‖p) in nats, Gumbel from " + grid.flows().starts() + " starts at the strong"
                + " oracle's temperatures", "case", List.of("one start", "start picked by its objective",
                        "start picked by the truth", "MDNF factorised, worst τ ≥ 1", "mean-field limit"))
                .rows(grid.cases(), test -> List.of(test.title(), fixed(report.strong(test, GridMethod.GUMBEL).kl(), 4),
                        fixed(results.median(test, many, GumbelStarts::byObjective), 4),
                        fixed(results.median(test, many, GumbelStarts::byOracle), 4),
                        fixed(report.worstWarm(test), 4), fixed(test.bestProductKl(), 4)))
                .footnote("Starts have MDNF's law and are picked after " + Math.min(grid.flows().first(),
                        grid.iterations()) + " of " + grid.iterations() + " steps; the grid has one start, N(0, 1)."
                        + " The temperatures were picked by the truth.");
    }

    private static Block.Facts facts(TemperatureGrid grid) {
        Map<String, Object> facts = new LinkedHashMap<>();
        int flows = grid.flows().first() + grid.flows().then();
        facts.put("iterations", grid.iterations() + " (Gumbel), " + flows + " (MDNF)");
        facts.put("optimiser", "RMSprop, rate 0.01");
        facts.put("samples per step", "100 (Gumbel); MDNF's gradient is exact");
        facts.put("temperature", grid.annealed() ? "falls by e^-10 over the iterations, not below 0.001" : "constant");
        facts.put("fits", grid.cases().size() * grid.temperatures().length * (2 * grid.temperatures().length + 1));
        return Block.Facts.of("", facts);
    }

    static ReportSection annealed(Workplace workplace) throws IOException {
        return annealed(workplace, TemperatureGrid.at(workplace.scale(), true),
                TemperatureGrid.at(workplace.scale(), false).written(constantGrid(workplace)));
    }

    /** The same with annealing: tau_t = tau e^(-gamma t). */
    static ReportSection annealed(Workplace workplace, TemperatureGrid grid, Optional<List<GridCell>> constant)
            throws IOException {
        GridReport report = new GridReport(grid, grid.run(workplace));
        return ReportSection.of("bn-annealing", "KL over temperatures, annealed")
                .with(new Block.Paragraph("The paper repeats its study with annealing and shows no figures: it says"
                        + " that annealing always helps MDNF and may as well harm Gumbel-Softmax."),
                        report.reliability(), report.oracles(true), report.oracles(false))
                .withAll(constant.stream().map(cells -> change(report, new GridReport(grid, cells))).toList())
                .with(facts(grid)).withAll(report.heatMaps()).found(report.gaps());
    }

    /** In how many cells annealing helped and harmed by more than a hundredth of a nat. */
    private static Block.Table change(GridReport annealed, GridReport constant) {
        return Named.cross("Cells in which annealing lowered / raised KL by more than 0.01 nats", "case",
                annealed.grid().cases(), List.of(GridMethod.values()),
                (test, method) -> change(annealed.of(test, method), constant.of(test, method)));
    }

    private static String change(List<GridCell> after, List<GridCell> before) {
        double[] differences = IntStream.range(0, after.size())
                .mapToDouble(i -> after.get(i).kl() - before.get(i).kl()).toArray();
        return Arrays.stream(differences).filter(d -> d < -0.01).count() + " / "
                + Arrays.stream(differences).filter(d -> d > 0.01).count() + " of " + differences.length;
    }

    static ReportSection oracles(Workplace workplace) throws IOException {
        TemperatureGrid grid = TemperatureGrid.at(workplace.scale(), false);
        return oracles(workplace, grid, grid.written(constantGrid(workplace)));
    }

    private static Path constantGrid(Workplace workplace) {
        return workplace.folder().resolveSibling("bn-temperature");
    }

    /** What an oracle that knows the truth gets out of each method by its choice of temperatures. */
    static ReportSection oracles(Workplace workplace, TemperatureGrid grid, Optional<List<GridCell>> written)
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
        Results<PaperCases, Item<Plan>, KlFit> richer = Study.of(grid.cases(), List.of(JOINT, AUTOREGRESSIVE), 1)
                .run(workplace, "richer-families", KlFit.class, trial -> KlFit.of(trial.test().target(),
                        trial.method().value(), workplace.seed().fold("richer").fold(trial.test().id())));
        return ReportSection.of("bn-oracles", "Oracles for the temperatures")
                .with(new Block.Paragraph("The weak oracle picks one pair of temperatures for all cases, the strong"
                        + " oracle one for each case, both by the true KL, which nobody has in practice. MDNF needs"
                        + " neither: its objective is the bound, so its own best τ is the strong oracle's."),
                        report.oracles(true), plot(report, richer, true), report.oracles(false),
                        plot(report, richer, false), iterations(report), table(workplace, richer),
                        facts(grid))
                .found(report.sums());
    }

    private static Block.Table iterations(GridReport report) {
        return Block.Table.numbers("If the oracle also picked the iteration: lowest KL in nats of any cell", "case",
                List.of("ST-Gumbel", "Gumbel", "mean-field limit"))
                .rows(report.grid().cases(), test -> List.of(test.title(),
                        fixed(report.lowestEver(test, GridMethod.ST_GUMBEL), 4),
                        fixed(report.lowestEver(test, GridMethod.GUMBEL), 4), fixed(test.bestProductKl(), 4)));
    }

    private static Block.Table table(Workplace workplace, Results<PaperCases, Item<Plan>, KlFit> richer)
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
    private static Block.Figure plot(GridReport report, Results<PaperCases, Item<Plan>, KlFit> richer, boolean weak) {
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
