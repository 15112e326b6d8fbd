package io.mdnf.inference;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.flow.Setting;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Precision;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Mixture;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.training.Algorithm;
import io.mdnf.training.DivergenceException;
import io.mdnf.training.TemperatureSchedule;
import java.util.Arrays;

/**
 * Discrete flows as a generative model: fits a mixture to observed codes by maximising the mean log-likelihood
 * (1/n) sum_i log q(x_i) over minibatches. Nothing is sampled from q, so only the reverse direction of the flows is
 * needed.
 *
 * <p>A mixture with delta bases gives some codes probability 0. For codes it has not seen, take a base that does not,
 * such as {@link io.mdnf.base.TrainableBase}.
 *
 * <pre>{@code
 * try (MaximumLikelihood fit = new MaximumLikelihood(mixture, codes, MaximumLikelihood.Settings.standard(2000))) {
 *     MaximumLikelihoodState state = fit.init(Seed.of(1));
 *     while (!fit.isFinished(state)) {
 *         state = fit.advance(state, 100);
 *     }
 *     FlowMixture q = fit.result(state);
 * }
 * }</pre>
 */
public final class MaximumLikelihood implements Algorithm<MaximumLikelihoodState> {

    private final Mixture mixture;
    private final int[][] observed;
    private final Settings settings;
    private final int batch;
    private final ExecutionPlan plan;
    private final Setting setting;
    private final Tensor codes;
    private final Tensor loss;
    private MaximumLikelihoodState live;

    /**
     * How the fit runs.
     *
     * @param batch codes per step; all of them if there are fewer
     * @param steps how many steps
     * @param straightThrough how a one-hot shift gets its gradient
     * @param temperature the schedule of tau
     * @param optimiser the update rule
     * @param rate its first learning rate, which falls linearly to 0 over the steps
     * @param floor what is added to every probability inside the logarithm while training; the result is scored
     *     without it
     * @param evaluateEvery steps between evaluations of the best-so-far on all observed codes
     */
    public record Settings(int batch, long steps, StraightThrough straightThrough, TemperatureSchedule temperature,
            Optimiser optimiser, double rate, double floor, int evaluateEvery) {

        /** Checks the ranges. */
        public Settings {
            if (batch < 1 || steps < 1 || evaluateEvery < 1) {
                throw new IllegalArgumentException("batch = " + batch + ", steps = " + steps + ", evaluateEvery = "
                        + evaluateEvery + ": all must be at least 1");
            }
            if (!(rate > 0) || Double.isInfinite(rate) || !(floor > 0) || !(floor < 1)) {
                throw new IllegalArgumentException("rate = " + rate + ", floor = " + floor
                        + ": a rate is finite and above 0, the floor between 0 and 1");
            }
        }

        /**
         * Defaults: minibatches of 256, tau = 1, Adam 0.02 falling to 0, floor 1e-6.
         *
         * @param steps how many steps
         * @return the settings
         */
        public static Settings standard(long steps) {
            return new Settings(256, steps, StraightThrough.FIRST_ORDER, TemperatureSchedule.constant(1),
                    new Optimiser.Adam(), 0.02, 1e-6, (int) Math.max(1, steps / 20));
        }
    }

    /**
     * Lays out and compiles the training step.
     *
     * @param mixture what is fitted
     * @param observed codes [n][D] of the mixture's space, at least 1
     * @param settings how
     */
    public MaximumLikelihood(Mixture mixture, int[][] observed, Settings settings) {
        if (observed.length == 0) {
            throw new IllegalArgumentException("observed is empty: at least one code is needed");
        }
        for (int[] code : observed) {
            mixture.space().check(code);
        }
        this.mixture = mixture;
        this.observed = Arrays.stream(observed).map(int[]::clone).toArray(int[][]::new);
        this.settings = settings;
        this.batch = Math.min(settings.batch(), observed.length);
        Graph graph = new Graph(Precision.DOUBLE);
        this.setting = Setting.in(graph).with(settings.straightThrough());
        this.codes = graph.placeholder("codes", batch, mixture.space().variables(), mixture.space().width());
        this.loss = mixture.in(setting).logProb(codes, settings.floor()).sum().times(-1.0 / batch);
        this.plan = ExecutionPlan.compile(graph, loss);
    }

