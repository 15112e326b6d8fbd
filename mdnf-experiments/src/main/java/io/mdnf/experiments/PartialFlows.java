package io.mdnf.experiments;

import com.fasterxml.jackson.core.type.TypeReference;
import io.mdnf.experiments.Reordering.Outcome;
import io.mdnf.experiments.Reordering.Training;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BarPlot;
import io.mdnf.report.Block;
import io.mdnf.report.Block.Column;
import io.mdnf.report.CsvTable;
import io.mdnf.report.Finding;
import io.mdnf.report.Progress;
import io.mdnf.report.ReportSection;
import io.mdnf.flow.LocationScaleFlow;
import io.mdnf.flow.SortingNetwork;
import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.flow.VariableWiseStack;
import io.mdnf.graph.Initialiser;
import io.mdnf.network.DirectLogits;
import io.mdnf.random.Draws;
import io.mdnf.space.CodeSpace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The paper's table of partial flows: recovering the order of a permuted distribution with stacks of location-scale
 * flows and of swaps. A run succeeds when the flow is exactly the right permutation.
 */
final class PartialFlows implements Experiment {
    private static final String LOCATION_SCALE = "location-scale";
    private static final String BUBBLE = "partial, bubble order";
    private static final int[] CATEGORIES = {5, 7};
    private static final int[] DEPTHS = {3, 5, 10, 15, 20, 25};
    /** The paper's success shares by layers, then of the bubble order, for K = 5 and 7. */
    private static final Map<Integer, double[]> PAPER = Map.of(3, new double[] {0.38, 0.08}, 5,
            new double[] {0.33, 0.03}, 10, new double[] {0.29, 0.03}, 15, new double[] {0.25, 0.03}, 20,
            new double[] {0.33, 0.03}, 25, new double[] {0.28, 0.03});
    private static final double[] PAPER_BUBBLE = {1.00, 0.78};

    @Override
    public String name() {
        return "partial-flows";
    }

    @Override
    public String paper() {
        return "supplement, table 'partial': order of categories";
    }

    @Override
    public double minutes(Scale scale) {
        return scale == Scale.QUICK ? 0.7 : 4;
    }

    /** One line of the table: a stack, how it is trained, and the paper's shares for K = 5 and 7, NaN if none. */
    private record Line(String flow, String layers, Training training, double[] paper, Stack stack) { }

    /** A stack over given codes with a given number of components. */
    private interface Stack {
        VariableWiseFlow of(CodeSpace codes, int components);
    }

    private static VariableWiseFlow locationScale(CodeSpace codes, int components, int layers) {
        List<VariableWiseFlow> all = new ArrayList<>();
        for (int i = 0; i < layers; i++) {
            all.add(new LocationScaleFlow(new DirectLogits(codes, components), new DirectLogits(codes, components)));
        }
        return new VariableWiseStack(all);
    }

    private static List<Line> lines(int[] depths) {
        Stack bubble = (codes, components) -> SortingNetwork.bubble(codes, components, Initialiser.normal(1));
        Stack bitonic = (codes, components) -> SortingNetwork.bitonic(codes, components, Initialiser.normal(1));
        double[] none = {Double.NaN, Double.NaN};
        String bubbles = layers(SortingNetwork.bubblePairs(5).size(), SortingNetwork.bubblePairs(7).size());
        String bitonics = layers(SortingNetwork.bitonicPairs(5).size(), SortingNetwork.bitonicPairs(7).size());
        List<Line> lines = new ArrayList<>();
        for (int depth : depths) {
            lines.add(new Line(LOCATION_SCALE, Integer.toString(depth), Training.PUBLISHED, PAPER.get(depth),
                    (codes, components) -> locationScale(codes, components, depth)));
        }
        lines.add(new Line(BUBBLE, bubbles, Training.PUBLISHED, PAPER_BUBBLE, bubble));
        lines.add(new Line("partial, bitonic order", bitonics, Training.PUBLISHED, none, bitonic));
        // logits of (stay, swap): every layer begins as the identity
        Stack bubbleOff = (codes, components) -> SortingNetwork.bubble(codes, components, PartialFlows::off);
        Stack bitonicOff = (codes, components) -> SortingNetwork.bitonic(codes, components, PartialFlows::off);
        lines.add(new Line(BUBBLE + ", layer by layer", bubbles, Training.LAYERWISE, none, bubbleOff));
        lines.add(new Line("partial, bitonic order, layer by layer", bitonics, Training.LAYERWISE, none, bitonicOff));
        lines.add(new Line(BUBBLE + ", search", bubbles, Training.SEARCHING, none, bubble));
        lines.add(new Line("partial, bitonic order, search", bitonics, Training.SEARCHING, none, bitonic));
        return lines;
    }

    /** First logits of swaps that stay: (1/2, -1/2) each. */
    static double[] off(Draws draws, long[] shape) {
        double[] logits = new double[Math.toIntExact(Arrays.stream(shape).reduce(1, (a, b) -> a * b))];
        Arrays.setAll(logits, i -> i % 2 == 0 ? 0.5 : -0.5);
        return logits;
    }

    private static String layers(int five, int seven) {
        return five + "/" + seven;
    }

    @Override
    public ReportSection run(Workplace workplace) throws IOException {
        return run(workplace, 40, workplace.scale() == Scale.QUICK ? new int[] {3, 10} : DEPTHS);
    }

