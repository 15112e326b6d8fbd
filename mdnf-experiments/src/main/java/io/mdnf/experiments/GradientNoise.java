package io.mdnf.experiments;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.bn.GumbelFit;
import io.mdnf.bn.GumbelSettings;
import io.mdnf.bn.GumbelTemperatures;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.graph.StraightThrough;
import io.mdnf.inference.AnnealedSettings;
import io.mdnf.inference.AnnealedVif;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BarPlot;
import io.mdnf.random.Seed;
import io.mdnf.report.Block;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.space.Estimate;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import io.mdnf.training.TrainingTask;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.VaeSettings;
import io.mdnf.vae.VaeTraining;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * How noisy the gradient of a step is, for every method: at fixed parameters, g computed anew many times,
 *
 * <pre>noise = sqrt(sum_i Var g_i) / |E g|</pre>
 *
 * <p>over all parameters, and std / |mean| of the objective beside it.
 */
final class GradientNoise {

    private static final int COMPONENTS = 100;
    private static final int STEPS = 1000;
    private static final VaeSize SIZE = new VaeSize(10, 2);

    /** How a network's posterior is trained. */
    private interface Way extends Function<NetworkTarget, TrainingTask<?>> {}

    private static final List<Item<Way>> METHODS = List.of(
            factorised(Estimator.CHOSEN), factorised(Estimator.AVERAGED), factorised(Estimator.SECOND_ORDER),
            factorised(Estimator.RESAMPLED),
            new Item<>("joint-published", "joint, published", target -> {
                Mixture mixture = Mixture.atoms(target.space(), COMPONENTS);
                return new Vif(target, mixture, VifSettings.forMixture(mixture, STEPS));
            }),
            new Item<>("joint-annealed", "joint, annealed differences", target -> {
                Mixture mixture = Mixture.atoms(target.space(), COMPONENTS);
                return new AnnealedVif(target, mixture, AnnealedSettings.forMixture(mixture, STEPS));
            }),
            autoregressive(Estimator.CHOSEN), autoregressive(Estimator.AVERAGED),
            autoregressive(Estimator.RESAMPLED), gumbel(false), gumbel(true));

    /**
     * Of one step, at fixed parameters.
     *
     * @param gradient deviation of the gradient over the length of its mean
     * @param objective deviation of the objective over its mean
     */
    record Noise(double gradient, double objective) {}

    private GradientNoise() {}

    private static Item<Way> factorised(Estimator estimator) {
        return vif("factorised", estimator, target -> Mixture.factorised(target.space(), COMPONENTS));
    }

    private static Item<Way> autoregressive(Estimator estimator) {
        return vif("autoregressive", estimator,
                target -> Mixture.autoregressive(target.space(), COMPONENTS, target.order()));
    }

    private static Item<Way> vif(String family, Estimator estimator, Function<NetworkTarget, Mixture> mixture) {
        return new Item<>(family + "-" + estimator, family + ", " + estimator, target -> {
            Mixture q = mixture.apply(target);
            VifSettings usual = VifSettings.forMixture(q, STEPS);
            // without warm-up: the first steps would know of the entropy alone
            return new Vif(target, q, new VifSettings(usual.samples(), estimator, StraightThrough.FIRST_ORDER,
                    usual.objective(), 0, usual.training()));
        });
    }

    private static Item<Way> gumbel(boolean straightThrough) {
        GridMethod method = straightThrough ? GridMethod.ST_GUMBEL : GridMethod.GUMBEL;
        return new Item<>(method.id(), method.title() + ", τ=10, τ_p=1", target -> new GumbelFit(target,
                GumbelSettings.published(straightThrough), List.of(GumbelTemperatures.constant(10, 1))));
    }

    static ReportSection run(Workplace workplace) throws IOException {
        DigitImages images = workplace.mnist().train().images();
        return run(workplace, workplace.pick(List.of(PaperCases.SACHS_LOW, PaperCases.EARTHQUAKE_TRUE),
                PaperCases.all()), List.of(VaeMethod.values()), images.first(workplace.pick(20_000, images.count())),
                List.of(0, STEPS / 2), workplace.pick(100, 400), UnaryOperator.identity());
    }

