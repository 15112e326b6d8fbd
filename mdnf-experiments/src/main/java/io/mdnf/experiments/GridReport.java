package io.mdnf.experiments;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.plot.Axis;
import io.mdnf.plot.ColourScale;
import io.mdnf.plot.HeatMaps;
import io.mdnf.report.Block;
import io.mdnf.report.Decimals;
import io.mdnf.report.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What a grid of fits says: heat maps on one colour scale, and what the two oracles pick. */
record GridReport(TemperatureGrid grid, List<GridCell> cells) {

    /** One scale for all plots of all cases; below a hundredth of a nat there is nothing left to see. */
    private static final ColourScale SCALE = new ColourScale(Axis.log("KL(q‖p)", "nats").between(0.01, 30));

    List<Block> heatMaps() {
        return grid.cases().stream().map(this::heatMap).toList();
    }

    private Block heatMap(PaperCases test) {
        return new Block.Figure("grid-" + test.id(), new HeatMaps("KL over temperatures: " + test.title(),
                "KL of ST-Gumbel, Gumbel and factorised MDNF over a grid of temperatures.",
                Axis.log("τ of q", ""), boxed(), Axis.log("τₚ of the prior", ""), boxed(), SCALE,
                Arrays.stream(GridMethod.values())
                        .map(method -> HeatMaps.Panel.of(method.title(), surface(test, method))).toList()),
                "MDNF has no prior temperature: its rows are one fit per τ.");
    }

    private List<Double> boxed() {
        return Arrays.stream(grid.temperatures()).boxed().toList();
    }

    /** [tau_p][tau]. */
    private double[][] surface(PaperCases test, GridMethod method) {
        double[] t = grid.temperatures();
        double[][] values = new double[t.length][t.length];
        for (int r = 0; r < t.length; r++) {
            for (int c = 0; c < t.length; c++) {
                values[r][c] = at(test, method, t[c], method == GridMethod.MDNF ? Double.NaN : t[r]).kl();
            }
        }
        return values;
    }

    private GridCell at(PaperCases test, GridMethod method, double tau, double priorTau) {
        return of(test, method).stream().filter(c -> c.tau() == tau && Double.compare(c.priorTau(), priorTau) == 0)
                .findFirst().orElseThrow();
    }

    List<GridCell> of(PaperCases test, GridMethod method) {
        return cells.stream().filter(c -> c.test() == test && c.method() == method).toList();
    }

    /** What an oracle picks: the best temperatures for all cases, or of each case. */
    GridCell pick(boolean weak, PaperCases test, GridMethod method) {
        return weak ? weak(test, method) : strong(test, method);
    }

    GridCell strong(PaperCases test, GridMethod method) {
        return of(test, method).stream().min(Comparator.comparingDouble(GridCell::kl)).orElseThrow();
    }

    /** The same temperatures for all cases: those whose KL, summed over the cases, is lowest. */
    GridCell weak(PaperCases test, GridMethod method) {
        GridCell best = of(grid.cases().get(0), method).stream().min(Comparator.comparingDouble(candidate ->
                sum(other -> at(other, method, candidate.tau(), candidate.priorTau()).kl()))).orElseThrow();
        return at(test, method, best.tau(), best.priorTau());
    }

    /** The lowest KL of any cell at any evaluation. */
    double lowestEver(PaperCases test, GridMethod method) {
        return of(test, method).stream().mapToDouble(GridCell::lowestKl).min().orElseThrow();
    }

    /** How much MDNF's KL differs between temperatures of at least 1, and by how much the worst misses the limit. */
    private double[] robustness(PaperCases test, double limit) {
        double[] kl = warm(test).stream().mapToDouble(GridCell::exactKl).sorted().toArray();
        double most = kl[kl.length - 1];
        return new double[] {most - kl[0], most - limit};
    }

    /** The highest KL of MDNF at temperatures of at least 1. */
    double worstWarm(PaperCases test) {
        return warm(test).stream().mapToDouble(GridCell::exactKl).max().orElseThrow();
    }

    private List<GridCell> warm(PaperCases test) {
        return of(test, GridMethod.MDNF).stream().filter(c -> c.tau() >= 1).toList();
    }

    /** How far each method is from the best product in its worst case: MDNF in its worst cell, Gumbel in its best. */
    List<Finding> gaps() {
        String gap = "KL above the mean-field limit, " + (grid.annealed() ? "annealed, " : "") + "worst of "
                + grid.cases().size() + " cases, ";
        double flows = most(test -> robustness(test, test.bestProductKl())[1]);
        double gumbel = most(test -> strong(test, GridMethod.GUMBEL).kl() - test.bestProductKl());
        double paper = most(test -> test.strong().gumbel() - test.bestProductKl());
        return List.of(new Finding(gap + "MDNF factorised, worst τ ≥ 1 (nats, ↓)", fixed(flows, 4),
                        Finding.NONE, "0"),
                new Finding(gap + "Gumbel, best τ and τₚ (nats, ↓)", fixed(gumbel, 4),
                        grid.annealed() ? Finding.NONE : fixed(paper, 2), "0"));
    }

