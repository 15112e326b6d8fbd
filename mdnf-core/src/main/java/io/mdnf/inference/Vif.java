package io.mdnf.inference;

import io.mdnf.training.StopRule;
import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.flow.Setting;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.mixture.Sampling;
import io.mdnf.mixture.Weighting;
import io.mdnf.objective.Bound;
import io.mdnf.objective.Elbo;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Algorithm;
import io.mdnf.training.DivergenceException;

/**
 * Variational inference with flows: all components are trained together by stochastic gradients of the objective. Each
 * step draws codes from the current mixture and scores exactly what it drew.
 *
 * <pre>{@code
 * Mixture mixture = Mixture.factorised(target.codes(), 100);
 * try (Vif vif = new Vif(target, mixture, VifSettings.forMixture(mixture, 2000))) {
 *     VifState state = vif.init(Seed.of(1));
 *     while (!vif.isFinished(state)) {
 *         state = vif.advance(state, 100);
 *     }
 *     FlowMixture q = vif.result(state);
 * }
 * }</pre>
 */
public final class Vif implements Algorithm<VifState> {

    /** Samples behind an evaluation of the best-so-far where the bound is not a finite sum. */
    private static final int EVALUATION_SAMPLES = 1000;
    /** CodeSpace up to which such an evaluation sums over all of them. */
    private static final int EVALUATION_CODES = 2000;

    /** The floor of probabilities in the gradient's logarithm, as a share of one component's weight. */
    private static final double FLOOR = 0.5;

    private final TargetModel target;
    private final Mixture mixture;
    private final VifSettings settings;
    private final boolean exactSteps;
    private final ExecutionPlan plan;
    private final Setting setting;
    private final Sampling sampling;
    private final Tensor estimate;
    private final Tensor temper;
    private VifState live;

    /**
     * Lays out and compiles the training step.
     *
     * @param target what is fitted to; must be differentiable
     * @param mixture what is fitted
     * @param settings how
     */
    public Vif(TargetModel target, Mixture mixture, VifSettings settings) {
        if (!target.space().equals(mixture.space())) {
            throw new IllegalArgumentException("target is on " + target.space() + ", mixture on " + mixture.space());
        }
        if (!target.isDifferentiable()) {
            throw new IllegalArgumentException("target " + target + " has no graph, so it has no gradient; use Bvi,"
                    + " a Fitter, whose searches only evaluate it");
        }
        this.target = target;
        this.mixture = mixture;
        this.settings = settings;
        // every atom once, weighted exactly: a step's estimate is the bound itself
        this.exactSteps = mixture.isAtoms()
                && (mixture.weighting() == Weighting.FREE || settings.samples() % mixture.components() == 0);
        Graph graph = new Graph(settings.precision());
        this.setting = Setting.in(graph).with(settings.straightThrough());
        MixtureGraph q = mixture.in(setting);
        this.sampling = q.sample(settings.samples(), settings.estimator());
        Tensor logJoint = target.logJoint(graph, sampling.codes());
        this.temper = settings.warmUp() == 0 ? null : graph.placeholder("temper", 1, 1);
        Tensor tempered = temper == null ? logJoint : logJoint.scaledBy(temper);
        Tensor loss;
        if (settings.estimator() == Estimator.AVERAGED && settings.objective() instanceof Elbo) {
            // the value uses the exact entropy of the tables; the gradient a floor, and the code's effect on later tables
            this.estimate = settings.objective().estimate(
                    logJoint, negativeEntropy(q, sampling.tables(), graph.precision().tiny()), sampling.weights());
            Tensor moved = mixture.looksAtCode() ? q.tables(sampling.codes()) : sampling.tables();
            loss = settings.objective().loss(
                    tempered, negativeEntropy(q, moved, FLOOR / mixture.components()), sampling.weights());
        } else {
            Tensor logProb = q.logProb(sampling.codes(), MixtureGraph.TRAINING);
            this.estimate = settings.objective().estimate(logJoint, logProb, sampling.weights());
            loss = settings.objective().loss(tempered, logProb, sampling.weights());
        }
        this.plan = ExecutionPlan.compile(graph, loss, estimate);
    }

    /** -sum_d H(q_d) for every sample, [n]. */
    private Tensor negativeEntropy(MixtureGraph q, Tensor tables, double floor) {
        Tensor entropy = q.conditionalEntropy(tables, floor).times(-1);
        long n = sampling.codes().extent(0);
        return entropy.extent(0) == n ? entropy : entropy.reshape(1, 1).repeatLeading(n).reshape(n);
    }

    @Override
    public VifState init(Seed seed) {
        return start(seed, mixture.layout().initial(seed.fold("parameters")));
    }

    /**
     * A first state at given parameters.
     *
     * @param seed where the run's randomness comes from
     * @param parameters in the order of the mixture's layout
     * @return the state before the first step
     */
    public VifState start(Seed seed, double[] parameters) {
        double[][] none = new double[settings.optimiser().slots()][parameters.length];
        return new VifState(seed, 0, parameters.clone(), none, 0, Double.NaN, Double.NaN, Double.NaN,
                parameters.clone(), Double.NEGATIVE_INFINITY, 0, 0);
    }

    @Override
    public boolean isFinished(VifState state) {
        return settings.stop().isMet(state.progress());
    }

