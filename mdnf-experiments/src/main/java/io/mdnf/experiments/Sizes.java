package io.mdnf.experiments;

import static io.mdnf.report.Decimals.fixed;

import com.sun.management.OperatingSystemMXBean;
import io.mdnf.distribution.Conditionals;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.MiniBucketPlan;
import io.mdnf.elimination.MiniBuckets;
import io.mdnf.graph.Threads;
import io.mdnf.inference.ConditionalsLearner;
import io.mdnf.plot.Axis;
import io.mdnf.plot.LinePlot;
import io.mdnf.plot.Series;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.report.Block;
import io.mdnf.report.CsvTable;
import io.mdnf.report.Finding;
import io.mdnf.report.Progress;
import io.mdnf.report.ReportSection;
import io.mdnf.search.Effort;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.IntStream;

/**
 * What inference by messages costs as the number of variables D grows: finding an order, passing messages, drawing
 * codes with their probabilities, a step of learning what bounded tables lost, and memory.
 */
final class Sizes {

    private static final int CODES = 1000;
    private static final int ROWS = 20;
    /** Of the tables of loopy targets: small, so that most buckets are split. */
    private static final double ENTRIES = 1 << 10;
    /** Steps that are timed together, after one that compiles. */
    private static final int STEPS = 3;
    /** Nanoseconds that a block takes at least: the clock of processor time has a grain of a hundredth of a second. */
    private static final long GRAINS = 200_000_000;

    /** What grows; couplings of chains and trees are normal, of the others half as strong. */
    enum Kind {
        CHAIN("chain, ternary", 3), TREE("random tree, ternary", 3), GRID("grid of 20 rows, binary", 2),
        RANDOM("random graph of degree 3, binary", 2);

        private final String title;
        private final int categories;

        Kind(String title, int categories) {
            this.title = title;
            this.categories = categories;
        }

        private boolean isLoopy() {
            return this == GRID || this == RANDOM;
        }

        /** Pairs of variables that are coupled. */
        private List<int[]> pairs(int variables, Seed seed) {
            Draws draws = new Draws(seed);
            List<int[]> pairs = new ArrayList<>();
            if (this == RANDOM) {
                int[] from = draws.uniform("from", 3 * variables / 2, variables);
                int[] to = draws.uniform("to", from.length, variables);
                Set<List<Integer>> seen = new HashSet<>();
                for (int i = 0; i < from.length; i++) {
                    int[] pair = {Math.min(from[i], to[i]), Math.max(from[i], to[i])};
                    if (pair[0] != pair[1] && seen.add(List.of(pair[0], pair[1]))) {
                        pairs.add(pair);
                    }
                }
                return pairs;
            }
            for (int d = 1; d < variables; d++) {
                if (this == CHAIN || this == GRID && d % ROWS != 0) {
                    pairs.add(new int[] {d - 1, d});
                }
                if (this == GRID && d >= ROWS) {
                    pairs.add(new int[] {d - ROWS, d});
                }
                if (this == TREE) {
                    pairs.add(new int[] {draws.uniform("parent" + d, 1, d)[0], d});
                }
            }
            return pairs;
        }

        FactorTarget target(int variables, Seed seed) {
            int size = categories * categories;
            List<int[]> pairs = pairs(variables, seed);
            return new FactorTarget(CodeSpace.uniform(variables, categories), IntStream.range(0, pairs.size())
                    .mapToObj(i -> new Factor(pairs.get(i), Arrays.stream(new Draws(seed.fold(i)).normal("coupling",
                            size)).map(c -> isLoopy() ? c / 2 : c).toArray())).toList());
        }
    }

    /** What is measured. */
    enum Work {
        ORDER("search an order, ms"), MESSAGES("pass messages, ms"), DRAW("draw 1000 codes, ms"),
        STEP("step of learning, ms"), MEMORY("tables and arrays of a step, MB");

        private final String title;

        Work(String title) {
            this.title = title;
        }
    }

    private Sizes() {}

    static ReportSection run(Workplace workplace) throws IOException {
        return run(workplace, new int[] {50, 100, 200, 500, 1000, 2000, 5000}, workplace.pick(2, 5));
    }

    static ReportSection run(Workplace workplace, int[] sizes, int blocks) throws IOException {
        Map<Kind, Map<Work, double[]>> all = new EnumMap<>(Kind.class);
        CsvTable csv = new CsvTable("kind", "variables", "work", "figure");
        try (Threads threads = Threads.one(); Progress progress = Progress.start("sizes",
                (long) Kind.values().length * sizes.length, workplace.quiet(), System.err)) {
            // the first of all is measured twice, so that no compiler is
            measured(Kind.GRID.target(sizes[0], workplace.seed()), Kind.GRID, 1, workplace.seed());
            for (Kind kind : Kind.values()) {
                Map<Work, double[]> figures = all.computeIfAbsent(kind, k -> new EnumMap<>(Work.class));
                for (int i = 0; i < sizes.length; i++) {
                    int at = i;
                    measured(kind.target(sizes[i], workplace.seed()), kind, blocks, workplace.seed())
                            .forEach((work, figure) -> {
                                figures.computeIfAbsent(work, w -> new double[sizes.length])[at] = figure;
                                csv.row(kind, sizes[at], work, figure);
                            });
                    progress.at((long) kind.ordinal() * sizes.length + i + 1, Double.NaN);
                }
            }
        }
        csv.write(workplace.file("sizes.csv"));
        return section(sizes, all);
    }

