package io.mdnf.inference;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.distribution.Product;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.Estimate;
import io.mdnf.space.LogSpace;
import io.mdnf.target.GraphTarget;
import io.mdnf.target.LatentModel;
import io.mdnf.target.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A {@link LatentModel} with its parameters and its posterior: theta by name, q(x | y) of rows, and what both are worth
 * by valid bounds, all in double.
 *
 * <pre>{@code
 * double[] theta = learned.parameter("heads");
 * LatentBounds bounds = learned.bounds(rows, 10, 100, Seed.of(2));
 * CodeDistribution first = learned.posteriors(rows).get(0);
 * Fit better = new Fitter(learned.target(rows, 0)).fit(Plan.autoregressive(), Seed.of(3));
 * }</pre>
 */
public final class LatentFit implements AutoCloseable {

    /** Rows of one run of a plan, and pairs of a row and a code. */
    private static final int BATCH = 128;
    private static final int PAIRS = 1024;

    private final LatentModel model;
    private final LatentPosterior posterior;
    private final ParameterValues values;
    private ExecutionPlan joint;
    private Tensor seen;
    private Tensor code;
    private Tensor logJoint;

    LatentFit(LatentModel model, LatentPosterior posterior, ParameterValues values) {
        this.model = model;
        this.posterior = posterior;
        this.values = values;
    }

    /** The model and posterior of a {@link LatentTraining}'s checkpoint, with the parameters of its last step. */
    public static LatentFit of(LatentModel model, LatentPosterior posterior, Checkpoint checkpoint) {
        return new LatentFit(model, posterior, new ParameterValues(checkpoint.layout(), checkpoint.parameters()));
    }

    /** Returns a parameter of theta by the model's own name for it, row-major. */
    public double[] parameter(String name) {
        return values.under(LatentModel.SCOPE).read(name);
    }

    /** What a posterior of one row is fitted to, theta being known: for a closer look than q takes. */
    public GraphTarget target(Rows rows, int row) {
        return model.at(rows.read(row), values);
    }

    /**
     * Bounds of log p_theta(y) on rows; of a posterior {@linkplain LatentPosterior.Flows#ofEachRow of each row}, on
     * those it was learned from.
     *
     * @param samples codes drawn per row for the ELBO, at least 1
     * @param importance codes per row for the importance-weighted bound, 0 for none
     */
    public LatentBounds bounds(Rows rows, int samples, int importance, Seed seed) {
        Check.that(samples >= 1 && importance >= 0, "samples = ", samples, ", importance = ", importance,
                ": at least 1 and 0");
        Optional<Estimate> exact = model.space().isListable()
                ? Optional.of(Estimate.of(logLikelihoods(rows))) : Optional.empty();
        if (posterior instanceof LatentPosterior.Exact) {
            return new LatentBounds(rows.count(), exact.orElseThrow(), Optional.empty(), exact);
        }
        double[][] logWeights = logWeights(rows, rows.count(), Math.max(samples, importance), seed);
        double[] elbo = Arrays.stream(logWeights)
                .mapToDouble(row -> Arrays.stream(row, 0, samples).average().orElseThrow()).toArray();
        Optional<Estimate> weighted = importance == 0 ? Optional.empty()
                : Optional.of(Estimate.of(Arrays.stream(logWeights)
                        .mapToDouble(row -> LogSpace.meanExp(Arrays.copyOf(row, importance))).toArray()));
        return new LatentBounds(rows.count(), Estimate.of(elbo), weighted, exact);
    }

    /** log p_theta(y) of every row, [count], all codes summed; refused where those are too many. */
    public double[] logLikelihoods(Rows rows) {
        return tables(rows, rows.count()).mapToDouble(LogSpace::sumExp).toArray();
    }

    /** log p_theta(y, x) of one row and codes [n][D]: [n]. */
    public double[] logJoint(Rows rows, int row, int[][] codes) {
        return logJoint(rows, row, 1, codes);
    }

    /** log p_theta(y, x) of the first rows and all codes, a row at a time. */
    private Stream<double[]> tables(Rows rows, int count) {
        int[][] all = model.space().all();
        int block = Math.max(1, PAIRS / all.length);
        return IntStream.iterate(0, start -> start < count, start -> start + block).boxed().flatMap(start -> {
            int n = Math.min(block, count - start);
            double[] flat = logJoint(rows, start, n, all);
            return IntStream.range(0, n).mapToObj(i -> Arrays.copyOfRange(flat, i * all.length, (i + 1) * all.length));
        });
    }