    @Override
    public VifState advance(VifState state, int steps) {
        if (state != live) {
            plan.restore(state.parameters(), settings.optimiser(), state.optimiser(), state.updates());
        }
        live = null;
        VifState current = state;
        long started = System.nanoTime();
        for (int i = 0; i < steps && !isFinished(current); i++) {
            long now = System.nanoTime();
            current = stepInPlace(current, now - started, state);
            started = now;
        }
        VifState done = new VifState(current.seed(), current.step(), plan.parameters(), plan.optimiserState(),
                plan.updates(), current.elbo(), current.averageElbo(), current.slowAverageElbo(), current.best(),
                current.bestElbo(), current.bestStep(), current.nanos() + System.nanoTime() - started);
        live = done;
        return done;
    }

    /** One step on the plan's own parameters; the returned state's parameters are stale until {@link #advance} ends. */
    private VifState stepInPlace(VifState at, long nanos, VifState lastGood) {
        double tau = settings.temperature().at(at.step());
        plan.write(setting.inverseTemperature(), 1 / tau);
        if (temper != null) {
            plan.write(temper, Math.min(1, (at.step() + 1.0) / settings.warmUp()));
        }
        sampling.draw(plan, new Draws(at.seed().fold("step").fold(at.step())));
        plan.run();
        double elbo = plan.value(estimate);
        if (!Double.isFinite(elbo)) {
            throw new DivergenceException("objective is " + elbo, at.step(), tau, notFinite(plan.gradients()), lastGood);
        }
        double[] best = at.best();
        double bestElbo = at.bestElbo();
        long bestStep = at.bestStep();
        boolean evaluate = exactSteps || at.step() % settings.evaluateEvery() == 0;
        if (evaluate) {
            double bound = exactSteps ? elbo : evaluate(plan.parameters(), at.seed());
            // while no bound is finite the latest parameters are the best guess
            if (bound > bestElbo + 1e-6 || bestElbo == Double.NEGATIVE_INFINITY) {
                best = plan.parameters();
                bestElbo = bound;
                bestStep = at.step();
            }
        }
        plan.update(settings.optimiser(), settings.rateAt(at.step()));
        if (!plan.isFinite()) {
            throw new DivergenceException(
                    "gradient is not finite", at.step(), tau, notFinite(plan.gradients()), lastGood);
        }
        double fast = average(at.averageElbo(), elbo, 1.0 / StopRule.Progress.MEMORY);
        double slow = average(at.slowAverageElbo(), elbo, 0.5 / StopRule.Progress.MEMORY);
        return new VifState(at.seed(), at.step() + 1, at.parameters(), at.optimiser(), at.updates(), elbo, fast, slow,
                best, bestElbo, bestStep, at.nanos() + nanos);
    }

    private static double average(double old, double now, double share) {
        return Double.isNaN(old) ? now : old + share * (now - old);
    }

    private double evaluate(double[] parameters, Seed seed) {
        try (FlowMixture q = new FlowMixture(mixture, parameters)) {
            return Bound.of(target, q, EVALUATION_SAMPLES, seed.fold("evaluation"), EVALUATION_CODES).value();
        }
    }

    /** Names the parameter and component of the first gradient that is not finite. */
    private String notFinite(double[] flat) {
        for (var p : plan.layout().parameters()) {
            double[] part = plan.layout().read(p.name(), flat);
            for (int i = 0; i < part.length; i++) {
                if (!Double.isFinite(part[i])) {
                    int perComponent = Math.max(1, part.length / mixture.components());
                    return "parameter " + p.name() + " of component " + i / perComponent;
                }
            }
        }
        return "with the gradient of every component finite";
    }

    @Override
    public FlowMixture result(VifState state) {
        if (exactSteps || state.step() == 0) {
            return new FlowMixture(mixture, state.best());
        }
        // the last parameters may beat the last evaluated ones
        double last = evaluate(state.parameters(), state.seed());
        return new FlowMixture(mixture, last > state.bestElbo() ? state.parameters() : state.best());
    }

    @Override
    public Info info(VifState state) {
        return new Info(state.step(), settings.temperature().at(Math.max(0, state.step() - 1)), state.elbo(),
                state.bestElbo(), mixture.components());
    }

    @Override
    public Checkpoint save(VifState state) {
        return Checkpoint.of(mixture.layout(), state.parameters())
                .configuration("{\"algorithm\":\"vif\"}")
                .seed(state.seed()).step(state.step()).precision(settings.precision())
                .optimiser(settings.optimiser().toString(), state.optimiser(), state.updates())
                .array("best", state.best())
                .array("progress", state.elbo(), state.averageElbo(), state.slowAverageElbo(), state.bestElbo())
                .number("bestStep", state.bestStep()).number("nanos", state.nanos())
                .build();
    }

    @Override
    public VifState restore(Checkpoint checkpoint) {
        checkpoint.requireLayout(mixture.layout());
        double[] progress = checkpoint.array("progress");
        return new VifState(checkpoint.seed(), checkpoint.step(), checkpoint.parameters(), checkpoint.optimiserState(),
                checkpoint.updates(), progress[0], progress[1], progress[2], checkpoint.array("best"), progress[3],
                checkpoint.number("bestStep"), checkpoint.number("nanos"));
    }

    /** Returns the compiled step, for measuring. */
    public ExecutionPlan plan() {
        return plan;
    }

    @Override
    public void close() {
        plan.close();
    }

    @Override
    public String toString() {
        return "Vif(" + mixture + ", " + settings + ")";
    }
}
