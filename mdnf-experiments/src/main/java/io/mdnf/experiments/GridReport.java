package io.mdnf.experiments;

import io.mdnf.plot.Axis;
import io.mdnf.plot.ColourScale;
import io.mdnf.plot.HeatMaps;
import io.mdnf.report.Block;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What a grid of fits says: heat maps on one colour scale, and what the two oracles pick.
 *
 * @param grid the grid
 * @param cells its fits
 */
record GridReport(TemperatureGrid grid, List<GridCell> cells) {

    /** One scale for all plots of all cases; below a hundredth of a nat there is nothing left to see. */
    private static final ColourScale SCALE = new ColourScale(Axis.log("KL(q‖p)", "nats").between(0.01, 30));

    /**
     * What an oracle picks.
     *
     * @param tau the posterior's temperature
     * @param priorTau the prior's; NaN for MDNF
     * @param kl the divergence there
     */
    record Pick(double tau, double priorTau, double kl) {}

    ReportSection heatMaps(ReportSection section) {
        ReportSection longer = section;
        for (PaperCases test : grid.cases()) {
            List<HeatMaps.Panel> panels = new ArrayList<>();
            for (GridMethod method : GridMethod.values()) {
                panels.add(HeatMaps.Panel.of(method.title(), surface(test, method)));
            }
            HeatMaps plot = new HeatMaps("KL over temperatures: " + test.title(),
                    "KL of ST-Gumbel, Gumbel and factorised MDNF over a grid of temperatures.",
                    Axis.log("τ of q", ""), boxed(), Axis.log("τₚ of the prior", ""), boxed(), SCALE, panels);
            longer = longer.with(new Block.Figure("grid-" + test.id(), plot,
                    "MDNF has no prior temperature: its rows are one fit per τ."));
        }
        return longer;
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

    /** The best temperatures of a case. */
    Pick strong(PaperCases test, GridMethod method) {
        return of(test, method).stream().map(c -> new Pick(c.tau(), c.priorTau(), c.kl()))
                .min((a, b) -> Double.compare(a.kl(), b.kl())).orElseThrow();
    }

    /** The same temperatures for all cases: those whose KL, summed over the cases, is lowest. */
    Pick weak(PaperCases test, GridMethod method) {
        GridCell best = null;
        double lowest = Double.POSITIVE_INFINITY;
        for (GridCell candidate : of(grid.cases().get(0), method)) {
            double sum = 0;
            for (PaperCases other : grid.cases()) {
                sum += at(other, method, candidate.tau(), candidate.priorTau()).kl();
            }
            if (sum < lowest) {
                lowest = sum;
                best = candidate;
            }
        }
        GridCell there = at(test, method, best.tau(), best.priorTau());
        return new Pick(there.tau(), there.priorTau(), there.kl());
    }

    /** The lowest KL of any cell at any evaluation. */
    double lowestEver(PaperCases test, GridMethod method) {
        return of(test, method).stream().mapToDouble(GridCell::lowestKl).min().orElseThrow();
    }

    /** How much MDNF's KL differs between temperatures of at least 1, and by how much the worst misses the limit. */
    double[] robustness(PaperCases test, double limit) {
        double[] kl = warm(test);
        double most = kl[kl.length - 1];
        return new double[] {most - kl[0], most - limit};
    }

    /** How far each method is from the best product in its worst case: MDNF in its worst cell, Gumbel in its best. */
    List<Finding> gaps() {
        String gap = "KL above the mean-field limit, " + (grid.annealed() ? "annealed, " : "") + "worst of "
                + grid.cases().size() + " cases, ";
        double flows = most(test -> robustness(test, test.bestProductKl())[1]);
        double gumbel = most(test -> strong(test, GridMethod.GUMBEL).kl() - test.bestProductKl());
        double paper = most(test -> test.strong().gumbel() - test.bestProductKl());
        return List.of(new Finding(gap + "MDNF factorised, worst τ ≥ 1 (nats, ↓)", number(flows),
                        Finding.NONE, "0"),
                new Finding(gap + "Gumbel, best τ and τₚ (nats, ↓)", number(gumbel),
                        grid.annealed() ? Finding.NONE : number2(paper), "0"));
    }

    /** Of each method's KL, summed over the cases: the oracles' Gumbel, and MDNF, which needs none. */
    List<Finding> sums() {
        String sum = "Sum of KL over " + grid.cases().size() + " cases, ";
        String limit = number(sum(PaperCases::bestProductKl));
        return List.of(new Finding(sum + "Gumbel, weak oracle (nats, ↓)",
                        number(sum(test -> weak(test, GridMethod.GUMBEL).kl())),
                        number2(sum(test -> test.weak().gumbel())), limit),
                new Finding(sum + "Gumbel, strong oracle (nats, ↓)",
                        number(sum(test -> strong(test, GridMethod.GUMBEL).kl())),
                        number2(sum(test -> test.strong().gumbel())), limit),
                new Finding(sum + "MDNF factorised, its own best τ (nats, ↓)",
                        number(sum(test -> strong(test, GridMethod.MDNF).kl())), Finding.NONE, limit));
    }

    private double most(ToDoubleFunction<PaperCases> figure) {
        return grid.cases().stream().mapToDouble(figure).max().orElseThrow();
    }

    private double sum(ToDoubleFunction<PaperCases> figure) {
        return grid.cases().stream().mapToDouble(figure).sum();
    }

    /** MDNF's KL at temperatures of at least 1, ascending. */
    private double[] warm(PaperCases test) {
        return of(test, GridMethod.MDNF).stream().filter(c -> c.tau() >= 1).mapToDouble(GridCell::exactKl).sorted()
                .toArray();
    }

    /** For every case: the range of the Gumbel methods' cells, MDNF's over tau of at least 1, the limit. */
    Block.Table reliability() {
        Block.Table table = Block.Table.of("KL(q‖p) in nats over the grid: lowest to highest cell",
                Block.Column.text("case"), Block.Column.number("ST-Gumbel"), Block.Column.number("Gumbel"),
                Block.Column.number("MDNF factorised, τ ≥ 1").emphasised(), Block.Column.number("spread"),
                Block.Column.number("mean-field limit"), Block.Column.number("worst above limit"));
        for (PaperCases test : grid.cases()) {
            double limit = test.bestProductKl();
            double[] robust = robustness(test, limit);
            double[] mdnf = warm(test);
            table = table.row(test.title(), range(test, GridMethod.ST_GUMBEL), range(test, GridMethod.GUMBEL),
                    number(mdnf[0]) + " – " + number(mdnf[mdnf.length - 1]), number(robust[0]), number(limit),
                    number(robust[1]));
        }
        FactorisedStarts starts = grid.flows();
        return table.footnote("Gumbel fits: KL of the last iterate's discretised posterior, the product of"
                + " softmax(logits), computed exactly, with the paper's 1e-15 added to the tables: without it KL is"
                + " infinite on Asia, where half of the codes are impossible and a softmax is never 0 (kl_exact in"
                + " grid.csv).")
                .footnote("MDNF: " + starts.starts() + " starts of " + starts.first() + " steps, the one with the best"
                        + " bound trained on for " + starts.then() + " in four rounds with plain gradients; B = "
                        + starts.flows() + "; no floor.");
    }

    private String range(PaperCases test, GridMethod method) {
        double[] kl = of(test, method).stream().mapToDouble(GridCell::kl).sorted().toArray();
        return number(kl[0]) + " – " + number(kl[kl.length - 1]);
    }

    /** Our oracles beside the paper's. */
    Block.Table oracles(boolean weak) {
        String oracle = weak ? "weak oracle: the same temperatures for all cases"
                : "strong oracle: the best temperatures of each case";
        Block.Table table = Block.Table.of("KL(q‖p) in nats with the " + oracle + "; ours, the paper's",
                Block.Column.text("case"), Block.Column.number("ST-Gumbel").emphasised(), Block.Column.number("paper"),
                Block.Column.number("Gumbel").emphasised(), Block.Column.number("paper"),
                Block.Column.number("MDNF factorised").emphasised(), Block.Column.number("paper's MDNF"),
                Block.Column.number("mean-field limit"));
        for (PaperCases test : grid.cases()) {
            List<String> row = new ArrayList<>(List.of(test.title()));
            for (GridMethod method : GridMethod.values()) {
                Pick pick = weak ? weak(test, method) : strong(test, method);
                row.add(number(pick.kl()) + (weak ? "" : " at " + temperatures(pick)));
                row.add(number2(method.published(weak ? test.weak() : test.strong())));
            }
            row.add(number(test.bestProductKl()));
            table = table.row(row.toArray(String[]::new));
        }
        PaperCases first = grid.cases().get(0);
        return weak ? table.footnote("Temperatures (τ, τₚ) picked by the lowest sum over the cases: ST-Gumbel "
                + temperatures(weak(first, GridMethod.ST_GUMBEL)) + ", Gumbel "
                + temperatures(weak(first, GridMethod.GUMBEL))
                + ", MDNF τ = " + plain(weak(first, GridMethod.MDNF).tau())
                + ". The paper does not say how its weak oracle weighs the cases.")
                : table.footnote("The paper's MDNF is a JOINT mixture of about 100 atoms, not a factorised one:"
                        + " some of its values are below the mean-field limit, which no product can pass.");
    }

    static String temperatures(Pick pick) {
        return Double.isNaN(pick.priorTau()) ? "τ=" + plain(pick.tau())
                : "(" + plain(pick.tau()) + ", " + plain(pick.priorTau()) + ")";
    }

    static String number(double value) {
        return Double.isInfinite(value) ? "∞" : String.format(Locale.ROOT, "%.4f", value);
    }

    /** 0.03, 1, 100. */
    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private static String number2(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
