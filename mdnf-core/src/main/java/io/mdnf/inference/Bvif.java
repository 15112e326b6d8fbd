package io.mdnf.inference;

import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.Setting;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.mixture.Sampling;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.objective.Bound;
import io.mdnf.objective.Elbo;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Algorithm;
import io.mdnf.training.Fingerprint;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import io.mdnf.training.TrainingTask;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * Boosting: one flow and its weight at a time, the others fixed. Component c + 1 maximises
 *
 * <p>(1 - rho) E_{q_1..c}[l] + rho E_{q_{c+1}}[l],  l = log p(D, x) - log q_{1..c+1}(x),
 *
 * <p>where the second expectation is over the new component alone (the published code draws it from the whole mixture).
 * All expectations are sums over components with their weights, and for deltas they are exact. The best parameters are
 * tracked for each component by itself, judged by the bound of the whole mixture.
 *
 * <p>The result is a mixture with free weights; components that were not used have weight 0.
 */
public final class Bvif extends TrainingTask<FlowMixture> {

    /** The logit of a share of 1, exactly. */
    private static final double ALL = 40;
    /** The part that holds rho of the components in the mixture, [B], 0 for the others. */
    private static final String WEIGHTS = "weights";
    /** The part that holds the bound of the mixture without the component being trained. */
    private static final String MIXTURE = "mixture";
    /** The part that counts components in a row that were not worth their place. */
    private static final String VAIN = "vain";
    /** The part that says whether no more components are to come. */
    private static final String FULL = "full";
    private static final Parameter SHARE = new Parameter("share", Initialiser.constant(0), 1, 1);

    private final TargetModel target;
    private final Mixture components;
    private final Mixture result;
    private final BvifSettings settings;
    private final ParameterLayout layout;
    private final Setting setting;
    private final Sampling sampling;
    private final Tensor before;
    private final Tensor newest;

    /** Lays out and compiles boosting a differentiable target by components of a JOINT mixture with equal weights. */
    public Bvif(TargetModel target, Mixture components, BvifSettings settings) {
        Check.that(components.structure() == Structure.JOINT && components.weighting() == Weighting.EQUAL, components,
                ": boosting takes a JOINT mixture described with equal weights");
        Check.that(target.space().equals(components.space()), "target is on ", target.space(), ", mixture on ",
                components.space());
        Check.that(settings.weights() != BvifSettings.Weights.SOLVED || components.isAtoms(),
                "weights = SOLVED needs delta bases; ", components, " has others");
        this.target = target;
        this.components = components;
        this.result = new Mixture(Structure.JOINT, components.flow(), components.base(), Weighting.FREE);
        this.settings = settings;
        int b = components.components();
        Graph graph = new Graph(Precision.DOUBLE);
        this.setting = Setting.in(graph).with(settings.straightThrough());
        MixtureGraph equal = components.in(setting);
        Tensor share = graph.parameter(SHARE).sigmoid();
        this.before = graph.placeholder("weights/before", 1, b);
        this.newest = graph.placeholder("weights/newest", 1, b);
        Tensor rest = share.times(-1).plus(1);
        MixtureGraph q = equal.withWeights(before.scaledBy(rest).plus(newest.scaledBy(share)));
        this.sampling = q.sample(settings.samples(), Estimator.CHOSEN);
        Tensor logJoint = target.linearised(graph, sampling.codes());
        Tensor logProb = q.logProb(sampling.codes(), MixtureGraph.TRAINING);
        Tensor loss = sampling.withChoices(
                new Elbo().loss(logJoint, logProb, sampling.weights()), logJoint.minus(logProb));
        this.layout = graph.layout();
        trains(ExecutionPlan.compile(graph, loss), settings.training());
    }

    @Override
    public Fingerprint fingerprint() {
        return Fingerprint.of("bvif").with("settings", settings).target(target).mixture(components);
    }

    @Override
    public double[] initial(Seed seed) {
        return layout.with(SHARE.name(), new double[] {ALL}, layout.initial(seed));
    }

    @Override
    public Map<String, double[]> parts(Seed seed) {
        return parts(new double[components.components()], Double.NEGATIVE_INFINITY, 0, false);
    }

    private static Map<String, double[]> parts(double[] weights, double elbo, double vain, boolean full) {
        return Map.of(WEIGHTS, weights, MIXTURE, new double[] {elbo}, VAIN, new double[] {vain},
                FULL, new double[] {full ? 1 : 0});
    }

    /** Which component a step trains. */
    private int component(long step) {
        return (int) (step / settings.stepsPerComponent());
    }

    @Override
    public long clock(long step) {
        return step % settings.stepsPerComponent();
    }