    /** Of each method's KL, summed over the cases: the oracles' Gumbel, and MDNF, which needs none. */
    List<Finding> sums() {
        String sum = "Sum of KL over " + grid.cases().size() + " cases, ";
        String limit = fixed(sum(PaperCases::bestProductKl), 4);
        return List.of(new Finding(sum + "Gumbel, weak oracle (nats, ↓)",
                        fixed(sum(test -> weak(test, GridMethod.GUMBEL).kl()), 4),
                        fixed(sum(test -> test.weak().gumbel()), 2), limit),
                new Finding(sum + "Gumbel, strong oracle (nats, ↓)",
                        fixed(sum(test -> strong(test, GridMethod.GUMBEL).kl()), 4),
                        fixed(sum(test -> test.strong().gumbel()), 2), limit),
                new Finding(sum + "MDNF factorised, its own best τ (nats, ↓)",
                        fixed(sum(test -> strong(test, GridMethod.MDNF).kl()), 4), Finding.NONE, limit));
    }

    private double most(ToDoubleFunction<PaperCases> figure) {
        return grid.cases().stream().mapToDouble(figure).max().orElseThrow();
    }

    private double sum(ToDoubleFunction<PaperCases> figure) {
        return grid.cases().stream().mapToDouble(figure).sum();
    }

    /** For every case: the range of the Gumbel methods' cells, MDNF's over tau of at least 1, the limit. */
    Block.Table reliability() {
        FactorisedStarts starts = grid.flows();
        return Block.Table.of("KL(q‖p) in nats over the grid: lowest to highest cell",
                Block.Column.text("case"), Block.Column.number("ST-Gumbel"), Block.Column.number("Gumbel"),
                Block.Column.number("MDNF factorised, τ ≥ 1").emphasised(), Block.Column.number("spread"),
                Block.Column.number("mean-field limit"), Block.Column.number("worst above limit"))
                .rows(grid.cases(), test -> {
                    double limit = test.bestProductKl();
                    double[] robust = robustness(test, limit);
                    return List.of(test.title(), range(of(test, GridMethod.ST_GUMBEL), GridCell::kl),
                            range(of(test, GridMethod.GUMBEL), GridCell::kl),
                            range(warm(test), GridCell::exactKl), fixed(robust[0], 4), fixed(limit, 4),
                            fixed(robust[1], 4));
                })
                .footnote("Gumbel fits: KL of the last iterate's discretised posterior, the product of"
                + " softmax(logits), computed exactly, with the paper's 1e-15 added to the tables: without it KL is"
                + " infinite on Asia, where half of the codes are impossible and a softmax is never 0 (kl_exact in"
                + " grid.csv).")
                .footnote("MDNF: " + starts.starts() + " starts of " + starts.first() + " steps, the one with the best"
                        + " bound trained on for " + starts.then() + " in four rounds with plain gradients; B = "
                        + starts.flows() + "; no floor.");
    }

    private static String range(List<GridCell> cells, ToDoubleFunction<GridCell> kl) {
        double[] sorted = cells.stream().mapToDouble(kl).sorted().toArray();
        return fixed(sorted[0], 4) + " – " + fixed(sorted[sorted.length - 1], 4);
    }

    /** Our oracles beside the paper's. */
    Block.Table oracles(boolean weak) {
        String oracle = weak ? "weak oracle: the same temperatures for all cases"
                : "strong oracle: the best temperatures of each case";
        Block.Table table = Block.Table.of("KL(q‖p) in nats with the " + oracle + "; ours, the paper's",
                Block.Column.text("case"), Block.Column.number("ST-Gumbel").emphasised(), Block.Column.number("paper"),
                Block.Column.number("Gumbel").emphasised(), Block.Column.number("paper"),
                Block.Column.number("MDNF factorised").emphasised(), Block.Column.number("paper's MDNF"),
                Block.Column.number("mean-field limit")).rows(grid.cases(), test -> {
                    List<String> row = new ArrayList<>(List.of(test.title()));
                    for (GridMethod method : GridMethod.values()) {
                        GridCell pick = pick(weak, test, method);
                        row.add(fixed(pick.kl(), 4) + (weak ? "" : " at " + temperatures(pick)));
                        row.add(fixed(method.published(weak ? test.weak() : test.strong()), 2));
                    }
                    row.add(fixed(test.bestProductKl(), 4));
                    return row;
                });
        PaperCases first = grid.cases().get(0);
        return weak ? table.footnote("Temperatures (τ, τₚ) picked by the lowest sum over the cases: ST-Gumbel "
                + temperatures(weak(first, GridMethod.ST_GUMBEL)) + ", Gumbel "
                + temperatures(weak(first, GridMethod.GUMBEL))
                + ", MDNF τ = " + Decimals.plain(weak(first, GridMethod.MDNF).tau())
                + ". The paper does not say how its weak oracle weighs the cases.")
                : table.footnote("The paper's MDNF is a JOINT mixture of about 100 atoms, not a factorised one:"
                        + " some of its values are below the mean-field limit, which no product can pass.");
    }

    private static String temperatures(GridCell pick) {
        return Double.isNaN(pick.priorTau()) ? "τ=" + Decimals.plain(pick.tau())
                : "(" + Decimals.plain(pick.tau()) + ", " + Decimals.plain(pick.priorTau()) + ")";
    }
}
