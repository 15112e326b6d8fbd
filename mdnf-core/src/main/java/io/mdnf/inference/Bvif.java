package io.mdnf.inference;

import io.mdnf.checkpoint.Checkpoint;
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
import io.mdnf.distribution.FlowMixture;
import io.mdnf.mixture.Sampling;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.objective.Bound;
import io.mdnf.objective.Elbo;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Algorithm;
import io.mdnf.training.DivergenceException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
public final class Bvif implements Algorithm<BvifState> {

    private static final int EVALUATION_SAMPLES = 1000;
    private static final int EVALUATE_EVERY = 50;
    private static final Parameter SHARE = new Parameter("share", Initialiser.constant(0), 1, 1);

    private final TargetModel target;
    private final Mixture components;
    private final Mixture result;
    private final BvifSettings settings;
    private final ParameterLayout layout;
    private final ExecutionPlan plan;
    private final Setting setting;
    private final Sampling sampling;
    private final Tensor before;
    private final Tensor newest;
    private final Tensor loss;
    private BvifState live;

    /**
     * Lays out and compiles the training step.
     *
     * @param target what is fitted to; must be differentiable
     * @param components a JOINT mixture with equal weights that says what each component is and how many there may be
     * @param settings how to boost
     */
    public Bvif(TargetModel target, Mixture components, BvifSettings settings) {
        if (components.structure() != Structure.JOINT || components.weighting() != Weighting.EQUAL) {
            throw new IllegalArgumentException(components + ": boosting takes a JOINT mixture described with equal weights");
        }
        if (!target.space().equals(components.space())) {
            throw new IllegalArgumentException("target is on " + target.space() + ", mixture on " + components.space());
        }
        if (settings.weights() == BvifSettings.Weights.SOLVED && !components.isAtoms()) {
            throw new IllegalArgumentException("weights = SOLVED needs delta bases; " + components + " has others");
        }
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
        this.loss = new Elbo().loss(target.logJoint(graph, sampling.codes()),
                q.logProb(sampling.codes(), MixtureGraph.TRAINING), sampling.weights());
        this.layout = graph.layout();
        this.plan = ExecutionPlan.compile(graph, loss);
    }

    @Override
    public BvifState init(Seed seed) {
        double[] parameters = layout.initial(seed.fold("parameters"));
        return fresh(new BvifState(seed, 0, 0, 0, parameters, null, 0, new double[components.components()], Double.NaN,
                parameters, null, Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY, false));
    }

    /** A component's first state: its share starts at one half, the first one's at 1, and the optimiser forgets. */
    private BvifState fresh(BvifState s) {
        double[][] none = new double[settings.optimiser().slots()][layout.size()];
        double logit = s.component() == 0 ? 40 : -Math.log(s.component());
        double[] parameters = layout.with(SHARE.name(), new double[] {logit}, s.parameters());
        return new BvifState(s.seed(), s.component(), 0, s.total(), parameters, none, 0, s.weights(), s.elbo(), parameters,
                null, Double.NEGATIVE_INFINITY, s.mixtureElbo(), s.finished());
    }

    @Override
    public boolean isFinished(BvifState state) {
        return state.finished();
    }

    @Override
    public BvifState advance(BvifState state, int steps) {
        BvifState current = state;
        for (int done = 0; done < steps && !current.finished(); ) {
            int now = Math.min(steps - done, settings.stepsPerComponent() - current.step());
            current = train(current, now);
            done += now;
            if (current.step() == settings.stepsPerComponent()) {
                current = settle(current);
            }
        }
        return current;
    }

    private BvifState train(BvifState s, int steps) {
        if (s != live) {
            plan.restore(s.parameters(), settings.optimiser(), s.optimiser(), s.updates());
        }
        live = null;
        boolean[] active = active(s.component());
        double[] unit = new double[components.components()];
        unit[s.component()] = 1;
        double[] best = s.best();
        double[] bestWeights = s.bestWeights();
        double bestElbo = s.bestElbo();
        double elbo = s.elbo();
        for (int i = 0; i < steps; i++) {
            int step = s.step() + i;
            double tau = settings.temperature().at(step);
            plan.write(setting.inverseTemperature(), 1 / tau);
            plan.write(before, s.weights());
            plan.write(newest, unit);
            sampling.draw(plan, new Draws(s.seed().fold("component").fold(s.component()).fold(step)));
            plan.run();
            elbo = -plan.value(loss);
            if (!Double.isFinite(elbo) || !plan.isFinite()) {
                throw new DivergenceException("objective is " + elbo, s.total() + i, tau,
                        "component " + s.component(), s);
            }
            boolean last = step == settings.stepsPerComponent() - 1;
            // with deltas and trained weights a step's estimate is the bound itself; else it has to be evaluated
            boolean exact = components.isAtoms() && settings.weights() == BvifSettings.Weights.TRAINED;
            if (exact || last || step % EVALUATE_EVERY == 0) {
                double[] parameters = plan.parameters();
                double[] weights = weights(parameters, s.component(), s.weights());
                double bound = exact ? elbo : evaluate(parameters, weights, s.seed());
                if (bound > bestElbo) {
                    best = parameters;
                    bestWeights = weights;
                    bestElbo = bound;
                }
            }
            plan.update(settings.optimiser(), settings.rate(), active);
        }
        BvifState done = new BvifState(s.seed(), s.component(), s.step() + steps, s.total() + steps, plan.parameters(),
                plan.optimiserState(), plan.updates(), s.weights(), elbo, best, bestWeights, bestElbo, s.mixtureElbo(), false);
        live = done;
        return done;
    }

