package io.mdnf.inference;

import io.mdnf.distribution.FlowMixture;
import io.mdnf.file.Sha256;
import io.mdnf.flow.Setting;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Mixture;
import io.mdnf.space.Check;
import io.mdnf.training.Fingerprint;
import io.mdnf.training.TrainingSettings;
import io.mdnf.training.TrainingStep;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Discrete flows as a generative model: fits a mixture to observed codes by maximising the mean log-likelihood (1/n)
 * sum_i log q(x_i) over minibatches, in nats per code. Nothing is sampled from q, so only the reverse direction of the
 * flows is needed.
 *
 * <p>A mixture with delta bases gives some codes probability 0. For codes it has not seen, take a base that does not,
 * such as {@link io.mdnf.base.TrainableBase}.
 *
 * <pre>{@code
 * var task = new MaximumLikelihood(mixture, codes, MaximumLikelihood.Settings.standard(2000));
 * try (GradientTraining<FlowMixture> training = new GradientTraining<>(task)) {
 *     FlowMixture q = training.result(training.finish(training.init(Seed.of(1))));
 * }
 * }</pre>
 */
public final class MaximumLikelihood extends MixtureTask {

    private final int[][] observed;
    private final Settings settings;
    private final Minibatches minibatches;
    private final Setting setting;
    private final Tensor codes;

    /**
     * How the fit runs.
     *
     * @param batch codes per step; all of them if there are fewer
     * @param straightThrough how a one-hot shift gets its gradient
     * @param floor what is added to every probability inside the logarithm while training; the result is scored
     *     without it
     * @param training optimiser, temperature, end, and how often the best-so-far is judged on all observed codes
     */
    public record Settings(int batch, StraightThrough straightThrough, double floor, TrainingSettings training) {

        /** Checks the ranges. */
        public Settings {
            Check.that(batch >= 1 && floor > 0 && floor < 1, "batch = ", batch, ", floor = ", floor,
                    ": at least 1 code, and a floor between 0 and 1");
        }

        /** Defaults: minibatches of 256, tau = 1, Adam 0.02 falling to 0 over the steps, floor 1e-6. */
        public static Settings standard(long steps) {
            Check.that(steps >= 1, "steps = ", steps, ": at least 1");
            return new Settings(256, StraightThrough.FIRST_ORDER, 1e-6, TrainingSettings.of(new Optimiser.Adam(), 0.02)
                    .withDecay(steps).withEvaluations((int) Math.max(1, steps / 20)));
        }
    }

    /** Lays out and compiles the training step for at least 1 observed code [n][D] of the mixture's space. */
    public MaximumLikelihood(Mixture mixture, int[][] observed, Settings settings) {
        super(mixture);
        Check.that(observed.length != 0, "observed is empty: at least one code is needed");
        for (int[] code : observed) {
            mixture.space().check(code);
        }
        this.observed = Arrays.stream(observed).map(int[]::clone).toArray(int[][]::new);
        this.settings = settings;
        this.minibatches = new Minibatches(observed.length, settings.batch());
        int batch = minibatches.size();
        Graph graph = new Graph(settings.training().precision());
        this.setting = Setting.in(graph).with(settings.straightThrough());
        this.codes = graph.placeholder("codes", batch, mixture.space().variables(), mixture.space().width());
        Tensor loss = mixture.in(setting).logProb(codes, settings.floor()).sum().times(-1.0 / batch);
        trains(ExecutionPlan.compile(graph, loss), settings.training());
    }

    @Override
    public Fingerprint fingerprint() {
        return Fingerprint.of("maximum likelihood").with("settings", settings).mixture(mixture)
                .with("observed codes", new Sha256().add(observed));
    }

    @Override
    public void feed(TrainingStep step) {
        plan().write(setting.inverseTemperature(), 1 / step.temperature());
        int[][] chosen = IntStream.of(minibatches.of(step.seed(), step.number())).mapToObj(i -> observed[i])
                .toArray(int[][]::new);
        plan().write(codes, mixture.space().oneHot(chosen));
    }

    /** Returns the mean log-likelihood of all observed codes, exact. */
    @Override
    public double evaluate(double[] parameters, TrainingStep step) {
        try (FlowMixture q = new FlowMixture(mixture, parameters)) {
            return meanLogLikelihood(q, observed);
        }
    }

    @Override
    public double worth() {
        return 0;
    }

    /** The exact mean log-likelihood of codes [n][D], for instance of ones held out; -infinity if q excludes one. */
    static double meanLogLikelihood(FlowMixture q, int[][] codes) {
        return Arrays.stream(q.logProb(codes)).sum() / codes.length;
    }

    @Override
    public String toString() {
        return "MaximumLikelihood(" + mixture + ", " + observed.length + " codes, " + settings + ")";
    }
}
