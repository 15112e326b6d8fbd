package io.mdnf.experiments;

import com.fasterxml.jackson.core.type.TypeReference;
import io.mdnf.report.CsvTable;
import io.mdnf.report.Progress;
import io.mdnf.report.ReportSection;
import io.mdnf.random.Seed;
import io.mdnf.vae.Mnist;
import io.mdnf.vae.VaeSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;

/** The paper's figure of VAEs on MNIST: every method at every size, by bounds that are bounds. */
final class VaeElbo implements Experiment {

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

    /** One training to be made. */
    private record Job(VaeSize size, VaeMethod method, int seed) {

        String name() {
            return size.id() + "-" + method.id() + "-" + seed;
        }
    }

    @Override
    public String name() {
        return "vae-elbo";
    }

    @Override
    public String paper() {
        return "Fig. 4: VAEs on MNIST, every method and size";
    }

    @Override
    public double minutes(Scale scale) {
        return scale == Scale.QUICK ? 2.3 : 1740;
    }

    @Override
    public ReportSection run(Workplace workplace) throws IOException {
        return report(workplace, Plan.of(workplace.scale(), MnistData.load(workplace.data(), workplace.quiet())));
    }

    ReportSection report(Workplace workplace, Plan plan) throws IOException {
        List<VaeFit> fits = fits(workplace, plan);
        write(workplace, fits);
        return new VaeElboReport(plan, fits).section(name());
    }

    private static List<VaeFit> fits(Workplace workplace, Plan plan) {
        List<Job> jobs = new ArrayList<>();
        for (int seed = 0; seed < plan.seeds(); seed++) {
            for (VaeSize size : plan.sizes()) {
                for (VaeMethod method : plan.methods()) {
                    if (plan.has(method, size)) {
                        jobs.add(new Job(size, method, seed));
                    }
                }
            }
        }
        jobs.sort(Comparator.comparingDouble(job -> -job.method().work(job.size())));
        KeptParts<VaeFit> parts = workplace.parts("fits", new TypeReference<>() { });
        List<Callable<VaeFit>> calls = new ArrayList<>();
        for (Job job : jobs) {
            // without the method, so that all methods see the same images in the same order
            Seed seed = workplace.seed().fold("vae").fold(job.size().id()).fold(job.seed());
            calls.add(() -> parts.part(job.name(), () -> VaeFit.train(job.size(), job.method(), job.seed(),
                    plan.change().apply(job.method().settings(job.size())), plan.course(), seed)));
        }
        List<VaeFit> fits;
        try (Progress progress = workplace.progress("train VAEs", calls.size())) {
            fits = new ArrayList<>(FitPool.run(calls, progress));
        }
        fits.sort(Comparator.comparingInt((VaeFit fit) -> plan.sizes().indexOf(fit.size()))
                .thenComparing(VaeFit::method).thenComparing(VaeFit::seed));
        return fits;
    }

    private static void write(Workplace workplace, List<VaeFit> fits) throws IOException {
        CsvTable ends = new CsvTable("latents", "categories", "method", "seed", "objective claims", "train elbo",
                "test elbo", "test elbo standard error", "test kl", "test log p", "seconds");
        CsvTable epochs = new CsvTable("latents", "categories", "method", "seed", "epoch", "objective", "train elbo",
                "test elbo");
        for (VaeFit fit : fits) {
            ends.row(fit.size().latents(), fit.size().categories(), fit.method().id(), fit.seed(), fit.claim(),
                    fit.train(), fit.test(), fit.testError(), fit.testKl(), fit.testLogLikelihood(), fit.seconds());
            for (int e = 0; e < fit.objective().length; e++) {
                epochs.row(fit.size().latents(), fit.size().categories(), fit.method().id(), fit.seed(), e + 1,
                        fit.objective()[e], fit.trainElbo()[e], fit.testElbo()[e]);
            }
        }
        ends.write(workplace.folder().resolve("fits.csv"));
        epochs.write(workplace.folder().resolve("epochs.csv"));
    }
}