    @Override
    public MaximumLikelihoodState init(Seed seed) {
        double[] parameters = mixture.layout().initial(seed.fold("parameters"));
        double[][] none = new double[settings.optimiser().slots()][parameters.length];
        return new MaximumLikelihoodState(seed, 0, parameters, none, 0, Double.NaN, parameters,
                Double.NEGATIVE_INFINITY);
    }

    @Override
    public boolean isFinished(MaximumLikelihoodState state) {
        return state.step() >= settings.steps();
    }

    @Override
    public MaximumLikelihoodState advance(MaximumLikelihoodState state, int steps) {
        if (state != live) {
            plan.restore(state.parameters(), settings.optimiser(), state.optimiser(), state.updates());
        }
        live = null;
        double[] best = state.best();
        double bestValue = state.bestLogLikelihood();
        double value = state.logLikelihood();
        long step = state.step();
        for (int i = 0; i < steps && step < settings.steps(); i++) {
            plan.write(setting.inverseTemperature(), 1 / settings.temperature().at(step));
            plan.write(codes, mixture.space().oneHot(minibatch(state.seed(), step)));
            plan.run();
            value = -plan.value(loss);
            plan.update(settings.optimiser(), settings.rate() * (1 - (double) step / settings.steps()));
            if (!Double.isFinite(value) || !plan.isFinite()) {
                throw new DivergenceException("mean log-likelihood is " + value, step,
                        settings.temperature().at(step), "of a minibatch", state);
            }
            step++;
            if (step % settings.evaluateEvery() == 0 || step == settings.steps()) {
                double all = mean(plan.parameters());
                if (all > bestValue) {
                    bestValue = all;
                    best = plan.parameters();
                }
            }
        }
        MaximumLikelihoodState done = new MaximumLikelihoodState(state.seed(), step, plan.parameters(),
                plan.optimiserState(), plan.updates(), value, best, bestValue);
        live = done;
        return done;
    }

    /** The codes of a step: each pass has its own random order and leaves out what does not fill a batch. */
    private int[][] minibatch(Seed seed, long step) {
        int perPass = Math.max(1, observed.length / batch);
        int[] order = new Draws(seed.fold("pass").fold(step / perPass)).permutation("order", observed.length);
        int[][] chosen = new int[batch][];
        for (int i = 0; i < batch; i++) {
            chosen[i] = observed[order[(int) (step % perPass) * batch + i]];
        }
        return chosen;
    }

    private double mean(double[] parameters) {
        try (FlowMixture q = new FlowMixture(mixture, parameters)) {
            return meanLogLikelihood(q, observed);
        }
    }

    /**
     * The mean log-likelihood of codes, for instance of ones held out.
     *
     * @param q a fitted mixture
     * @param codes [n][D]
     * @return (1/n) sum_i log q(x_i), exact; -infinity if q excludes a code
     */
    public static double meanLogLikelihood(FlowMixture q, int[][] codes) {
        return Arrays.stream(q.logProb(codes)).sum() / codes.length;
    }

    @Override
    public FlowMixture result(MaximumLikelihoodState state) {
        return new FlowMixture(mixture, state.best());
    }

    /** {@inheritDoc} The bounds are mean log-likelihoods in nats per code. */
    @Override
    public Info info(MaximumLikelihoodState state) {
        return new Info(state.step(), settings.temperature().at(Math.max(0, state.step() - 1)), state.logLikelihood(),
                state.bestLogLikelihood(), mixture.components());
    }

    @Override
    public Checkpoint save(MaximumLikelihoodState state) {
        return Checkpoint.of(mixture.layout(), state.parameters())
                .configuration("{\"algorithm\":\"maximum likelihood\"}").seed(state.seed()).step(state.step())
                .optimiser(settings.optimiser().toString(), state.optimiser(), state.updates())
                .array("best", state.best()).array("progress", state.logLikelihood(), state.bestLogLikelihood())
                .build();
    }

    @Override
    public MaximumLikelihoodState restore(Checkpoint checkpoint) {
        checkpoint.requireLayout(mixture.layout());
        double[] progress = checkpoint.array("progress");
        return new MaximumLikelihoodState(checkpoint.seed(), checkpoint.step(), checkpoint.parameters(),
                checkpoint.optimiserState(), checkpoint.updates(), progress[0], checkpoint.array("best"), progress[1]);
    }

    @Override
    public void close() {
        plan.close();
    }

    @Override
    public String toString() {
        return "MaximumLikelihood(" + mixture + ", " + observed.length + " codes, " + settings + ")";
    }
}