    ReportSection run(Workplace workplace, int runs, int[] depths) throws IOException {
        List<Line> lines = lines(depths);
        Reordering[] tasks = Arrays.stream(CATEGORIES)
                .mapToObj(k -> new Reordering(k, runs, workplace.seed().fold("partial-flows").fold(k)))
                .toArray(Reordering[]::new);
        CsvTable csv = new CsvTable("flow", "layers", "K", "run", "solved at", "published test passes");
        Block.Table table = Block.Table.of("Share of " + runs + " runs with the right permutation within "
                + Reordering.iterations() + " iterations, and median iterations of those",
                Column.text("flow"), Column.text("layers"), Column.number("K=5").emphasised(), Column.number("its"),
                Column.number("declared"), Column.number("paper"), Column.number("K=7").emphasised(),
                Column.number("its"), Column.number("declared"), Column.number("paper"));
        double[][] shares = new double[CATEGORIES.length][lines.size()];
        List<Callable<Outcome>> trainings = new ArrayList<>();
        for (Line line : lines) {
            for (Reordering task : tasks) {
                trainings.add(() -> task.train(flows -> line.stack().of(task.space(), flows), line.training(),
                        line.training() == Training.PUBLISHED));
            }
        }
        List<Outcome> outcomes;
        try (Progress progress = workplace.progress(name(), trainings.size())) {
            outcomes = FitPool.run(trainings, progress, workplace.parts("trainings", new TypeReference<>() { }));
        }
        for (int l = 0; l < lines.size(); l++) {
            Line line = lines.get(l);
            List<String> cells = new ArrayList<>(List.of(line.flow(), line.layers()));
            for (int c = 0; c < CATEGORIES.length; c++) {
                Outcome outcome = outcomes.get(l * CATEGORIES.length + c);
                shares[c][l] = (double) outcome.solved() / runs;
                for (int r = 0; r < runs; r++) {
                    csv.row(line.flow(), line.layers(), CATEGORIES[c], r, outcome.solvedAt()[r],
                            line.training() == Training.PUBLISHED ? outcome.declared()[r] : null);
                }
                cells.add(outcome.solved() + "/" + runs);
                cells.add(number("%.0f", outcome.medianIterations()));
                cells.add(line.training() == Training.PUBLISHED
                        ? number("%.2f", Arrays.stream(outcome.declared()).average().orElseThrow()) : "");
                cells.add(number("%.2f", line.paper()[c]));
            }
            table = table.row(cells.toArray(String[]::new));
        }
        csv.write(workplace.folder().resolve("partial-flows.csv"));
        table = table.footnote("declared: probability that the published test, 1000 samples of f(u) whose "
                + "frequencies rise, "
                        + "passed at some iteration, averaged over runs; above the share of right permutations it "
                        + "declares false successes.")
                .footnote("Ceiling of location-scale stacks of any depth, K(K-1)/K!: 1/6 = 0.167 for K = 5 and "
                + "1/120 = 0.008 "
                        + "for K = 7; of these " + runs + " bases an affine map solves "
                        + tasks[0].solvableByAffineMaps()
                        + " for K = 5 and " + tasks[1].solvableByAffineMaps() + " for K = 7.")
                .footnote("layer by layer: every swap begins at 'stay' and is trained for 50 iterations by itself, "
                        + "the one next to the base first, with the gradient of log p carried through the flow, "
                        + "which is what the swap really gains; otherwise as published (1000 samples, Adam 0.1, tau 1).")
                .footnote("search: exact expectation instead of 1000 samples, four flows side by side for each run, "
                + "and a "
                        + "flow without progress for 50 iterations goes back to its best and draws a quarter of its "
                        + "layers anew; otherwise the paper's settings (Adam 0.1, tau 1).");
        List<String> names = lines.stream().map(line -> line.flow().replace("location-scale", "loc-scale")
                .replace("partial, ", "").replace(" order", "")
                + (line.flow().startsWith("loc") ? " " + line.layers() : ""))
                .toList();
        BarPlot plot = new BarPlot("Right permutation recovered",
                "Share of successful runs by flow for K = 5 and K = 7.",
                "", names, new Axis("share of runs", "", false, 0.0, 1.0),
                List.of(BarPlot.Bars.of("K = 5", shares[0]), BarPlot.Bars.of("K = 7", shares[1])), List.of());
        return ReportSection.of(name(), "Partial flows")
                .with(new Block.Paragraph("A base distribution is a random shuffle of (1, .., K)/sum; a stack of "
                + "flows is to "
                        + "put it back in order by maximising the likelihood of samples. Affine maps mod K compose to "
                        + "affine maps, so depth does not help location-scale stacks; swaps along a sorting network "
                        + "reach "
                        + "every order. Success is exact: the flow is the one right permutation of K!."))
                .with(table)
                .with(new Block.Figure("partial-flows", plot, ""))
                .with(findings(lines, shares[1], runs, tasks[1].solvableByAffineMaps()));
    }

    /** For the larger K: the published stacks beside the paper, and what training layer by layer adds. */
    private static List<Finding> findings(List<Line> lines, double[] shares, int runs, int affine) {
        List<Finding> findings = new ArrayList<>();
        for (int l = 0; l < lines.size(); l++) {
            Line line = lines.get(l);
            boolean stack = line.flow().equals(LOCATION_SCALE);
            if (line.flow().startsWith(BUBBLE) && line.training() != Training.SEARCHING
                    || stack && line.layers().equals(Integer.toString(DEPTHS[0]))) {
                findings.add(new Finding("Share of " + runs + " orders of " + CATEGORIES[1] + " recovered, "
                        + line.flow() + (stack ? ", " + line.layers() + " layers" : "") + " (↑)",
                        number("%.2f", shares[l]), Double.isNaN(line.paper()[1]) ? Finding.NONE
                                : number("%.2f", line.paper()[1]),
                        number("%.2f", stack ? (double) affine / runs : 1)));
            }
        }
        return findings;
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
    }
}
