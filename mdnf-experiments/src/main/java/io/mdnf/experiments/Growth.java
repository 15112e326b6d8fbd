package io.mdnf.experiments;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.base.FixedBase;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Precision;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Threads;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.Made;
import io.mdnf.objective.Elbo;
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
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingSettings;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingTask;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.VaeSettings;
import io.mdnf.vae.VaeTraining;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * What S codes cost to draw and to score, and what a training step costs in time and memory, as a JOINT mixture of B
 * autoregressive flows on D variables of K categories grows, beside the paper's O(B D) for a forward pass and O(B) for
 * a reverse one; and what a step of an autoencoder costs over the N images of its batch.
 */
final class Growth {

    /** Of the networks, at every size: the paper's O(1) for one variable has no width that grows with D. */
    private static final int HIDDEN = 32;
    /** Of the bases, as in the paper's experiments: nearly deltas, but of true deltas a step takes each atom once. */
    private static final double ALPHA = 0.01;
    /** Samples divide among all numbers of components: B times ceil(S / B) of them are computed. */
    private static final Size FIRST = new Size(10, 8, 3, 160, 32);
    /** Variables and categories of the autoencoder's codes. */
    private static final int LATENTS = 20;
    private static final int CATEGORIES = 10;
    /** Seconds a block of calls lasts: the clock's grain is a hundredth. */
    private static final double BLOCK = 0.1;

    /** B components, D variables of K categories, S codes; N images in a batch. */
    record Size(int components, int variables, int categories, int samples, int batch) {}

    /** What is doubled, the rest staying as at first; and the paper's exponents, NaN where it has none. */
    enum Grown {
        B(1, 1), D(1, 0), K(Double.NaN, Double.NaN), S(Double.NaN, Double.NaN),
        N(Double.NaN, Double.NaN);

        private final double forward;
        private final double reverse;

        Grown(double forward, double reverse) {
            this.forward = forward;
            this.reverse = reverse;
        }

        Size times(int factor) {
            return new Size(FIRST.components * (this == B ? factor : 1), FIRST.variables * (this == D ? factor : 1),
                    FIRST.categories * (this == K ? factor : 1), FIRST.samples * (this == S ? factor : 1),
                    FIRST.batch * (this == N ? factor : 1));
        }

        private double value(Size size) {
            return new int[] {size.components, size.variables, size.categories, size.samples,
                size.batch}[ordinal()];
        }
    }

    /** What is measured. */
    enum Work {
        FORWARD("draw S codes (forward), ms"), REVERSE("score S codes (reverse), ms"), STEP("training step, ms"),
        MEMORY("its arrays, MB");

        private final String title;

        Work(String title) {
            this.title = title;
        }

        private boolean isPublished() {
            return this == FORWARD || this == REVERSE;
        }

        private double published(Grown grown) {
            return this == FORWARD ? grown.forward : this == REVERSE ? grown.reverse : Double.NaN;
        }
    }

    /** Milliseconds of processor time, or megabytes, at each size of one that is grown. */
    record Curve(Grown grown, List<Size> sizes, Map<Work, double[]> figures) {

        double[] x() {
            return sizes.stream().mapToDouble(grown::value).toArray();
        }

        /**
         * The slope of log figures over log size, by least squares over the sizes from one on; NaN if there are none.
         */
        double exponent(Work work, int from) {
            if (!figures.containsKey(work)) {
                return Double.NaN;
            }
            return Growth.exponent(x(), figures.get(work), from);
        }
    }

    private Growth() {}

    /** The slope of log figures over log size, by least squares over the sizes from one on. */
    static double exponent(double[] sizes, double[] figures, int from) {
        double[] x = Arrays.stream(sizes).skip(from).map(Math::log).toArray();
        double[] y = Arrays.stream(figures).skip(from).map(Math::log).toArray();
        double middle = Arrays.stream(x).average().orElseThrow();
        double slope = 0;
        double square = 0;
        for (int i = 0; i < x.length; i++) {
            slope += (x[i] - middle) * y[i];
            square += (x[i] - middle) * (x[i] - middle);
        }
        return slope / square;
    }

    static ReportSection run(Workplace workplace) throws IOException {
        return run(workplace, List.of(Grown.values()), 4, workplace.pick(3, 10));
    }

