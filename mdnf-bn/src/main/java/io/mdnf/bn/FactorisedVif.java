package io.mdnf.bn;

import io.mdnf.base.Deltas;
import io.mdnf.flow.Setting;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Tables;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.Given;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.StopRule;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.training.TrainingSettings;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import io.mdnf.training.TrainingTask;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * VIF of the factorised MDNF posterior of a network with exact gradients, several fits at once.
 *
 * <p>B flows shift a delta per variable, mu_bd = ST(softmax(l_bd / tau)), and each variable draws its own flow, so
 * q_d(k) = (1 / B) sum_b mu_bd(k). A network's log joint is multilinear in the code, so E_q[log p(D, x)] is its value
 * at q: the gradient averaged over the choice of flow has a closed form, the limit of infinitely many samples S. Per
 * step
 * <pre>
 *   ELBO = logJoint(q) - sum_d sum_k q_dk log q_dk
 * </pre>
 * is maximised by RMSprop, with the entropy's slope of {@link Tables#entropy}. The best posterior so far is kept by its
 * exact ELBO ({@link ProductFigures#compareTo}).
 *
 * <p>Flow b of fit f starts at logits N(0, 1) plus an offset {@link #SPREAD} N(0, 1) that all flows of the fit share,
 * so that restarts start at different products and not all near the uniform one.
 *
 * <pre>{@code
 * try (FactorisedVif vif = new FactorisedVif(target, 100, schedules)) {       // one schedule per fit
 *     FactorisedVif.Best[] best = vif.run(starts, 2000, 100, false, (step, now) -> { });
 * }
 * }</pre>
 */
public final class FactorisedVif extends TrainingTask<FactorisedVif.Best[]> {

    /** How far apart restarts start, in logits. */
    public static final double SPREAD = 4;

    /** As published; what {@link #run} says of polishing is why that has another, ten times as high. */
    private static final double RATE = 0.01;
    private static final double POLISH_RATE = 0.1;

    private final CodeSpace space;
    private final int flows;
    private final List<TemperatureSchedule> temperatures;
    private final ProductFigures.Judge judge;
    private final Tensor temperature;
    private final Tensor inverseTemperature;
    private Watch watch;
    /** One for every fit, where {@link GradientTraining} has one for the whole run. */
    private Best[] best;
    private final double entropyFloor;
    private final double[] objectives;

    /**
     * The best posterior of a fit.
     *
     * @param step after how many steps it stood there
     * @param logits of the flows, flat [B, D, K]; shared, not to be changed
     * @param figures what it is worth, exactly
     */
    public record Best(long step, double[] logits, ProductFigures figures) {}

    /** Sees the exact figures of every fit at an evaluation. */
    @FunctionalInterface
    public interface Watch {

        /** Takes the figures of the current posterior of each fit, [fits], after some steps. */
        void at(long step, ProductFigures[] now);
    }

    /** Lays out and compiles the training step of B flows, at least 1, with the schedule of tau of each fit. */
    public FactorisedVif(NetworkTarget target, int flows, List<TemperatureSchedule> temperatures) {
        Check.that(flows >= 1 && !temperatures.isEmpty(), "flows = " + flows + ", temperatures of "
                + temperatures.size() + " fits: at least 1 of each is needed");
        this.space = target.space();
        this.flows = flows;
        this.temperatures = List.copyOf(temperatures);
        this.judge = new ProductFigures.Judge(target);
        int fits = temperatures.size();
        int width = space.oneHotLength();
        Graph graph = new Graph(Precision.FLOAT);
        this.inverseTemperature = graph.placeholder("inverseTemperature", fits, 1);
        Tensor logits = graph.parameter(new Parameter("logits", Initialiser.normal(1), fits, (long) flows * width));
        // every fit is a row of one conditional mixture, and its temperature is part of what is given
        Tensor given = logits.times(inverseTemperature.matmul(graph.ones(1, (long) flows * width)))
                .reshape(fits, flows, width).permute(1, 0, 2).reshape(flows, fits, space.variables(), space.width());
        Mixture mixture = new Mixture(Structure.PER_VARIABLE, new ShiftFlow(new Given(space, flows)),
                Deltas.zero(space, flows), Weighting.EQUAL);
        Setting setting = new Setting(graph, StraightThrough.FIRST_ORDER, graph.ones(1, 1), given);
        Tables tables = mixture.in(setting).tables(null);
        this.entropyFloor = tables.floor();
        this.objectives = new double[fits];
        Tensor joint = target.logJoint(graph, tables.q());
        // times tau and B, so that the gradient of a logit is of the order of 1 at every temperature
        this.temperature = graph.placeholder("temperature", fits, 1);
        Tensor loss = joint.plus(tables.entropy()).reshape(fits, 1).times(temperature).sum(0).reshape().times(-flows);
        trains(ExecutionPlan.compile(graph, loss), TrainingSettings.of(new Optimiser.RmsProp(), RATE));
    }

    /** Returns logits to start from, flat [B, D, K]. */
    public double[] start(Seed seed) {
        Draws draws = new Draws(seed);
        double[] logits = draws.normal("logits", flows * space.oneHotLength());
        double[] offset = draws.normal("offset", space.oneHotLength());
        for (int i = 0; i < logits.length; i++) {
            logits[i] += SPREAD * offset[i % offset.length];
        }
        return logits;
    }

    /**
     * Returns the same posterior from fresh logits N(0, 1), flat [B, D, K], the largest of each row put where the flow
     * shifts to. At a high temperature the logits of categories that no flow uses drift away at the full learning
     * rate, and come back as slowly when the other variables have changed.
     */
    public double[] refreshed(double[] logits, Seed seed) {
        double[] fresh = new Draws(seed).normal("logits", logits.length);
        int[][] from = space.indices(fresh);
        int[][] to = space.indices(logits);
        for (int row = 0; row < flows * space.variables(); row++) {
            int b = row / space.variables();
            int d = row % space.variables();
            int start = row * space.width();
            double most = fresh[start + from[b][d]];
            fresh[start + from[b][d]] = fresh[start + to[b][d]];
            fresh[start + to[b][d]] = most;
        }
        return fresh;
    }

    /**
     * Trains all fits, and returns the best posterior of each.
     *
     * @param starts first logits of each fit, [fits][B * D * K]
     * @param every steps between exact evaluations
     * @param polish whether to use plain gradients with a rate falling to 0 in place of RMSprop with rate 0.01:
     *     RMSprop divides every logit's gradient by its own size, and where a third category repels all flows of a
     *     variable, that hides the difference between the other two
     */
    public Best[] run(double[][] starts, int steps, int every, boolean polish, Watch watch) {
        int fits = temperatures.size();
        Check.that(starts.length == fits, "starts: " + starts.length + " given for " + fits + " fits");
        this.watch = watch;
        this.best = new Best[fits];
        TrainingSettings settings = (polish ? TrainingSettings.of(new Optimiser.Sgd(), POLISH_RATE).withDecay(steps)
                : TrainingSettings.of(new Optimiser.RmsProp(), RATE).withStop(StopRule.maxSteps(steps)))
                .withEvaluations(every).withPrecision(Precision.FLOAT);
        double[] flat = Arrays.stream(starts).flatMapToDouble(Arrays::stream).toArray();
        trains(plan(), settings);
        judge(flat, 0);
        GradientTraining<Best[]> training = new GradientTraining<>(this);
        return training.result(training.finish(training.start(Seed.of(0), flat)));
    }

    @Override
    public void feed(TrainingStep step) {
        double[] tau = temperatures.stream().mapToDouble(t -> t.at(step.number())).toArray();
        plan().write(temperature, tau);
        plan().write(inverseTemperature, Arrays.stream(tau).map(t -> 1 / t).toArray());
    }

    /** Judges every fit by itself, and returns the best of them. */
    @Override
    public double evaluate(double[] parameters, TrainingStep step) {
        return judge(parameters, step.number());
    }

    private double judge(double[] flat, long step) {
        ProductFigures[] now = new ProductFigures[best.length];
        int size = flat.length / best.length;
        for (int f = 0; f < best.length; f++) {
            double[] logits = Arrays.copyOfRange(flat, f * size, (f + 1) * size);
            double[][] q = product(logits);
            now[f] = judge.of(q);
            objectives[f] = now[f].elbo() - Arrays.stream(q).flatMapToDouble(Arrays::stream).filter(p -> p > 0)
                    .map(p -> p * Math.log1p(entropyFloor / p)).sum();
            if (best[f] == null || now[f].compareTo(best[f].figures) > 0) {
                best[f] = new Best(step, logits, now[f]);
            }
        }
        watch.at(step, now);
        return Arrays.stream(now).mapToDouble(ProductFigures::elbo).max().orElseThrow();
    }

    @Override
    public int components() {
        return temperatures.size();
    }

    @Override
    public Best[] result(TrainingState state) {
        return best;
    }

    /**
     * The objective of every fit at the last evaluation, [fits]: what the gradients are those of, over tau B, that is
     * E_q[log p(D, x)] - sum_d sum_k q_dk log(q_dk + floor), with the floor of {@link Tables#entropy}'s slope.
     */
    public double[] objectives() {
        return objectives.clone();
    }

    /** q_d(k) = how many of the B flows shift to k, over B. */
    private double[][] product(double[] logits) {
        double[][] q = IntStream.of(space.cardinalities()).mapToObj(double[]::new).toArray(double[][]::new);
        for (int[] shifts : space.indices(logits)) {
            for (int d = 0; d < q.length; d++) {
                q[d][shifts[d]] += 1.0 / flows;
            }
        }
        return q;
    }
}
