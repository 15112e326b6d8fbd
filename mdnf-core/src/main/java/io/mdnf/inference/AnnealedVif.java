package io.mdnf.inference;

import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.Setting;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Sampling;
import io.mdnf.mixture.Weighting;
import io.mdnf.objective.Bound;
import io.mdnf.random.Draws;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Fingerprint;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Variational inference of atoms by annealed differences: the straight-through gradient with what a change of one
 * variable is really worth, {@link Alternatives} and {@link Occupancy}, in the place of its linearisation.
 *
 * <pre>
 * y_b    = argmax(logits_b + noise)                          atoms as the flows make them
 * R      = L_kappa + H                                       worth of all changes of one variable, [B, D, K]
 * loss   = -sum(stop(R) * y)                                 y with the gradient of softmax(logits / tau)
 * </pre>
 *
 * <p>kappa = 1 is the paper's gradient, which crosses barriers and never settles; kappa = 0 the exact difference, which
 * settles and cannot cross: {@link AnnealedSettings} leads from one to the other. The target is only evaluated; its
 * factors, if it has any, tell zeros and barriers apart. Any flow on deltas is trained; networks that look at the code
 * without noise. Free weights are not trained but solved: in proportion to the probabilities of the atoms.
 *
 * <pre>{@code
 * Mixture atoms = Mixture.atoms(target.space(), 100);
 * AnnealedVif vif = new AnnealedVif(target, atoms, AnnealedSettings.forMixture(atoms, 4000));
 * try (GradientTraining<FlowMixture> training = new GradientTraining<>(vif)) {
 *     FlowMixture q = training.result(training.finish(training.init(Seed.of(1))));
 * }
 * }</pre>
 */
public final class AnnealedVif extends MixtureTask {

    private final TargetModel target;
    private final AnnealedSettings settings;
    private final CodeSpace space;
    private final Alternatives alternatives;
    private final Occupancy occupancy;
    private final Setting setting;
    private final Sampling sampling;
    private final Tensor worth;
    private final List<Tensor> noises = new ArrayList<>();
    private double value;

    /** Lays out and compiles the training step, for any target and a mixture of atoms. */
    public AnnealedVif(TargetModel target, Mixture mixture, AnnealedSettings settings) {
        super(mixture);
        Check.that(target.space().equals(mixture.space()), "target is on ", target.space(), ", mixture on ",
                mixture.space());
        Check.that(mixture.isAtoms() && !mixture.isConditional(), mixture,
                " is no set of atoms, which annealed differences are for; train it by Vif");
        this.target = target;
        this.settings = settings;
        this.space = target.space();
        this.alternatives = new Alternatives(target);
        this.occupancy = new Occupancy(space, mixture.weighting());
        Graph graph = new Graph(settings.training().precision());
        this.setting = Setting.in(graph).with(this::noisy);
        Mixture equal = new Mixture(mixture.structure(), mixture.flow(), mixture.base(), Weighting.EQUAL);
        this.sampling = equal.in(setting).sample(mixture.components(), Estimator.CHOSEN);
        this.worth = graph.placeholder("worth", sampling.codes().shape());
        trains(ExecutionPlan.compile(graph, worth.times(sampling.codes()).times(-1).sum(), sampling.codes()),
                settings.training());
    }

    /** The code of the largest logit after noise, with the gradient of the softmax without. */
    private Tensor noisy(Tensor logits, CodeSpace codes, Tensor inverseTemperature) {
        Tensor noise = logits.graph().placeholder("noise" + noises.size(), logits.shape());
        noises.add(noise);
        Tensor valid = StraightThrough.restrict(logits, codes);
        return StraightThrough.carryGradient(valid.plus(noise).argmaxOneHot(),
                valid.scaledBy(inverseTemperature).softmax());
    }

    @Override
    public Fingerprint fingerprint() {
        return Fingerprint.of("annealed vif").with("settings", settings).target(target).mixture(mixture);
    }

    /** {@inheritDoc} The plan runs once before: only then the atoms are known, and what their changes are worth. */
    @Override
    public void feed(TrainingStep step) {
        AnnealedSettings.Phase phase = settings.at(step.number());
        if (AnnealedSettings.isDirect(mixture)) {
            plan().load(bounded(plan().parameters()));
        }
        plan().write(setting.inverseTemperature(), 1 / step.temperature());
        Draws draws = step.draws();
        // a code sampled variable by variable outside the graph knows no noise
        double size = mixture.looksAtCode() ? 0 : phase.noise();
        for (Tensor noise : noises) {
            double[] gumbel = size == 0 ? new double[noise.size()] : draws.gumbel(noise.name(), noise.size());
            Arrays.setAll(gumbel, i -> size * gumbel[i]);
            plan().write(noise, gumbel);
        }
        sampling.draw(plan(), draws);
        plan().run();
        int[][] y = space.indices(plan().read(sampling.codes()));
        double[] all = alternatives.of(y, phase.kappa(), phase.floor(), draws);
        occupancy.addTo(all, y);
        plan().write(worth, all);
        value = bound(y);
    }

    /** Logits of valid categories at most {@code gap} below the largest of their variable, which is 0. */
    private double[] bounded(double[] logits) {
        int width = space.width();
        for (int row = 0; row < logits.length; row += width) {
            int categories = space.cardinality(row / width % space.variables());
            double most = Arrays.stream(logits, row, row + categories).max().orElseThrow();
            for (int k = row; k < row + categories; k++) {
                logits[k] = Math.max(logits[k] - most, -settings.gap());
            }
        }
        return logits;
    }

    /** The bound of atoms; impossible ones count as in a graph, so that it is finite. */
    private double bound(int[][] y) {
        double[] equal = new double[y.length];
        Arrays.fill(equal, 1.0 / y.length);
        Atoms atoms = Atoms.merged(space, y, equal);
        double[] logJoint = target.logJoint(atoms.codes());
        Arrays.setAll(logJoint, i -> Math.max(logJoint[i], TargetModel.PENALTY * space.variables()));
        return mixture.weighting() == Weighting.EQUAL ? atoms.elbo(logJoint) : LogSpace.sumExp(logJoint);
    }

    @Override
    public double value() {
        return value;
    }

    @Override
    public double evaluate(double[] parameters, TrainingStep step) {
        try (FlowMixture q = with(parameters)) {
            return Bound.of(target, q, 1, step.seed()).value();
        }
    }

    /** The mixture with parameters of the plan; free weights in proportion to the probabilities of distinct atoms. */
    private FlowMixture with(double[] parameters) {
        if (mixture.weighting() == Weighting.EQUAL) {
            return new FlowMixture(mixture, parameters);
        }
        double[] flat = Arrays.copyOf(parameters, mixture.layout().size());
        try (FlowMixture flows = new FlowMixture(mixture, flat)) {
            double[] rho = LogSpace.weights(Bvi.distinctLogJoint(target, flows.componentAtoms()));
            return new FlowMixture(mixture, mixture.weighted(rho, flat));
        }
    }

    @Override
    public FlowMixture result(TrainingState state) {
        return with(state.best().parameters());
    }

    @Override
    public String toString() {
        return "AnnealedVif(" + mixture + ", " + settings + ")";
    }
}
