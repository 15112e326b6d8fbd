package io.mdnf.experiments;

import io.mdnf.mnist.Mnist;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BarPlot;
import io.mdnf.plot.BoxPlot;
import io.mdnf.plot.LinePlot;
import io.mdnf.plot.Plot;
import io.mdnf.plot.Series;
import io.mdnf.report.Block;
import io.mdnf.report.Block.Column;
import io.mdnf.report.CsvTable;
import io.mdnf.report.Decimals;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.vae.VaeSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The paper's figure of VAEs on MNIST: every method at every size, by bounds that are bounds. */
record VaeElbo(VaeElbo.Plan plan, Results<VaeSize, VaeMethod, VaeFit> fits) {

    private static final List<VaeSize> QUICK_SIZES =
            List.of(new VaeSize(10, 2), new VaeSize(10, 5), new VaeSize(20, 10));
    private static final List<VaeMethod> QUICK_METHODS = List.of(VaeMethod.MDNF, VaeMethod.MDNF_PAPER,
            VaeMethod.MDNF_JOINT, VaeMethod.SUMMED, VaeMethod.GUMBEL, VaeMethod.JANG, VaeMethod.ST_GUMBEL);

    /**
     * Which trainings there are.
     *
     * @param methods wherever they can be afforded
     * @param seeds trainings of each
     * @param course what each learns from, and how long
     * @param change what is changed of the paper's settings
     */
    record Plan(List<VaeSize> sizes, List<VaeMethod> methods, int seeds, VaeFit.Course course,
            UnaryOperator<VaeSettings> change) {

        static Plan of(Scale scale, Mnist mnist) {
            var train = mnist.train().images();
            var test = mnist.test().images();
            return scale == Scale.QUICK
                    ? new Plan(QUICK_SIZES, QUICK_METHODS, 1, new VaeFit.Course(train.first(12_800), test.first(1000),
                            8, 1000), UnaryOperator.identity())
                    : new Plan(VaeSize.PAPER, List.of(VaeMethod.values()), 3,
                            new VaeFit.Course(train, test, 100, 5000), UnaryOperator.identity());
        }

        boolean has(VaeMethod method, VaeSize size) {
            return methods.contains(method) && method.allows(size);
        }
    }

    static ReportSection run(Workplace workplace) throws IOException {
        return run(workplace, Plan.of(workplace.scale(), workplace.mnist()));
    }

    static ReportSection run(Workplace workplace, Plan plan) throws IOException {
        // seeds do not depend on the method, so that all methods see the same images in the same order
        Results<VaeSize, VaeMethod, VaeFit> fits = Study.of(plan.sizes(), plan.methods(), plan.seeds())
                .where(trial -> trial.method().allows(trial.test()))
                .run(workplace, "vae-elbo", VaeFit.class, trial -> trial.method().work(trial.test()),
                        trial -> VaeFit.train(plan.change().apply(trial.method().settings(trial.test())), plan.course(),
                                workplace.seed().fold("vae").fold(trial.test().id()).fold(trial.seed())));
        fits.write(workplace.file("fits.csv"), List.of("latents", "categories", "method", "seed", "objective claims",
                "train elbo", "test elbo", "test elbo standard error", "test kl", "test log p", "seconds"),
                (trial, fit) -> List.of(trial.test().latents(), trial.test().categories(), trial.method().id(),
                        trial.seed(), fit.claim(), fit.train(), fit.test(), fit.testError(), fit.testKl(),
                        fit.testLogLikelihood(), fit.seconds()));
        CsvTable epochs = new CsvTable("latents", "categories", "method", "seed", "epoch", "objective", "train elbo",
                "test elbo");
        fits.all().forEach((trial, fit) -> IntStream.range(0, fit.objective().length).forEach(e -> epochs.row(
                trial.test().latents(), trial.test().categories(), trial.method().id(), trial.seed(), e + 1,
                fit.objective()[e], fit.trainElbo()[e], fit.testElbo()[e])));
        epochs.write(workplace.file("epochs.csv"));
        return new VaeElbo(plan, fits).section();
    }

    ReportSection section() {
        ReportSection section = ReportSection.of("vae-elbo", "VAEs on MNIST with discrete codes")
                .with(new Block.Paragraph(String.format(Locale.ROOT, "%,d training images, %d epochs, %,d test images,"
                        + " %d %s; grey pixels, batches of 256, Adam 1e-3. Every ELBO here is a lower bound of"
                        + " log p(x): codes are hard samples of the q that is scored, in every term, one per image,"
                        + " and KL(q || prior) is summed exactly. All figures are nats per image. The paper's figure"
                        + " shows sampled objectives that are no bounds, on training images, without numbers.",
                        plan.course().train().count(), plan.course().epochs(), plan.course().test().count(),
                        plan.seeds(), plan.seeds() == 1 ? "seed" : "seeds")), summary())
                .withAll(families().map(family -> new Block.Figure("elbo-" + family.id(), boxes(family),
                        family.words + ": valid ELBO on test images. Higher is better; sizes have limits of their"
                                + " own.")).toList())
                .withAll(families().filter(family -> family != Family.UNRELAXED).map(family -> new Block.Figure(
                        "claims-" + family.id(), claims(family), family.words + ": the method's own objective at the"
                                + " end of training minus the valid ELBO of the same model on the same training images."
                                + " 0 where the objective is an honest estimate, up to noise.")).toList());
        for (VaeSize size : plan.sizes()) {
            section = section.with(new Block.Heading(size.title()), table(size))
                    .withAll(families().map(family -> new Block.Figure("epochs-" + size.id() + "-" + family.id(),
                            curves(size, family), family.words + ": valid ELBO on training images after every epoch;"
                                    + " medians over seeds, bands from the lower to the upper quartile.")).toList());
        }
        return section.with(published()).found(findings());
    }

