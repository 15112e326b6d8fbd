package io.mdnf.experiments;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.experiments.Reordering.Outcome;
import io.mdnf.experiments.Reordering.Training;
import io.mdnf.flow.LocationScaleFlow;
import io.mdnf.flow.SortingNetwork;
import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.flow.VariableWiseStack;
import io.mdnf.graph.Initialiser;
import io.mdnf.network.DirectLogits;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BarPlot;
import io.mdnf.random.Draws;
import io.mdnf.report.Block;
import io.mdnf.report.Block.Column;
import io.mdnf.report.CsvTable;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.space.CodeSpace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The paper's table of partial flows: recovering the order of a permuted distribution with stacks of location-scale
 * flows and of swaps. A run succeeds when the flow is exactly the right permutation.
 */
final class PartialFlows {
    private static final String LOCATION_SCALE = "location-scale";
    private static final String BUBBLE = "partial, bubble order";
    private static final int[] CATEGORIES = {5, 7};
    private static final int[] DEPTHS = {3, 5, 10, 15, 20, 25};
    /** The paper's success shares by layers, then of the bubble order, for K = 5 and 7. */
    private static final Map<Integer, double[]> PAPER = Map.of(3, new double[] {0.38, 0.08}, 5,
            new double[] {0.33, 0.03}, 10, new double[] {0.29, 0.03}, 15, new double[] {0.25, 0.03}, 20,
            new double[] {0.33, 0.03}, 25, new double[] {0.28, 0.03});
    private static final double[] PAPER_BUBBLE = {1.00, 0.78};

    /** One line of the table: a stack, how it is trained, and the paper's shares for K = 5 and 7, NaN if none. */
    private record Line(String flow, String layers, Training training, double[] paper, Stack stack) implements Named {
        @Override
        public String title() {
            return flow.replace("location-scale", "loc-scale").replace("partial, ", "").replace(" order", "")
                    + (flow.equals(LOCATION_SCALE) ? " " + layers : "");
        }

        @Override
        public String id() {
            return title().replaceAll("[, ]+", "-");
        }

        boolean published() {
            return training == Training.PUBLISHED;
        }
    }

    /** A stack over given codes with a given number of components. */
    private interface Stack {
        VariableWiseFlow of(CodeSpace codes, int components);
    }

    private PartialFlows() {}

    private static VariableWiseFlow locationScale(CodeSpace codes, int components, int layers) {
        return new VariableWiseStack(Stream.<VariableWiseFlow>generate(() -> new LocationScaleFlow(
                new DirectLogits(codes, components), new DirectLogits(codes, components))).limit(layers).toList());
    }

    private static List<Line> lines(int[] depths) {
        List<Line> lines = new ArrayList<>();
        for (int depth : depths) {
            lines.add(new Line(LOCATION_SCALE, Integer.toString(depth), Training.PUBLISHED, PAPER.get(depth),
                    (codes, components) -> locationScale(codes, components, depth)));
        }
        String bubbles = SortingNetwork.bubblePairs(5).size() + "/" + SortingNetwork.bubblePairs(7).size();
        String bitonics = SortingNetwork.bitonicPairs(5).size() + "/" + SortingNetwork.bitonicPairs(7).size();
        double[] none = {Double.NaN, Double.NaN};
        for (Training training : List.of(Training.PUBLISHED, Training.LAYERWISE, Training.SEARCHING)) {
            boolean layerwise = training == Training.LAYERWISE;
            boolean published = training == Training.PUBLISHED;
            String how = published ? "" : layerwise ? ", layer by layer" : ", search";
            // logits of (stay, swap): layer by layer every layer begins as the identity
            Initialiser first = layerwise ? PartialFlows::off : Initialiser.normal(1);
            lines.add(new Line(BUBBLE + how, bubbles, training, published ? PAPER_BUBBLE : none,
                    (codes, components) -> SortingNetwork.bubble(codes, components, first)));
            lines.add(new Line("partial, bitonic order" + how, bitonics, training, none,
                    (codes, components) -> SortingNetwork.bitonic(codes, components, first)));
        }
        return lines;
    }

    /** First logits of swaps that stay: (1/2, -1/2) each. */
    static double[] off(Draws draws, long[] shape) {
        double[] logits = new double[Math.toIntExact(Arrays.stream(shape).reduce(1, (a, b) -> a * b))];
        Arrays.setAll(logits, i -> i % 2 == 0 ? 0.5 : -0.5);
        return logits;
    }

    static ReportSection run(Workplace workplace) throws IOException {
        return run(workplace, 40, workplace.pick(new int[] {3, 10}, DEPTHS));
    }

