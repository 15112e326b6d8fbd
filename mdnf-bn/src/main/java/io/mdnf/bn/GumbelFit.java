package io.mdnf.bn;

import io.mdnf.distribution.Product;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import io.mdnf.training.Fingerprint;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import io.mdnf.training.TrainingTask;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Gumbel-Softmax posteriors of a Bayesian network, trained as published: a relaxed q, a relaxed prior with a
 * temperature of its own, and an internal objective that is no bound of log p(D).
 *
 * <p>With logits l [D, K], Gumbel noise g and x = softmax((l + g) / tau), per sample
 * <pre>
 *   E = sum over observed nodes of log(p_i(x) + 1e-15)
 *     + sum over latent nodes of log RelaxedOneHot(x_i + 1e-10; p_i(x) + 1e-15, tau_p)
 *     - sum over latent nodes of log RelaxedOneHot(x_i + 1e-31; softmax(l_i), tau)
 * </pre>
 * where p_i(x) is node i's table contracted linearly with its soft parents and log RelaxedOneHot(x; p, t) = log (K-1)!
 * + (K-1) log t + sum_k log_softmax_k(log p - t log x) - sum_k log x_k. The mean of E over S samples is maximised.
 *
 * <p>Straight-through: the first two terms see onehot(argmax x), with the gradient of x. A relaxed density does not
 * exist there; what the floor 1e-10 makes of it is, up to a constant, sum_j log p_j - K log(1 - p_k) and not log p_k.
 * That is what was published, and it is why this variant is bad.
 *
 * <p>The argmax of a sample has the law softmax(l) whatever tau, so {@link #figures} says exactly what the posterior is
 * worth on the network itself. The value of a step only has to be finite while the training is well.
 *
 * <p>Several cells, pairs of temperatures, are trained at once on one batch axis: tensors are [cells * S, D, K]. The
 * update rules are element-wise, so each cell is a fit of its own; cells share the noise of a step and the first
 * logits, so that they differ in nothing but temperatures. One object serves one thread at a time.
 *
 * <pre>{@code
 * GumbelFit fit = new GumbelFit(target, GumbelSettings.published(false), List.of(
 *         GumbelTemperatures.constant(0.5, 1), GumbelTemperatures.constant(1, 1)));
 * try (var training = new GradientTraining<>(fit)) {
 *     TrainingState state = training.advance(training.init(Seed.of(1)), 10_000);
 *     double kl = fit.figures(state, 0).kl();
 * }
 * }</pre>
 */
public final class GumbelFit extends TrainingTask<List<Product>> {

    /** Both as published. */
    private static final double ENTROPY_FLOOR = 1e-31;
    private static final double PRIOR_FLOOR = 1e-10;

    private final NetworkTarget target;
    private final CodeSpace space;
    private final GumbelSettings settings;
    private final List<GumbelTemperatures> cells;
    private final ProductFigures.Judge judge;
    private final ExecutionPlan measuring;
    private final Tensor noise;
    private final Tensor temperature;
    private final Tensor inverseTemperature;
    private final Tensor objective;

    /** Lays out and compiles the training step of cells, at least one. */
    public GumbelFit(NetworkTarget target, GumbelSettings settings, List<GumbelTemperatures> cells) {
        Check.that(!cells.isEmpty(), "cells is empty: at least one pair of temperatures is needed");
        this.target = target;
        this.space = target.space();
        this.settings = settings;
        this.cells = List.copyOf(cells);
        this.judge = new ProductFigures.Judge(target);
        int count = cells.size();
        int samples = settings.samples();
        int width = space.oneHotLength();
        int n = count * samples;
        Graph graph = new Graph(settings.training().precision());
        Tensor logits = graph.parameter(new Parameter("logits", Initialiser.normal(1), count, width))
                .repeatAt(1, samples).reshape(n, width);
        this.noise = graph.placeholder("noise", samples, width);
        this.temperature = graph.placeholder("temperature", count, 1);
        this.inverseTemperature = graph.placeholder("inverseTemperature", count, 1);
        Tensor perturbed = logits.plus(noise.repeatLeading(count).reshape(n, width));
        Tensor x = RelaxedScore.byVariable(space, perturbed.times(perCell(inverseTemperature))).softmax();
        Tensor code = (settings.straightThrough()
                ? StraightThrough.carryGradient(RelaxedScore.byVariable(space, perturbed).argmaxOneHot(), x) : x)
                .reshape(n, width);
        RelaxedNetwork.Probabilities p = new RelaxedNetwork(target).at(code, LogSpace.FLOOR);
        RelaxedScore prior = new RelaxedScore(space, p.latent().log(), code.log(PRIOR_FLOOR), priorTemperatures(graph));
        RelaxedScore posterior = new RelaxedScore(space, logits, x.reshape(n, width).log(ENTROPY_FLOOR),
                perCell(temperature));
        Tensor slope = prior.slope().minus(posterior.slope()).matmul(graph.ones(width, 1));
        Tensor value = prior.value().minus(posterior.value());
        if (p.observed().isPresent()) {
            Tensor logObserved = p.observed().get().log();
            Tensor sum = logObserved.matmul(graph.ones(logObserved.extent(1), 1));
            slope = slope.plus(sum);
            value = value.plus(sum);
        }
        this.objective = value.reshape(count, samples).sum(1).times(1.0 / samples);
        Tensor loss = slope.sum(0).reshape().times(-1.0 / samples);
        trains(ExecutionPlan.compile(graph, loss), settings.training());
        this.measuring = ExecutionPlan.forward(graph, objective);
    }

    /** [cells, 1] for each element of [cells * S, D * K]. */
    private Tensor perCell(Tensor perCell) {
        long each = (long) settings.samples() * space.oneHotLength();
        return perCell.matmul(perCell.graph().ones(1, each))
                .reshape((long) cells.size() * settings.samples(), space.oneHotLength());
    }

    private Tensor priorTemperatures(Graph graph) {
        int each = settings.samples() * space.oneHotLength();
        double[] values = new double[cells.size() * each];
        for (int c = 0; c < cells.size(); c++) {
            Arrays.fill(values, c * each, (c + 1) * each, cells.get(c).prior());
        }
        return graph.constant(values, (long) cells.size() * settings.samples(), space.oneHotLength());
    }

    @Override
    public Fingerprint fingerprint() {
        return Fingerprint.of("gumbel").with("settings", settings).with("cells", cells).target(target);
    }

    /** Returns logits from N(0, 1), the same for every cell. */
    @Override
    public double[] initial(Seed seed) {
        double[] first = new Draws(seed).normal("logits", space.oneHotLength());
        double[] logits = new double[cells.size() * first.length];
        Arrays.setAll(logits, i -> first[i % first.length]);
        return logits;
    }

    @Override
    public void feed(TrainingStep step) {
        write(plan(), temperatures(step.number()));
        plan().write(noise, step.draws().gumbel("noise", noise.size()));
    }

    @Override
    public int components() {
        return cells.size();
    }

    private double[] temperatures(long step) {
        return cells.stream().mapToDouble(cell -> cell.posterior().at(step)).toArray();
    }

    private void write(ExecutionPlan to, double[] temperatures) {
        to.write(temperature, temperatures);
        to.write(inverseTemperature, Arrays.stream(temperatures).map(tau -> 1 / tau).toArray());
    }

    /**
     * Returns the internal objective at a state, the mean of E, [cells], from fresh samples, {@code draws} times S:
     * comparable neither between different tau_p nor with log p(D).
     */
    public double[] objective(TrainingState state, int draws) {
        double[] temperatures = temperatures(state.step());
        write(measuring, temperatures);
        measuring.load(state.parameters());
        double[] mean = new double[cells.size()];
        for (int i = 0; i < draws; i++) {
            Seed seed = state.seed().fold("objective").fold(state.step()).fold(i);
            measuring.write(noise, new Draws(seed).gumbel("noise", noise.size()));
            measuring.run();
            double[] now = measuring.read(objective);
            for (int c = 0; c < mean.length; c++) {
                mean[c] += (now[c] + normaliser(temperatures[c], cells.get(c).prior())) / draws;
            }
        }
        return mean;
    }

    /** What the densities' normalisers add; log (K_d - 1)! stands in both. */
    private double normaliser(double tau, double prior) {
        return IntStream.of(space.cardinalities()).map(k -> k - 1).sum() * (Math.log(prior) - Math.log(tau));
    }

    /** Returns the discretised posterior of a cell, softmax(logits), [D][K_d]. */
    public double[][] product(TrainingState state, int cell) {
        return ProductFigures.softmax(space, state.parameters(), cell * space.oneHotLength());
    }

    /** Returns what the discretised posterior of a cell is worth, exactly. */
    public ProductFigures figures(TrainingState state, int cell) {
        return judge.of(product(state, cell));
    }

    /** Returns the discretised posterior of every cell. */
    @Override
    public List<Product> result(TrainingState state) {
        return IntStream.range(0, cells.size()).mapToObj(c -> new Product(product(state, c))).toList();
    }

    @Override
    public void close() {
        plan().close();
        measuring.close();
    }

    @Override
    public String toString() {
        return "GumbelFit(" + space + ", " + cells.size() + " cells, " + settings + ")";
    }
}
