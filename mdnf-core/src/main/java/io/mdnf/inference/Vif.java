package io.mdnf.inference;

import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.Setting;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.mixture.Sampling;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.objective.Bound;
import io.mdnf.objective.Elbo;
import io.mdnf.objective.Objective;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Fingerprint;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingStep;
import java.util.Arrays;

/**
 * Variational inference with flows: all components are trained together by stochastic gradients of the objective. Each
 * step draws codes from the current mixture and scores exactly what it drew.
 *
 * <pre>{@code
 * Mixture mixture = Mixture.factorised(target.space(), 100);
 * Vif vif = new Vif(target, mixture, VifSettings.forMixture(mixture, 2000));
 * try (GradientTraining<FlowMixture> training = new GradientTraining<>(vif)) {
 *     FlowMixture q = training.result(training.finish(training.init(Seed.of(1))));
 * }
 * }</pre>
 */
public final class Vif extends MixtureTask {

    /** Samples that decide whether fine-tuning helped where the bound is not a finite sum. */
    private static final int TUNING_SAMPLES = 10_000;

    private final TargetModel target;
    private final VifSettings settings;
    private final boolean exactSteps;
    private final Setting setting;
    private final Sampling sampling;
    private final Tensor logJoint;
    private final Tensor estimate;
    private final Tensor temper;

    /** Lays out and compiles the training step, for a target that is differentiable unless samples are resampled. */
    public Vif(TargetModel target, Mixture mixture, VifSettings settings) {
        super(mixture);
        Check.that(target.space().equals(mixture.space()), "target is on ", target.space(), ", mixture on ",
                mixture.space());
        Check.that(target.isDifferentiable() || settings.estimator() == Estimator.RESAMPLED, "target ", target,
                " has no graph, so it has no gradient; use Bvi, a Fitter, whose searches only evaluate it, or, of a"
                + " PER_VARIABLE mixture, the resampled estimator");
        this.target = target;
        this.settings = settings;
        // every atom once, weighted exactly: a step's estimate is the bound itself
        this.exactSteps = mixture.isAtoms()
                && (mixture.weighting() == Weighting.FREE || settings.samples() % mixture.components() == 0);
        Graph graph = new Graph(settings.training().precision());
        this.setting = Setting.in(graph).with(settings.straightThrough());
        MixtureGraph q = mixture.in(setting);
        this.sampling = q.sample(settings.samples(), settings.estimator());
        this.logJoint = logJoint(graph);
        this.temper = settings.warmUp() == 0 ? null : graph.placeholder("temper", 1, 1);
        Tensor tempered = temper == null ? logJoint : logJoint.scaledBy(temper);
        Objective objective = settings.objective();
        boolean averaged = settings.estimator().isAveraged() && objective instanceof Elbo;
        Check.that(sampling.choices() == null || objective instanceof Elbo, "objective = ", objective, ": ", mixture,
                " draws components or base"
                + " codes by a law that is trained, which only the ELBO gives a gradient; take equal weights and a"
                + " fixed base, or an averaged estimator");
        Check.that(sampling.logProb() == null || objective instanceof Elbo, "objective = ", objective,
                ": the resampled estimator is one of the ELBO; take an averaged one");
        // tables at the straight-through codes, so that what x_d does to later tables reaches q_d too
        Tensor logProb = sampling.logProb() != null ? sampling.logProb() : averaged
                ? q.tables(sampling.codes()).entropy().spread(0, sampling.codes().extent(0)).times(-1)
                : q.logProb(sampling.codes(), MixtureGraph.TRAINING);
        this.estimate = objective.estimate(logJoint, logProb, sampling.weights());
        Tensor loss = sampling.withChoices(
                objective.loss(tempered, logProb, sampling.weights()), tempered.minus(logProb));
        trains(ExecutionPlan.compile(graph, loss, estimate), settings.training());
    }

    /**
     * Trains a PER_VARIABLE mixture of any origin, such as one learned from codes, further on the ELBO. Returns the
     * last iterate, or a copy of the start should its bound be the better one; the caller closes both.
     */
    public static FlowMixture fineTuned(TargetModel target, FlowMixture start, long steps, Seed seed) {
        Mixture mixture = start.mixture();
        try (var training = new GradientTraining<>(new Vif(target, mixture, VifSettings.fineTuning(steps)))) {
            double[] end = training.finish(training.start(seed, start.parameters())).parameters();
            FlowMixture last = new FlowMixture(mixture, end);
            Seed same = seed.fold("evaluation");
            double gain = Bound.of(target, last, TUNING_SAMPLES, same).value()
                    - Bound.of(target, start, TUNING_SAMPLES, same).value();
            if (gain > 0) {
                return last;
            }
            last.close();
            return new FlowMixture(mixture, start.parameters());
        }
    }

    /** log p(D, x) of the sampled codes, [n]; a black box is asked outside. */
    private Tensor logJoint(Graph graph) {
        if (!target.isDifferentiable()) {
            return graph.placeholder("logJoint", sampling.codes().extent(0));
        }
        return mixture.structure() == Structure.JOINT ? target.linearised(graph, sampling.codes())
                : target.logJoint(graph, sampling.codes());
    }

    @Override
    public Fingerprint fingerprint() {
        return Fingerprint.of("vif").with("settings", settings).target(target).mixture(mixture);
    }

    @Override
    public void feed(TrainingStep step) {
        plan().write(setting.inverseTemperature(), 1 / step.temperature());
        if (temper != null) {
            plan().write(temper, Math.min(1, (step.number() + 1.0) / settings.warmUp()));
        }
        sampling.draw(plan(), step.draws());
        if (!target.isDifferentiable()) {
            plan().write(logJoint, penalised(target.logJoint(target.space().indices(plan().read(sampling.codes())))));
        }
    }

    /** Impossible codes at a penalty below the worst possible one. */
    private static double[] penalised(double[] values) {
        double worst = Arrays.stream(values).filter(v -> v > Double.NEGATIVE_INFINITY).min().orElse(0);
        return Arrays.stream(values).map(v -> Math.max(v, worst + TargetModel.PENALTY)).toArray();
    }

    @Override
    public double value() {
        return plan().value(estimate);
    }

    @Override
    public boolean isExact() {
        return exactSteps;
    }

    @Override
    public double evaluate(double[] parameters, TrainingStep step) {
        try (FlowMixture q = new FlowMixture(mixture, parameters)) {
            return evaluated(target, q, step);
        }
    }

    @Override
    public String toString() {
        return "Vif(" + mixture + ", " + settings + ")";
    }
}
