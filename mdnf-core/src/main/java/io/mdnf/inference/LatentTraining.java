package io.mdnf.inference;

import io.mdnf.file.Sha256;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.target.LatentModel;
import io.mdnf.target.Rows;
import io.mdnf.training.Fingerprint;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import io.mdnf.training.TrainingTask;
import java.util.stream.IntStream;

/**
 * Learns the parameters theta of a {@link LatentModel} and the posterior q(x | y) together, from minibatches of rows y:
 * maximises the mean over rows of E_q[log p_theta(y, x) - log q(x | y)], or with {@link LatentPosterior#exact} of log
 * p_theta(y) = log sum_x p_theta(y, x). A step's value estimates it, in nats per row.
 *
 * <p>Rows and draws of a step come from the seed and the step's number alone: a training killed anywhere and resumed
 * from a checkpoint ends with the same parameters, bit for bit.
 *
 * <pre>{@code
 * LatentPosterior posterior = LatentPosterior.product(model.space(), 64);
 * var task = new LatentTraining(model, rows, posterior, LatentSettings.standard(2000));
 * try (GradientTraining<LatentFit> learning = new GradientTraining<>(task)) {
 *     TrainingState end = new Run<>(learning, Seed.of(1)).checkpoints(folder, 500).execute(true);
 *     LatentFit learned = learning.result(end);
 * }
 * }</pre>
 */
public final class LatentTraining extends TrainingTask<LatentFit> {

    private static final Seed SEED = Seed.of(0);
    /** Rows at which a fingerprint looks at model and posterior. */
    private static final int LOOKED_AT = 16;
    /** Rows times codes of a step that sums over all codes: a few hundred megabytes. */
    private static final double PAIRS = 1 << 19;

    private final LatentModel model;
    private final Rows rows;
    private final LatentPosterior posterior;
    private final LatentSettings settings;
    private final Minibatches minibatches;
    private final Feeding feeding;
    private final Tensor value;

    /** Writes the rows of a step. */
    private interface Feeding {
        void write(int[] which, TrainingStep step);
    }

    /** Lays out and compiles the training step, for at least one row. */
    public LatentTraining(LatentModel model, Rows rows, LatentPosterior posterior, LatentSettings settings) {
        Check.that(rows.count() >= 1, "rows = ", rows, ": at least one is needed");
        this.model = model;
        this.rows = rows;
        this.posterior = posterior;
        this.settings = settings;
        this.minibatches = new Minibatches(rows.count(), settings.batch());
        Graph graph = new Graph(settings.training().precision());
        int n = minibatches.size();
        if (posterior instanceof LatentPosterior.Flows flows) {
            Check.that(flows.mixture().space().equals(model.space()), "posterior is on ", flows.mixture().space(),
                    ", model on ", model.space());
            int samples = settings.samples();
            LatentGraph drawn = new LatentGraph(graph, model, flows, n * samples, rows, settings.estimator());
            feeding = (which, step) -> drawn.write(plan(), rows,
                    IntStream.range(0, n * samples).map(i -> which[i / samples]).toArray(), step.draws(),
                    step.temperature());
            value = drawn.logJoint.minus(drawn.logProb()).sum().times(1.0 / (n * samples));
            trains(ExecutionPlan.compile(graph, drawn.loss(), value), settings.training());
        } else {
            double most = PAIRS / model.space().size();
            Check.that(n <= most, "batch = ", n, ": with ", model.space(), " at most ", (long) most,
                    " rows a step are summed over all codes; take fewer, or a product or autoregressive posterior");
            Tensor seen = graph.placeholder("rows", n, rows.size());
            Tensor logLikelihoods = LatentGraph.table(graph, model, seen).logSumExp();
            feeding = (which, step) -> plan().write(seen, rows.read(which));
            value = logLikelihoods.sum().times(1.0 / n);
            trains(ExecutionPlan.compile(graph, value.times(-1), value), settings.training());
        }
    }

    /** {@inheritDoc} Model and posterior, which may be functions without a text, are looked at by their values. */
    @Override
    public Fingerprint fingerprint() {
        Sha256 data = new Sha256();
        IntStream.range(0, rows.count()).forEach(row -> data.add(rows.read(row)));
        Sha256 values = new Sha256();
        try (LatentFit first = fit(plan().layout().initial(SEED))) {
            for (double[] row : first.logWeights(rows, Math.min(LOOKED_AT, rows.count()), 1, SEED)) {
                // as floats: the last bits of a logarithm are the machine's
                values.add(new float[] {(float) row[0]});
            }
        }
        return Fingerprint.of("latent model").with("settings", settings).with("rows", rows.count() + " " + data)
                .with("model and posterior", model.space() + " " + values);
    }

    @Override
    public void feed(TrainingStep step) {
        feeding.write(minibatches.of(step.seed(), step.number()), step);
    }

    /** {@inheritDoc} Here of what is maximised, whatever loss leads there. */
    @Override
    public double value() {
        return plan().value(value);
    }

    /** Returns the bound of all rows, by one code each, or log p_theta(y) where codes are summed. */
    @Override
    public double evaluate(double[] parameters, TrainingStep step) {
        try (LatentFit fit = fit(parameters)) {
            return fit.bounds(rows, 1, 0, step.seed().fold("evaluation")).elbo().value();
        }
    }

    /** Returns the best parameters so far, or the last ones where none were judged. */
    @Override
    public LatentFit result(TrainingState state) {
        return fit(state.best().parameters());
    }

    private LatentFit fit(double[] parameters) {
        return new LatentFit(model, posterior, new ParameterValues(plan().layout(), parameters.clone()));
    }

    @Override
    public String toString() {
        return "LatentTraining(" + model + ", " + rows + ", " + settings + ")";
    }
}