    static ReportSection run(Workplace workplace, List<Grown> all, int doublings, int blocks) throws IOException {
        List<Curve> curves = new ArrayList<>();
        try (Progress progress = Progress.start("growth", (long) all.size() * (doublings + 1), workplace.quiet(),
                System.err)) {
            for (Grown grown : all) {
                List<Size> sizes = IntStream.rangeClosed(0, doublings).mapToObj(i -> grown.times(1 << i)).toList();
                Map<Work, double[]> times = new EnumMap<>(Work.class);
                for (int i = 0; i < sizes.size(); i++) {
                    int at = i;
                    Map<Work, Double> found = grown == Grown.N ? ofAutoencoder(sizes.get(i), blocks, workplace.seed())
                            : ofMixture(sizes.get(i), blocks, workplace.seed());
                    found.forEach((work, figure) ->
                            times.computeIfAbsent(work, w -> new double[sizes.size()])[at] = figure);
                    progress.at((long) curves.size() * (doublings + 1) + i + 1, Double.NaN);
                }
                curves.add(new Curve(grown, sizes, times));
            }
        }
        CsvTable csv = new CsvTable("grown", "components", "variables", "categories", "samples", "batch", "work",
                "figure");
        for (Curve curve : curves) {
            curve.figures.forEach((work, times) -> IntStream.range(0, times.length).forEach(i -> {
                Size size = curve.sizes.get(i);
                csv.row(curve.grown, size.components, size.variables, size.categories, size.samples, size.batch, work,
                        times[i]);
            }));
        }
        csv.write(workplace.file("growth.csv"));
        return section(curves);
    }

    private static Map<Work, Double> ofMixture(Size size, int blocks, Seed seed) {
        CodeSpace space = CodeSpace.uniform(size.variables, size.categories);
        Mixture mixture = new Mixture(Structure.JOINT,
                new ShiftFlow(Made.with(space, size.components).hidden(HIDDEN).build()),
                FixedBase.dirichlet(space, size.components, ALPHA, seed), Weighting.EQUAL);
        Map<Work, Double> figures = new EnumMap<>(Work.class);
        try (FlowMixture q = new FlowMixture(mixture, mixture.layout().initial(seed))) {
            int[][] codes = q.sample(size.samples, seed);
            figures.put(Work.FORWARD, milliseconds(blocks, calls -> {
                for (int i = 0; i < calls; i++) {
                    q.sample(size.samples, seed.fold(i));
                }
            }));
            figures.put(Work.REVERSE, milliseconds(blocks, calls -> {
                for (int i = 0; i < calls; i++) {
                    q.logProb(codes);
                }
            }));
        }
        VifSettings settings = new VifSettings(size.samples, Estimator.CHOSEN, StraightThrough.FIRST_ORDER, new Elbo(),
                0, TrainingSettings.of(new Optimiser.RmsProp(), 0.01).withPrecision(Precision.FLOAT));
        figures.putAll(ofStep(new Vif(chain(space), mixture, settings), blocks, seed));
        return figures;
    }