    static ReportSection run(Workplace workplace, int runs, int[] depths) throws IOException {
        List<Item<Reordering>> orders = Arrays.stream(CATEGORIES).mapToObj(k -> new Item<>(Integer.toString(k),
                "K = " + k, new Reordering(k, runs, workplace.seed().fold("partial-flows").fold(k)))).toList();
        Results<Item<Reordering>, Line, Outcome> results = Study.of(orders, lines(depths), 1)
                .run(workplace, "partial-flows", Outcome.class, trial -> trial.test().value().train(
                        flows -> trial.method().stack().of(trial.test().value().space(), flows),
                        trial.method().training(), trial.method().published()));
        CsvTable csv = new CsvTable("flow", "layers", "K", "run", "solved at", "published test passes");
        results.all().forEach((trial, outcome) -> IntStream.range(0, runs).forEach(r -> csv.row(trial.method().flow(),
                trial.method().layers(), trial.test().id(), r, outcome.solvedAt()[r],
                trial.method().published() ? outcome.declared()[r] : null)));
        csv.write(workplace.file("partial-flows.csv"));
        BarPlot plot = new BarPlot("Right permutation recovered",
                "Share of successful runs by flow for K = 5 and K = 7.", "",
                results.methods().stream().map(Line::title).toList(), new Axis("share of runs", "", false, 0.0, 1.0),
                orders.stream().map(k -> BarPlot.Bars.of(k.title(), results.methods().stream()
                        .mapToDouble(line -> share(results, k, line, runs)).toArray())).toList(), List.of());
        return ReportSection.of("partial-flows", "Partial flows")
                .with(new Block.Paragraph("A base distribution is a random shuffle of (1, .., K)/sum; a stack of flows"
                        + " is to put it back in order by maximising the likelihood of samples. Affine maps mod K"
                        + " compose to affine maps, so depth does not help location-scale stacks; swaps along a sorting"
                        + " network reach every order. Success is exact: the flow is the one right permutation of K!."),
                        table(results, runs), new Block.Figure("partial-flows", plot, ""))
                .found(findings(results, runs));
    }

    private static double share(Results<Item<Reordering>, Line, Outcome> results, Item<Reordering> orders, Line line,
            int runs) {
        return (double) results.of(orders, line).get(0).solved() / runs;
    }

    private static Block.Table table(Results<Item<Reordering>, Line, Outcome> results, int runs) {
        return Block.Table.of("Share of " + runs + " runs with the right permutation within "
                + Reordering.ITERATIONS + " iterations, and median iterations of those",
                Column.text("flow"), Column.text("layers"), Column.number("K=5").emphasised(), Column.number("its"),
                Column.number("declared"), Column.number("paper"), Column.number("K=7").emphasised(),
                Column.number("its"), Column.number("declared"), Column.number("paper"))
                .rows(results.methods(), line -> {
                    List<String> cells = new ArrayList<>(List.of(line.flow(), line.layers()));
                    for (int c = 0; c < CATEGORIES.length; c++) {
                        Outcome outcome = results.of(results.cases().get(c), line).get(0);
                        cells.addAll(List.of(outcome.solved() + "/" + runs, fixed(outcome.medianIterations(), 0),
                                fixed(line.published() ? Arrays.stream(outcome.declared()).average().orElseThrow()
                                        : Double.NaN, 2), fixed(line.paper()[c], 2)));
                    }
                    return cells;
                })
                .footnote("declared: probability that the published test, 1000 samples of f(u) whose frequencies rise,"
                        + " passed at some iteration, averaged over runs; above the share of right permutations it"
                        + " declares false successes.")
                .footnote("Ceiling of location-scale stacks of any depth, K(K-1)/K!: 1/6 = 0.167 for K = 5 and 1/120 ="
                        + " 0.008 for K = 7; of these " + runs + " bases an affine map solves "
                        + results.cases().get(0).value().solvableByAffineMaps() + " for K = 5 and "
                        + results.cases().get(1).value().solvableByAffineMaps() + " for K = 7.")
                .footnote("layer by layer: every swap begins at 'stay' and is trained for 50 iterations by itself,"
                        + " the one next to the base first, with the gradient of log p carried through the flow,"
                        + " which is what the swap really gains; otherwise as published (1000 samples, Adam 0.1,"
                        + " tau 1).")
                .footnote("search: exact expectation instead of 1000 samples, four flows side by side for each run, and"
                        + " a flow without progress for 50 iterations goes back to its best and draws a quarter of its"
                        + " layers anew; otherwise the paper's settings (Adam 0.1, tau 1).");
    }

    /** For the larger K: the published stacks beside the paper, and what training layer by layer adds. */
    private static List<Finding> findings(Results<Item<Reordering>, Line, Outcome> results, int runs) {
        Item<Reordering> orders = results.cases().get(1);
        List<Finding> findings = new ArrayList<>();
        for (Line line : results.methods()) {
            boolean stack = line.flow().equals(LOCATION_SCALE);
            if (line.flow().startsWith(BUBBLE) && line.training() != Training.SEARCHING
                    || stack && line.layers().equals(Integer.toString(DEPTHS[0]))) {
                findings.add(new Finding("Share of " + runs + " orders of " + orders.id() + " recovered, "
                        + line.flow() + (stack ? ", " + line.layers() + " layers" : "") + " (↑)",
                        fixed(share(results, orders, line, runs), 2), fixed(line.paper()[1], 2),
                        fixed(stack ? (double) orders.value().solvableByAffineMaps() / runs : 1, 2)));
            }
        }
        return findings;
    }
}