    private static Map<Work, Double> measured(FactorTarget target, Kind kind, int blocks, Seed seed) {
        Map<Work, Double> figures = new EnumMap<>(Work.class);
        CodeSpace space = target.space();
        List<Factor> factors = target.factors();
        List<int[]> scopes = factors.stream().map(Factor::variables).toList();
        EliminationPlan[] plan = new EliminationPlan[1];
        figures.put(Work.ORDER, milliseconds(1, () -> plan[0] = EliminationPlan.searched(space, factors)));
        MiniBucketPlan split = MiniBucketPlan.of(space, scopes, plan[0].order(), ENTRIES);
        MiniBuckets[] messages = new MiniBuckets[1];
        figures.put(Work.MESSAGES, milliseconds(blocks, () -> messages[0] = new MiniBuckets(space, factors, split)));
        Conditionals q = Conditionals.of(messages[0]);
        figures.put(Work.DRAW, milliseconds(blocks, () -> q.draw(CODES, seed)));
        double bytes = Double.BYTES * split.totalEntries();
        Effort.Correction effort = Effort.standard().correction();
        SortedMap<Integer, int[]> lost = ConditionalsLearner.lost(space, plan[0], split, effort.mostSeen());
        if (kind.isLoopy() && !lost.isEmpty()) {
            ConditionalsLearner task = new ConditionalsLearner(target, q, 0, lost, effort.fewestChains(), 100,
                    ConditionalsLearner.First.OFFERED, effort);
            try (GradientTraining<Conditionals> training = new GradientTraining<>(task)) {
                TrainingState warm = training.advance(training.init(seed), 1);
                figures.put(Work.STEP, milliseconds(blocks, () -> training.advance(warm, STEPS)) / STEPS);
                bytes += task.plan().bytes();
            }
        }
        figures.put(Work.MEMORY, bytes / 1e6);
        return figures;
    }

    /** Milliseconds of all processors, the least of some blocks: the work itself, whatever else the machine does. */
    private static double milliseconds(int blocks, Runnable work) {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        double least = Double.POSITIVE_INFINITY;
        for (int block = 0; block < blocks; block++) {
            long before = system.getProcessCpuTime();
            long passed = 0;
            int times = 0;
            for (; passed < GRAINS; passed = system.getProcessCpuTime() - before) {
                work.run();
                times++;
            }
            least = Math.min(least, passed / 1e6 / times);
        }
        return least;
    }

    private static ReportSection section(int[] sizes, Map<Kind, Map<Work, double[]>> all) {
        double[] x = Arrays.stream(sizes).asDoubleStream().toArray();
        int from = Math.max(0, sizes.length - 4);
        ReportSection section = ReportSection.of("sizes", "Cost of messages over D").with(new Block.Paragraph("Tables"
                + " of at most " + (int) ENTRIES + " entries: chains and trees are exact, buckets of the others are"
                + " split, corrections look at up to " + Effort.standard().correction().mostSeen() + " variables; a"
                + " step takes " + Effort.standard().correction().fewestChains() + " codes. Processor time of all"
                + " threads, the least of some blocks."),
                Block.Table.numbers("Exponents of time and memory in D, over the last " + (sizes.length - from)
                        + " sizes", "work", Arrays.stream(Kind.values()).map(kind -> kind.title).toList())
                        .rows(Arrays.asList(Work.values()), work -> {
                            List<String> row = new ArrayList<>(List.of(work.title));
                            for (Kind kind : Kind.values()) {
                                double[] figures = all.get(kind).get(work);
                                row.add(figures == null || figures[from] == 0 ? Finding.NONE
                                        : fixed(Growth.exponent(x, figures, from), 2));
                            }
                            return row;
                        }));
        for (Work work : Work.values()) {
            List<Series> series = new ArrayList<>();
            all.forEach((kind, figures) -> {
                double[] y = figures.get(work);
                int[] known = y == null ? new int[0] : IntStream.range(0, y.length).filter(i -> y[i] > 0).toArray();
                if (known.length > 0) {
                    series.add(Series.line(kind.title, IntStream.of(known).mapToDouble(i -> x[i]).toArray(),
                            IntStream.of(known).mapToDouble(i -> y[i]).toArray()));
                }
            });
            String[] words = work.title.split(", ");
            section = section.with(table(work, sizes, all), new Block.Figure("sizes-"
                    + work.name().toLowerCase(Locale.ROOT), new LinePlot(words[0] + " over D",
                            words[0] + " over the number of variables, for chains, trees, grids and random graphs.",
                            Axis.log("D", ""), Axis.log(words[0], words[1]), series, List.of()), ""));
        }
        double[] steps = all.get(Kind.GRID).get(Work.STEP);
        return section.with(new Finding("Exponent in D of a step of learning, grid of 20 rows (↓)",
                steps == null || steps[from] == 0 ? Finding.NONE
                        : fixed(Growth.exponent(x, steps, from), 2),
                Finding.NONE, "1"));
    }

    private static Block.Table table(Work work, int[] sizes, Map<Kind, Map<Work, double[]>> all) {
        List<Kind> kinds = all.keySet().stream().filter(kind -> all.get(kind).containsKey(work)).toList();
        return Block.Table.numbers(work.title, "D", kinds.stream().map(kind -> kind.title).toList())
                .rows(IntStream.range(0, sizes.length).boxed().toList(), i -> {
                    List<String> row = new ArrayList<>(List.of(Integer.toString(sizes[i])));
                    kinds.forEach(kind -> row.add(fixed(all.get(kind).get(work)[i], 3)));
                    return row;
                });
    }
}