    /** log p_theta(y, x) of n rows from a first one on, each with all the given codes, flat [n, codes]. */
    private double[] logJoint(Rows rows, int first, int n, int[][] codes) {
        if (joint == null || seen.extent(1) != rows.size()) {
            close();
            Graph graph = new Graph(Precision.DOUBLE);
            seen = graph.placeholder("rows", PAIRS, rows.size());
            code = graph.placeholder("codes", PAIRS, model.space().variables(), model.space().width());
            logJoint = model.logJoint(graph, seen, code);
            joint = plan(graph, logJoint);
        }
        double[] result = new double[n * codes.length];
        for (int start = 0; start < result.length; start += PAIRS) {
            // the last pair again where there are no more
            int[] pairs = IntStream.range(start, start + PAIRS).map(i -> Math.min(i, result.length - 1)).toArray();
            joint.write(seen, rows.read(IntStream.of(pairs).map(i -> first + i / codes.length).toArray()));
            joint.write(code, model.space().oneHot(
                    IntStream.of(pairs).mapToObj(i -> codes[i % codes.length]).toArray(int[][]::new)));
            joint.run();
            System.arraycopy(joint.read(logJoint), 0, result, start, Math.min(PAIRS, result.length - start));
        }
        return result;
    }

    /** Log importance weights log p_theta(y, x) - log q(x | y) of codes drawn for the first rows, [count][samples];
     * where all codes are summed, each is log p_theta(y). */
    double[][] logWeights(Rows rows, int count, int samples, Seed seed) {
        if (!(posterior instanceof LatentPosterior.Flows flows)) {
            return tables(rows, count).map(table -> new double[] {LogSpace.sumExp(table)}).toArray(double[][]::new);
        }
        double[][] result = new double[count][samples];
        Graph graph = new Graph(Precision.DOUBLE);
        LatentGraph drawn = new LatentGraph(graph, model, flows, BATCH, rows, estimator(flows));
        Tensor logWeight = drawn.logJoint.minus(drawn.logProb());
        try (ExecutionPlan plan = plan(graph, logWeight)) {
            for (int start = 0; start < count; start += BATCH) {
                int[] which = batch(start, count);
                for (int s = 0; s < samples; s++) {
                    drawn.write(plan, rows, which, new Draws(seed.fold(start).fold(s)), 1);
                    plan.run();
                    double[] some = plan.read(logWeight);
                    for (int i = 0; i < Math.min(BATCH, count - start); i++) {
                        result[start + i][s] = some[i];
                    }
                }
            }
        }
        return result;
    }

    /** q(x | y) of every row: atoms where all codes are summed, else products or flow mixtures. */
    public List<CodeDistribution> posteriors(Rows rows) {
        if (!(posterior instanceof LatentPosterior.Flows flows)) {
            int[][] all = model.space().all();
            return tables(rows, rows.count()).<CodeDistribution>map(
                    table -> Atoms.merged(model.space(), all, LogSpace.normalise(table))).toList();
        }
        Mixture mixture = flows.mixture();
        boolean product = mixture.structure() == Structure.PER_VARIABLE && !mixture.looksAtCode();
        Graph graph = new Graph(Precision.DOUBLE);
        LatentGraph drawn = new LatentGraph(graph, model, flows, BATCH, rows, estimator(flows));
        Tensor read = (product ? drawn.q.tables(null).q() : drawn.given).plus(0);
        int width = read.size() / BATCH;
        List<CodeDistribution> result = new ArrayList<>();
        try (ExecutionPlan plan = plan(graph, read)) {
            for (int start = 0; start < rows.count(); start += BATCH) {
                drawn.write(plan, rows, batch(start, rows.count()), new Draws(Seed.of(0)), 1);
                plan.run();
                double[] some = plan.read(read);
                for (int i = 0; i < Math.min(BATCH, rows.count() - start); i++) {
                    double[] own = Arrays.copyOfRange(some, i * width, (i + 1) * width);
                    result.add(product ? new Product(model.space().rows(own, 0))
                            : new FlowMixture(mixture, own(mixture), own));
                }
            }
        }
        return result;
    }

    /** The mixture's own parameters, in the order of its layout. */
    private double[] own(Mixture mixture) {
        return part(mixture.layout(), values.under(LatentGraph.POSTERIOR));
    }

    /** How codes are drawn does not depend on where gradients go; this is the fastest. */
    private static Estimator estimator(LatentPosterior.Flows flows) {
        return flows.mixture().structure() == Structure.JOINT ? Estimator.CHOSEN : Estimator.AVERAGED;
    }

    /** The numbers of a batch's rows; the first again where there are no more. */
    private static int[] batch(int start, int count) {
        return IntStream.range(start, start + BATCH).map(row -> row < count ? row : start).toArray();
    }

    /** A plan with the values of the parameters that it has. */
    private ExecutionPlan plan(Graph graph, Tensor output) {
        ExecutionPlan plan = ExecutionPlan.forward(graph, output);
        plan.load(part(plan.layout(), values));
        return plan;
    }

    private static double[] part(ParameterLayout layout, ParameterValues from) {
        return layout.parameters().stream().map(Parameter::name).flatMapToDouble(
                name -> Arrays.stream(from.read(name))).toArray();
    }

    /** Releases native memory; what is asked afterwards takes some anew. */
    @Override
    public void close() {
        if (joint != null) {
            joint.close();
            joint = null;
        }
    }

    @Override
    public String toString() {
        return "LatentFit of " + model;
    }
}