    @Override
    public boolean endsStage(long steps) {
        return clock(steps) == 0;
    }

    @Override
    public boolean isFinished(TrainingState state) {
        return state.part(FULL)[0] == 1;
    }

    @Override
    public void feed(TrainingStep step) {
        double[] unit = new double[components.components()];
        unit[component(step.number())] = 1;
        plan().write(setting.inverseTemperature(), 1 / step.temperature());
        plan().write(before, step.parts().get(WEIGHTS));
        plan().write(newest, unit);
        sampling.draw(plan(), step.draws());
    }

    /** With deltas and trained weights a step's estimate is the bound itself; else it has to be evaluated. */
    @Override
    public boolean isExact() {
        return components.isAtoms() && settings.weights() == BvifSettings.Weights.TRAINED;
    }

    @Override
    public double evaluate(double[] parameters, TrainingStep step) {
        double[] weights = weights(parameters, component(step.number() - 1), step.parts().get(WEIGHTS));
        try (FlowMixture q = posterior(parameters, weights)) {
            return Bound.of(target, q, MixtureTask.EVALUATION_SAMPLES, step.seed().fold("evaluation")).value();
        }
    }

    @Override
    public double worth() {
        return 0;
    }

    /** The component being trained, and its share unless it is the first. */
    @Override
    public Optional<boolean[]> active(TrainingStep step) {
        int component = component(step.number());
        boolean[] active = new boolean[layout.size()];
        for (Parameter p : layout.parameters()) {
            int offset = layout.offset(p.name());
            if (p.name().equals(SHARE.name())) {
                active[offset] = component > 0;
            } else {
                int each = p.size() / components.components();
                Arrays.fill(active, offset + component * each, offset + (component + 1) * each, true);
            }
        }
        return Optional.of(active);
    }

    /** Takes the best of a component into the mixture, or ends the run if it is not worth its place. */
    @Override
    public TrainingState nextStage(TrainingState s) {
        BvifSettings.Growth growth = settings.growth();
        int used = component(s.step());
        double[] old = s.part(WEIGHTS);
        double[] best = s.best().parameters();
        double[] grown = weights(best, used - 1, old);
        double before = s.part(MIXTURE)[0];
        double gain = s.best().value() - before;
        if (growth.concentration() > 0 && used > 1) {
            gain += growth.logPrior(grown) - growth.logPrior(old);
        }
        boolean worth = used == 1 || gain > Math.max(growth.least(), 0);
        boolean automatic = growth.least() > 0 || growth.concentration() > 0;
        double vain = worth ? 0 : s.part(VAIN)[0] + 1;
        boolean full = used == components.components() || automatic && vain == growth.patience();
        // a new component's share starts as large as each of the others'
        double[] next = full ? best : layout.with(SHARE.name(), new double[] {-Math.log(used)}, best);
        return s.restarted(next, parts(worth ? grown : old, worth ? s.best().value() : before, vain, full));
    }

    /** The mixture's weights with the new component, trained or solved. */
    private double[] weights(double[] parameters, int component, double[] before) {
        if (settings.weights() == BvifSettings.Weights.SOLVED) {
            try (FlowMixture q = posterior(parameters, before)) {
                int[][] atoms = Arrays.copyOf(q.componentAtoms(), component + 1);
                return Arrays.copyOf(LogSpace.weights(Bvi.distinctLogJoint(target, atoms)), before.length);
            }
        }
        double[] weights = new double[before.length];
        double share = component == 0 ? 1 : LogSpace.sigmoid(layout.read(SHARE.name(), parameters)[0]);
        for (int b = 0; b < component; b++) {
            weights[b] = (1 - share) * before[b];
        }
        weights[component] = share;
        return weights;
    }

    private FlowMixture posterior(double[] parameters, double[] weights) {
        double[] own = Arrays.copyOf(parameters, result.layout().size());
        return new FlowMixture(result, result.weighted(weights, own));
    }

    @Override
    public FlowMixture result(TrainingState state) {
        boolean nothing = state.part(MIXTURE)[0] == Double.NEGATIVE_INFINITY;
        return posterior(state.best().parameters(), nothing ? new double[] {1} : state.part(WEIGHTS));
    }

    @Override
    public Algorithm.Info info(TrainingState state) {
        return new Algorithm.Info(state.step(), settings().temperature().at(clock(Math.max(0, state.step() - 1))),
                state.value(), Math.max(state.best().value(), state.part(MIXTURE)[0]),
                (int) Arrays.stream(state.part(WEIGHTS)).filter(w -> w > 0).count());
    }

    @Override
    public int components() {
        return components.components();
    }

    @Override
    public String toString() {
        return "Bvif(" + components + ", " + settings + ")";
    }
}