    /** Takes the best of a component into the mixture, or ends the run if it is not worth its place. */
    private BvifState settle(BvifState s) {
        BvifSettings.Growth growth = settings.growth();
        int used = s.component() + 1;
        double gain = s.bestElbo() - s.mixtureElbo();
        if (growth.concentration() > 0 && s.component() > 0) {
            gain += growth.logPrior(s.bestWeights(), used) - growth.logPrior(s.weights(), s.component());
        }
        boolean worth = s.component() == 0 || gain > Math.max(growth.least(), 0);
        boolean automatic = growth.least() > 0 || growth.concentration() > 0;
        double[] weights = worth ? s.bestWeights() : s.weights();
        double[] parameters = s.best();
        double elbo = worth ? s.bestElbo() : s.mixtureElbo();
        boolean finished = used == components.components() || automatic && !worth;
        BvifState next = new BvifState(s.seed(), finished ? s.component() : used, s.step(), s.total(), parameters,
                s.optimiser(), s.updates(), weights, s.elbo(), parameters, weights, elbo, elbo, finished);
        return finished ? next : fresh(next);
    }

    /** The mixture's weights with the new component, trained or solved. */
    private double[] weights(double[] parameters, int component, double[] before) {
        double[] weights = new double[before.length];
        if (settings.weights() == BvifSettings.Weights.SOLVED) {
            int[][] atoms = atoms(parameters);
            List<int[]> distinct = new ArrayList<>();
            List<Integer> owners = new ArrayList<>();
            for (int b = 0; b <= component; b++) {
                int[] atom = atoms[b];
                if (distinct.stream().noneMatch(seen -> Arrays.equals(seen, atom))) {
                    distinct.add(atom);
                    owners.add(b);
                }
            }
            double[] solved = LogSpace.weights(target.logJoint(distinct.toArray(int[][]::new)));
            for (int i = 0; i < solved.length; i++) {
                weights[owners.get(i)] = solved[i];
            }
            return weights;
        }
        double share = component == 0 ? 1 : 1 / (1 + Math.exp(-layout.read(SHARE.name(), parameters)[0]));
        for (int b = 0; b < component; b++) {
            weights[b] = (1 - share) * before[b];
        }
        weights[component] = share;
        return weights;
    }

    private int[][] atoms(double[] parameters) {
        try (FlowMixture q = new FlowMixture(components, Arrays.copyOf(parameters, components.layout().size()))) {
            return q.componentAtoms();
        }
    }

    private double evaluate(double[] parameters, double[] weights, Seed seed) {
        try (FlowMixture q = posterior(parameters, weights)) {
            return Bound.of(target, q, EVALUATION_SAMPLES, seed.fold("evaluation")).value();
        }
    }

    private FlowMixture posterior(double[] parameters, double[] weights) {
        double[] own = Arrays.copyOf(parameters, result.layout().size());
        return new FlowMixture(result, result.weighted(weights, own));
    }

    /** Which values of the flat vector belong to a component, and the share. */
    private boolean[] active(int component) {
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
        return active;
    }

    @Override
    public FlowMixture result(BvifState state) {
        boolean nothing = state.mixtureElbo() == Double.NEGATIVE_INFINITY;
        double[] only = new double[components.components()];
        only[0] = 1;
        return posterior(state.best(), nothing ? only : state.weights());
    }

    @Override
    public Info info(BvifState state) {
        return new Info(state.total(), settings.temperature().at(Math.max(0, state.step() - 1)), state.elbo(),
                Math.max(state.bestElbo(), state.mixtureElbo()),
                (int) Arrays.stream(state.weights()).filter(w -> w > 0).count());
    }

    @Override
    public Checkpoint save(BvifState s) {
        double[] bestWeights = s.bestWeights() == null ? new double[0] : s.bestWeights();
        return Checkpoint.of(layout, s.parameters()).configuration("{\"algorithm\":\"bvif\"}").seed(s.seed())
                .step(s.total()).optimiser(settings.optimiser().toString(), s.optimiser(), s.updates())
                .array("weights", s.weights()).array("best", s.best()).array("bestWeights", bestWeights)
                .array("progress", s.elbo(), s.bestElbo(), s.mixtureElbo())
                .number("component", s.component()).number("step", s.step()).number("finished", s.finished() ? 1 : 0)
                .build();
    }

    @Override
    public BvifState restore(Checkpoint c) {
        c.requireLayout(layout);
        double[] progress = c.array("progress");
        double[] bestWeights = c.array("bestWeights");
        return new BvifState(c.seed(), (int) c.number("component"), (int) c.number("step"), c.step(), c.parameters(),
                c.optimiserState(), c.updates(), c.array("weights"), progress[0], c.array("best"),
                bestWeights.length == 0 ? null : bestWeights, progress[1], progress[2], c.number("finished") == 1);
    }

    @Override
    public void close() {
        plan.close();
    }
}