    /** Those with something to compare MDNF with. */
    private Stream<Family> families() {
        return Arrays.stream(Family.values()).filter(family -> shown(family).size() > 1);
    }

    /** The bound where the paper has one to compare with, what it cannot pass, and MDNF against Gumbel at the end. */
    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        VaeSize first = plan.sizes().get(0);
        VaeSize last = plan.sizes().get(plan.sizes().size() - 1);
        if (plan.has(VaeMethod.MDNF, first)) {
            Optional<PublishedVae> published = PublishedVae.figures().stream()
                    .filter(p -> p.like() == VaeMethod.MDNF && p.size().equals(first) && isReached(p))
                    .max(Comparator.comparingDouble(PublishedVae::objective));
            int epochs = published.map(PublishedVae::epochs).orElse(plan.course().epochs());
            String model = "MDNF, " + first.title();
            findings.add(finding("ELBO on training images, " + model + ", " + epochs + " epochs",
                    fits.mean(first, VaeMethod.MDNF,
                            f -> published.isPresent() ? f.trainElbo()[epochs - 1] : f.train()),
                    published.map(p -> number(p.objective()) + ", not a bound").orElse(Finding.NONE), Double.NaN));
            findings.add(finding("ELBO on test images, " + model + "; limit: its log p(x)",
                    fits.mean(first, VaeMethod.MDNF, VaeFit::test), Finding.NONE,
                    fits.mean(first, VaeMethod.MDNF, VaeFit::testLogLikelihood)));
        }
        if (plan.has(VaeMethod.MDNF, last) && plan.has(VaeMethod.GUMBEL, last)) {
            findings.add(finding("ELBO on test images, MDNF above Gumbel, " + last.title(),
                    fits.mean(last, VaeMethod.MDNF, VaeFit::test) - fits.mean(last, VaeMethod.GUMBEL, VaeFit::test),
                    Finding.NONE, Double.NaN));
        }
        return findings;
    }

    private static Finding finding(String what, double ours, String paper, double limit) {
        return new Finding(what + " (nats per image, ↑)", trained(ours), paper, number(limit));
    }

    private static String trained(double value) {
        return Double.isNaN(value) ? "diverged" : number(value);
    }

    /** Whether as much was trained as the authors did for a figure. */
    private boolean isReached(PublishedVae published) {
        return plan.course().train().count() == 60_000 && published.epochs() <= plan.course().epochs();
    }

    /** Methods that share a plot, so that no plot has more series than there are colours; MDNF is in all. */
    private enum Family {
        UNRELAXED("Without relaxation", m -> m.maximisesABound()),
        RELAXED("Gumbel-Softmax", m -> !m.maximisesABound() && !m.isStraightThrough()),
        STRAIGHT_THROUGH("Gumbel-Softmax with straight-through", VaeMethod::isStraightThrough);

        private final String words;
        private final Predicate<VaeMethod> member;

        Family(String words, Predicate<VaeMethod> member) {
            this.words = words;
            this.member = member;
        }

        String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private List<VaeMethod> shown(Family family) {
        return plan.methods().stream().filter(m -> m == VaeMethod.MDNF || family.member.test(m)).toList();
    }

    private static String number(double value) {
        return Decimals.fixed(value, 2);
    }

    /** Rows are methods, columns sizes. */
    private Block.Table summary() {
        Block.Table table = Named.cross("Valid ELBO on test images, means over seeds", "method", plan.methods(),
                plan.sizes(), (method, size) -> plan.has(method, size)
                        ? trained(fits.mean(size, method, VaeFit::test)) : Finding.NONE);
        if (plan.methods().contains(VaeMethod.SUMMED)) {
            table = table.footnote("summed: the ELBO of a product of categoricals and its gradient, summed over all"
                    + " codes; at most 4096 of them.");
        }
        if (plan.methods().contains(VaeMethod.MDNF_PAPER)) {
            table = table.footnote("The paper's head has (D K B)^2 weights, 64 million at D K = 200: left out there."
                    + " Its gradient: first order, to the flow that was drawn, τ = 100. Unlike the paper's, each"
                    + " variable draws its own flow, as it is scored.");
        }
        if (plan.methods().contains(VaeMethod.MADDISON_22)) {
            table = table.footnote("With a uniform prior Jang's objective and Maddison's Eq. 22 are the same; trained"
                    + " from the same seeds they differ by rounding.");
        }
        long known = fits.all().values().stream().filter(f -> Double.isFinite(f.testLogLikelihood())).count();
        long above = fits.all().values().stream().filter(f -> f.test() > f.testLogLikelihood()).count();
        return table.footnote("log p(x) is known exactly for " + known + " of " + fits.all().size() + " models; "
                + (above == 0 ? "no ELBO is above it." : above + " ELBOs are above it, which must not happen."));
    }

    private BoxPlot boxes(Family family) {
        return new BoxPlot("Valid ELBO on test images", "Box plots of the valid ELBO by size of the code and method.",
                "size of the code", fits.caseTitles(), Axis.linear("ELBO", "nats per image"),
                fits.boxes(shown(family), VaeFit::test), List.of());
    }

    private BarPlot claims(Family family) {
        return new BarPlot("What is maximised minus the valid bound",
                "Bars of each method's objective minus the valid ELBO, by size of the code.", "size of the code",
                fits.caseTitles(), Axis.linear("objective - valid ELBO", "nats per image"),
                shown(family).stream().map(method -> BarPlot.Bars.of(method.title(), plan.sizes().stream()
                        .mapToDouble(size -> fits.mean(size, method, f -> f.claim() - f.train())).toArray())).toList(),
                List.of());
    }

    private Plot curves(VaeSize size, Family family) {
        double[] epochs = IntStream.rangeClosed(1, plan.course().epochs()).asDoubleStream().toArray();
        return new LinePlot("ELBO over epochs: " + size.title(), "Valid ELBO of every method over epochs.",
                Axis.linear("epoch", ""), Axis.linear("ELBO", "nats per image"),
                shown(family).stream().filter(method -> plan.has(method, size)).map(method -> Series.overSeeds(
                        method.title(), epochs, fits.of(size, method).stream().map(VaeFit::trainElbo)
                                .toArray(double[][]::new))).toList(), List.of());
    }

    private Block.Table table(VaeSize size) {
        boolean spread = plan.seeds() > 1;
        List<Column> columns = new ArrayList<>(List.of(Column.text("method"),
                Column.number("objective claims, train"), Column.number("ELBO, train"), Column.number("difference"),
                Column.number("ELBO, test").emphasised()));
        if (spread) {
            columns.addAll(List.of(Column.number("lowest"), Column.number("highest")));
        }
        columns.addAll(List.of(Column.number("KL, test"), Column.number("log p(x), test"),
                Column.text("the objective is")));
        return new Block.Table(size.title() + ", means over seeds, nats per image", columns, List.of(), List.of())
                .rows(plan.methods().stream().filter(method -> plan.has(method, size)).toList(), method -> {
                    List<String> cells = new ArrayList<>(List.of(method.title(),
                            number(fits.mean(size, method, VaeFit::claim)),
                            number(fits.mean(size, method, VaeFit::train)),
                            number(fits.mean(size, method, f -> f.claim() - f.train())),
                            number(fits.mean(size, method, VaeFit::test))));
                    if (spread) {
                        DoubleSummaryStatistics tests = Arrays.stream(fits.values(size, method, VaeFit::test))
                                .summaryStatistics();
                        cells.addAll(List.of(number(tests.getMin()), number(tests.getMax())));
                    }
                    cells.addAll(List.of(number(fits.mean(size, method, VaeFit::testKl)),
                            number(fits.mean(size, method, VaeFit::testLogLikelihood)),
                            method.maximisesABound() ? "a bound" : "not a bound"));
                    return cells;
                });
    }

    /** The notebooks' figures; ours beside them where as much was trained. */
    private Block.Table published() {
        boolean whole = plan.course().train().count() == 60_000;
        return Block.Table.of("Published, training images, nats per image", Column.text("method"),
                Column.text("size"), Column.number("epochs"), Column.number("objective"), Column.number("\"ELBO\""),
                Column.text("they are"), Column.number("ours, valid").emphasised())
                .rows(PublishedVae.figures(), each -> List.of(each.method(), each.size().title(),
                        Integer.toString(each.epochs()), number(each.objective()), number(each.elbo()), "not a bound",
                        isReached(each) ? number(fits.mean(each.size(), each.like(),
                                f -> f.trainElbo()[each.epochs() - 1])) : Finding.NONE))
                .footnote("Printed by the authors' notebooks, with one seed; the paper's figure is an image.")
                .footnote("MDNF is not a bound: one flow is drawn for all variables, but each is scored as if it had"
                        + " drawn its own. Gumbel and Jang are not: the decoder sees relaxed codes, in the \"ELBO\""
                        + " too.")
                .footnote(whole ? "Ours: on the first " + String.format(Locale.ROOT, "%,d", plan.course().evaluated())
                        + " training images." : "Ours stands there at the paper's scale only: here fewer images are"
                        + " learned from.");
    }
}
