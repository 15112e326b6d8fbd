package io.mdnf.experiments;

import io.mdnf.mnist.Mnist;
import io.mdnf.report.CsvTable;
import io.mdnf.report.ReportSection;
import io.mdnf.vae.VaeSettings;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** The paper's figure of VAEs on MNIST: every method at every size, by bounds that are bounds. */
final class VaeElbo {

    private static final List<VaeSize> QUICK_SIZES =
            List.of(new VaeSize(10, 2), new VaeSize(10, 5), new VaeSize(20, 10));
    private static final List<VaeMethod> QUICK_METHODS = List.of(VaeMethod.MDNF, VaeMethod.MDNF_JOINT, VaeMethod.EXACT,
            VaeMethod.GUMBEL, VaeMethod.JANG, VaeMethod.ST_GUMBEL);

    /**
     * Which trainings there are.
     *
     * @param sizes of codes
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

        /** Whether a method is trained at a size. */
        boolean has(VaeMethod method, VaeSize size) {
            return methods.contains(method) && method.allows(size);
        }
    }

    private VaeElbo() {}

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
        return new VaeElboReport(plan, fits).section();
    }
}