    /** Of a step of the default autoencoder, on random images. */
    private static Map<Work, Double> ofAutoencoder(Size size, int blocks, Seed seed) {
        byte[] pixels = new byte[2 * size.batch * 28 * 28];
        int[] grey = new Draws(seed).uniform("pixels", pixels.length, 256);
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) grey[i];
        }
        return ofStep(new VaeTraining(VaeSettings.of(LATENTS, CATEGORIES).withBatch(size.batch, 1e-3),
                DigitImages.of(28, 28, pixels), Integer.MAX_VALUE), blocks, seed);
    }

    private static Map<Work, Double> ofStep(TrainingTask<?> task, int blocks, Seed seed) {
        try (var training = new GradientTraining<>(task)) {
            TrainingState[] state = {training.init(seed)};
            double time = milliseconds(blocks, calls -> state[0] = training.advance(state[0], calls));
            return Map.of(Work.STEP, time, Work.MEMORY, task.plan().bytes() / 1e6);
        }
    }

    /** Each variable coupled to the next: a log joint that costs O(D). */
    private static FactorTarget chain(CodeSpace space) {
        int categories = space.width();
        double[] coupling = new Draws(Seed.of(1)).normal("coupling", categories * categories);
        return new FactorTarget(space, IntStream.range(1, space.variables())
                .mapToObj(d -> new Factor(new int[] {d - 1, d}, coupling)).toList());
    }

    /** Of one call on this thread, the least of some blocks: the work itself, whatever else the machine does. */
    private static double milliseconds(int blocks, IntConsumer work) {
        try (Threads one = Threads.one()) {
            work.accept(1);
            int calls = 1;
            double seconds = seconds(work, calls);
            while (seconds < BLOCK) {
                calls = (int) Math.max(2 * calls, 1.2 * calls * BLOCK / Math.max(seconds, BLOCK / 100));
                seconds = seconds(work, calls);
            }
            double least = seconds;
            for (int i = 1; i < blocks; i++) {
                least = Math.min(least, seconds(work, calls));
            }
            return 1e3 * least / calls;
        }
    }

    private static double seconds(IntConsumer work, int calls) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        work.accept(calls);
        return 1e-9 * (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
    }

    private static ReportSection section(List<Curve> curves) {
        Block.Table exponents = Block.Table.numbers("Exponents: time and memory as powers of what grows", "grows",
                Arrays.stream(Work.values()).flatMap(work -> List.of(work.title.split(",")[0],
                        "from the second doubling on", "paper").stream().limit(work.isPublished() ? 3 : 2)).toList())
                .rows(curves, curve -> {
                    List<String> row = new ArrayList<>(List.of(curve.grown + " from " + (int) curve.x()[0] + " to "
                            + (int) curve.x()[curve.x().length - 1]));
                    for (Work work : Work.values()) {
                        row.add(shown(curve.exponent(work, 0), 2));
                        row.add(shown(curve.exponent(work, Math.min(2, curve.sizes.size() - 2)), 2));
                        if (work.isPublished()) {
                            row.add(shown(work.published(curve.grown), 0));
                        }
                    }
                    return row;
                })
                .footnote("Below 1: what a call costs whatever its size; scores are computed in batches that are filled"
                        + " up. Forward, each code is drawn through its own flow alone, variable by variable. Reverse,"
                        + " all D variables at once: the paper counts passes, this is work.");
        ReportSection section = ReportSection.of("growth", "Cost over B, D, K, S and batches of N")
                .with(new Block.Paragraph("A JOINT mixture of MADE flows with " + HIDDEN + " hidden units on"
                        + " Dirichlet(" + ALPHA + ") bases; where they do not grow B = " + FIRST.components + ", D = "
                        + FIRST.variables + ", K = " + FIRST.categories + ", S = " + FIRST.samples + ". Over N, a step"
                        + " of the default autoencoder, D = " + LATENTS + ", K = " + CATEGORIES + ". Processor time"
                        + " of one thread, the least of some blocks; memory of all arrays of a step in float. The paper"
                        + " says that a forward pass takes O(B D) and a reverse one O(B), with O(1) for a"
                        + " transformation of one variable."), exponents);
        for (Curve curve : curves) {
            String name = "growth-" + curve.grown.name().toLowerCase(Locale.ROOT);
            section = section.with(table(curve), new Block.Figure(name, plot(curve), ""),
                    new Block.Figure(name + "-memory", memory(curve), ""));
        }
        Curve most = curves.get(0);
        return section.with(new Finding("Exponent of a reverse pass in " + most.grown + " (↓)",
                fixed(most.exponent(Work.REVERSE, 0), 2), shown(most.grown.reverse, 0), Finding.NONE));
    }

    private static String shown(double value, int digits) {
        return Double.isNaN(value) ? Finding.NONE : fixed(value, digits);
    }

    private static Block.Table table(Curve curve) {
        return Block.Table.numbers("Processor time and memory over " + curve.grown, curve.grown.name(),
                curve.figures.keySet().stream().map(work -> work.title).toList())
                .rows(IntStream.range(0, curve.sizes.size()).boxed().toList(), i -> {
                    List<String> row = new ArrayList<>(List.of(Integer.toString((int) curve.x()[i])));
                    curve.figures.values().forEach(figures -> row.add(fixed(figures[i], 3)));
                    return row;
                });
    }

    /** With lines of the paper's slopes through the smallest sizes. */
    private static LinePlot plot(Curve curve) {
        double[] x = curve.x();
        List<Series> series = new ArrayList<>();
        curve.figures.forEach((work, times) -> {
            if (work != Work.MEMORY) {
                series.add(Series.line(work.title.split(",")[0], x, times));
                double slope = work.published(curve.grown);
                if (!Double.isNaN(slope)) {
                    series.add(Series.line("paper, " + work.name().toLowerCase(Locale.ROOT), x, Arrays.stream(x)
                            .map(value -> times[0] * Math.pow(value / x[0], slope)).toArray()));
                }
            }
        });
        return new LinePlot("Cost over " + curve.grown, "Processor time of drawing, scoring and training over "
                + curve.grown + ", with the slopes that the paper states.", Axis.log(curve.grown.name(), ""),
                Axis.log("processor time", "ms"), series, List.of());
    }

    private static LinePlot memory(Curve curve) {
        return new LinePlot("Memory over " + curve.grown, "Memory of the arrays of a training step over "
                + curve.grown + ".", Axis.log(curve.grown.name(), ""), Axis.log("memory", "MB"),
                List.of(Series.line("arrays of a step", curve.x(), curve.figures.get(Work.MEMORY))), List.of());
    }
}
