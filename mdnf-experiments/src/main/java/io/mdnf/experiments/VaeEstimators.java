package io.mdnf.experiments;

import io.mdnf.mnist.Mnist;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BoxPlot;
import io.mdnf.report.Block;
import io.mdnf.report.Decimals;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.vae.VaeSettings;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/** Estimators of the gradient of one autoencoder at the sizes they are compared at elsewhere, with equal epochs. */
record VaeEstimators(VaeEstimators.Plan plan, Results<VaeSize, VaeEstimator, VaeFit> fits) {

    /** The published sizes, and one of two categories, for DisARM. */
    private static final List<VaeSize> SIZES = List.of(new VaeSize(10, 2), VaeEstimator.BY_ADAM, new VaeSize(24, 4),
            new VaeSize(16, 8), new VaeSize(12, 16), new VaeSize(8, 64), new VaeSize(30, 10));

    /**
     * Which trainings there are.
     *
     * @param change what is changed of the recipe
     */
    record Plan(List<VaeSize> sizes, int seeds, VaeFit.Course course, UnaryOperator<VaeSettings> change) {

        static Plan of(Scale scale, Mnist mnist) {
            var train = mnist.train().images();
            var test = mnist.test().images();
            return scale == Scale.QUICK
                    ? new Plan(SIZES, 1, new VaeFit.Course(train.first(20_000), test, 5, 1000),
                            UnaryOperator.identity())
                    : new Plan(SIZES, 10, new VaeFit.Course(train, test, 160, 5000), UnaryOperator.identity());
        }
    }

    static ReportSection run(Workplace workplace) throws IOException {
        return run(workplace, Plan.of(workplace.scale(), workplace.mnist()));
    }

    static ReportSection run(Workplace workplace, Plan plan) throws IOException {
        // seeds do not depend on the method, so that all see the same images in the same order
        List<VaeEstimator> methods = List.of(VaeEstimator.values());
        Results<VaeSize, VaeEstimator, VaeFit> fits = Study.of(plan.sizes(), methods, plan.seeds())
                .where(trial -> trial.method().allows(trial.test()))
                .run(workplace, "vae-estimators", VaeFit.class, trial -> trial.method().work(),
                        trial -> VaeFit.train(plan.change().apply(trial.method().settings(trial.test())), plan.course(),
                                workplace.seed().fold("vae").fold(trial.test().id()).fold(trial.seed())));
        fits.write(workplace.file("fits.csv"), List.of("latents", "categories", "method", "seed", "train elbo",
                "test elbo", "test elbo standard error", "test kl", "test log p", "seconds"),
                (trial, fit) -> List.of(trial.test().latents(), trial.test().categories(), trial.method().id(),
                        trial.seed(), fit.train(), fit.test(), fit.testError(), fit.testKl(), fit.testLogLikelihood(),
                        fit.seconds()));
        return new VaeEstimators(plan, fits).section();
    }

    private ReportSection section() {
        return ReportSection.of("vae-estimators", "Estimators for discrete autoencoders")
                .with(new Block.Paragraph(String.format(Locale.ROOT, "Grey MNIST, %,d training images, %d epochs,"
                        + " %,d test images, %d %s. All but the last row train one model: 784-512-256-(D K) and"
                        + " mirrored, a product of categoricals, a uniform prior, batches of 100, a rate of 5e-4, Adam"
                        + " at D=4, K=8 and of two categories, RAdam elsewhere; the decoder's bias starts at the mean"
                        + " image. Figures are nats per image of the valid ELBO: one hard sample of q, exact KL. VQ and"
                        + " FSQ have one code for an image, so theirs is log p(x | z) - D log K, a bound too: q is"
                        + " that code. The last row is another model, trained by its own recipe for as many epochs.",
                        plan.course().train().count(),
                        plan.course().epochs(), plan.course().test().count(), plan.seeds(),
                        plan.seeds() == 1 ? "seed" : "seeds")),
                        table("test", VaeFit::test), table("training", VaeFit::train),
                        new Block.Paragraph(said()),
                        figure("straight-through", "Drawn codes that carry a gradient",
                                VaeEstimator::isStraightThrough),
                        figure("others", "Codes compared, codes quantised", m -> !m.isStraightThrough()))
                .found(plan.sizes().stream().map(this::finding).toList());
    }

    private Block.Table table(String images, ToDoubleFunction<VaeFit> figure) {
        return Named.cross("Valid ELBO on " + images + " images, means over seeds", "method", fits.methods(),
                plan.sizes(), (method, size) -> method.allows(size) ? number(fits.mean(size, method, figure))
                        : Finding.NONE);
    }

    private Block.Figure figure(String id, String words, Predicate<VaeEstimator> member) {
        List<VaeEstimator> shown = fits.methods().stream().filter(m -> m.isOurs() || member.test(m)).toList();
        return new Block.Figure("elbo-" + id, new BoxPlot("Valid ELBO on test images: " + words,
                "Box plots of the valid ELBO by size of the code and method.", "size of the code", fits.caseTitles(),
                Axis.linear("ELBO", "nats per image"), fits.boxes(shown, VaeFit::test), List.of()),
                words + ": valid ELBO on test images. Higher is better.");
    }

    private double test(VaeSize size, VaeEstimator method) {
        return fits.mean(size, method, VaeFit::test);
    }

    /** The best estimator of the one model; diverged ones are not. */
    private VaeEstimator best(VaeSize size) {
        return fits.methods().stream().filter(m -> m != VaeEstimator.BEST && Double.isFinite(test(size, m)))
                .max(Comparator.comparingDouble(m -> test(size, m))).orElse(VaeEstimator.OURS);
    }

    /** Which estimator is best where. */
    private String said() {
        StringBuilder said = new StringBuilder();
        for (VaeSize size : plan.sizes()) {
            VaeEstimator best = best(size);
            said.append(size.title()).append(": of the one model ").append(best.title()).append(" is best, ")
                    .append(number(test(size, best)));
            if (best != VaeEstimator.OURS) {
                said.append(" where ours has ").append(number(test(size, VaeEstimator.OURS)));
            }
            said.append("; ours by default has ").append(number(test(size, VaeEstimator.BEST))).append(". ");
        }
        return said.toString().trim();
    }

    private Finding finding(VaeSize size) {
        return new Finding("ELBO on test images, " + size.title() + ", vae train's default (nats per image, ↑)",
                number(test(size, VaeEstimator.BEST)), Finding.NONE, Finding.NONE);
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "diverged" : Decimals.fixed(value, 2);
    }
}