    static ReportSection run(Workplace workplace, List<PaperCases> cases, List<VaeMethod> methods, DigitImages images,
            List<Integer> after, int repeats, UnaryOperator<VaeSettings> change) throws IOException {
        List<Item<Integer>> times = after.stream()
                .map(steps -> new Item<>(steps + "-steps", "after " + steps + " steps", steps)).toList();
        List<Block> blocks = new ArrayList<>();
        for (PaperCases test : cases) {
            Results<Item<Integer>, Item<Way>, Noise> results = Study.of(times, METHODS, 1).run(workplace,
                    "gradient-noise-" + test.id(), Noise.class, trial -> {
                        NetworkTarget target = test.target();
                        Seed seed = workplace.seed().fold("gradient-noise");
                        try (var training = new GradientTraining<>(trial.method().value().apply(target))) {
                            TrainingState at = training.advance(training.init(seed), trial.test().value());
                            return of(training.task(), at, repeats, seed.fold("repeats"));
                        }
                    });
            results.write(workplace.file(test.id() + ".csv"), List.of("method", "steps", "gradient", "objective"),
                    (trial, noise) -> List.of(trial.method().id(), trial.test().value(), noise.gradient(),
                            noise.objective()));
            blocks.addAll(blocks(test.id(), test.title() + ", S = 100", results));
        }
        Item<Integer> epoch = new Item<>("epoch", "after one epoch", 0);
        Results<Item<Integer>, VaeMethod, Noise> digits = Study.of(List.of(epoch), methods, 1)
                .where(trial -> trial.method().allows(SIZE))
                .run(workplace, "gradient-noise-vae", Noise.class, trial -> trial.method().work(SIZE),
                        trial -> digits(change.apply(trial.method().settings(SIZE)), images, repeats,
                                workplace.seed()));
        blocks.addAll(blocks("vae", "VAE on MNIST, " + SIZE.title() + ", one code for each of 256 images", digits));
        return ReportSection.of("gradient-noise", "Noise of gradients")
                .with(new Block.Paragraph("The gradient of one step, computed " + repeats + " times at the same"
                        + " parameters with fresh draws: sqrt(sum of variances) / |mean|, over all parameters."
                        + " It says how much of a step is chance, not whether its mean is right: that is what the"
                        + " gradient contract checks. Of one method it grows as the mean falls towards an optimum."))
                .withAll(blocks)
                .with(finding(digits, epoch));
    }

    private static Finding finding(Results<Item<Integer>, VaeMethod, Noise> digits, Item<Integer> epoch) {
        VaeMethod first = digits.methods().get(0);
        return new Finding("Noise of the VAE's gradient, " + first.title() + ", one code for each image (↓)",
                fixed(digits.median(epoch, first, Noise::gradient), 3), Finding.NONE, Finding.NONE);
    }

    /** All images once, then the first batch again and again. */
    private static Noise digits(VaeSettings settings, DigitImages images, int repeats, Seed seed) {
        TrainingState end;
        try (var training = new GradientTraining<>(new VaeTraining(settings, images, 1))) {
            end = training.finish(training.init(seed));
        }
        try (VaeTraining same = new VaeTraining(settings, images.first(settings.batch()), 1)) {
            return of(same, end, repeats, seed.fold("repeats"));
        }
    }

    /** The noise of a task's step at a state. */
    static Noise of(TrainingTask<?> task, TrainingState at, int repeats, Seed seed) {
        double temperature = task.settings().temperature().at(task.clock(at.step()));
        double[] sum = new double[at.parameters().length];
        double squares = 0;
        double[] objective = new double[repeats];
        for (int i = 0; i < repeats; i++) {
            task.plan().load(at.parameters());
            task.feed(new TrainingStep(seed.fold(i), at.step(), temperature, at.parts()));
            task.plan().run();
            objective[i] = task.value();
            double[] gradient = task.plan().gradients();
            for (int j = 0; j < sum.length; j++) {
                sum[j] += gradient[j];
                squares += gradient[j] * gradient[j];
            }
        }
        double ofMean = Arrays.stream(sum).map(total -> total / repeats * total / repeats).sum();
        double variance = Math.max(0, squares - repeats * ofMean) / (repeats - 1);
        // what the mean of so few repeats is too long by
        double length = Math.sqrt(Math.max(0, ofMean - variance / repeats));
        Estimate mean = Estimate.of(objective);
        return new Noise(Math.sqrt(variance) / length,
                mean.standardError() * Math.sqrt(repeats) / Math.abs(mean.value()));
    }

    private static <M extends Named> List<Block> blocks(String id, String title,
            Results<Item<Integer>, M, Noise> results) {
        List<Block.Column> columns = new ArrayList<>(List.of(Block.Column.text("method")));
        results.cases().forEach(time -> {
            columns.add(Block.Column.number("gradient, " + time.title()).emphasised());
            columns.add(Block.Column.number("objective, percent"));
        });
        List<M> methods = results.methods().stream()
                .filter(method -> !results.of(results.cases().get(0), method).isEmpty()).toList();
        Block.Table table = Block.Table.of("Noise of a step: " + title, columns.toArray(Block.Column[]::new))
                .rows(methods, method -> {
                    List<String> row = new ArrayList<>(List.of(method.title()));
                    results.cases().forEach(time -> {
                        row.add(fixed(results.median(time, method, Noise::gradient), 3));
                        row.add(fixed(100 * results.median(time, method, Noise::objective), 3));
                    });
                    return row;
                })
                .footnote("infinity: the mean cannot be told from 0 by so many repeats.");
        Item<Integer> last = results.cases().get(results.cases().size() - 1);
        BarPlot plot = new BarPlot("Noise of the gradient: " + title, "Bars of the deviation of a step's gradient over"
                + " the length of its mean, by method.", "method", methods.stream().map(Named::title).toList(),
                Axis.linear("deviation / mean, " + last.title(), ""), List.of(BarPlot.Bars.of("noise", methods.stream()
                        .mapToDouble(method -> results.median(last, method, Noise::gradient)).toArray())), List.of());
        return List.of(table, new Block.Figure("noise-" + id, plot, ""));
    }
}
