package io.mdnf.inference;

import io.mdnf.distribution.FlowMixture;
import io.mdnf.file.Sha256;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.Precision;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Mixture;
import io.mdnf.network.FactorLogits;
import io.mdnf.network.Made;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.random.Seed;
import io.mdnf.search.Effort;
import io.mdnf.search.Examples;
import io.mdnf.search.Support;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Ahead;
import io.mdnf.training.Algorithm;
import io.mdnf.training.Fingerprint;
import io.mdnf.training.TrainingSettings;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import io.mdnf.training.TrainingTask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns an autoregressive posterior from codes that follow the target, and judges it by its ELBO: the softmax of one
 * network is fitted by maximum likelihood, then turned into B flows that share it ({@link SharedFlows}).
 * {@link Vif} trains the same mixture by gradients of the ELBO alone.
 *
 * <p>The codes are {@link Examples}: draws from all codes where those are listed, else Gibbs chains. The network
 * follows the target's factors where they are known ({@link io.mdnf.network.FactorLogits}), which also keeps it off
 * impossible codes. Where it may still meet some, flows leave out categories that are unlikely enough; and while
 * samples of the result are impossible all the same, the variable that made them so leaves out more.
 *
 * <p>What is reported is the ELBO of the flows, so it is a bound whatever the codes were worth.
 *
 * <p>Internal: programs call {@code io.mdnf.fit.Fitter}.
 */
public final class Learner extends TrainingTask<FlowMixture> {

    private static final Logger LOG = LoggerFactory.getLogger(Learner.class);
    /** The part that holds the codes of the last step, flat [n, D]. */
    private static final String BATCH_PART = "batch";
    /** The part that holds the bound at the last evaluation; -infinity before the first. */
    private static final String BOUND_PART = "bound";
    /** Codes that show which examples these are. */
    private static final int SHOWN = 8;

    private final TargetModel target;
    private final Examples examples;
    private final Effort.Learning effort;
    private final int[] position;
    private final double firstReach;
    private final SharedFlows flows;
    private final Mixture mixture;
    private final ParameterLayout layout;
    private final FactorLogits factorLogits;
    private final Tensor codes;
    private final Tensor logits;
    private final Tensor offsets;
    private final Ahead<Key, Batch> batches = new Ahead<>(this::batch);
    private Batch batch;
    private double bound;

    /** What decides a batch: the one before, flat and known by its array, and the randomness of the step. */
    private record Key(double[] last, Seed seed) {}

    /** Codes flat [n, D], the key of the batch that follows, one-hot, and what the factors say of them, [n, D, K]. */
    private record Batch(double[] flat, float[] oneHot, float[] offsets) {}

    /** Learns B flows from examples that follow the target, by so many updates of a network that is described for any
     * number of components; the support says in which order, the effort everything else. */
    public Learner(TargetModel target, Support support, int components, IntFunction<Made.Builder> network,
            Examples examples, long steps, Effort.Learning effort) {
        this.target = target;
        this.examples = examples;
        this.effort = effort;
        TrainingSettings settings = TrainingSettings.of(new Optimiser.Adam(), effort.rate()).withDecay(steps)
                .withEvaluations((int) Math.max(1, steps / effort.evaluations())).withPrecision(Precision.FLOAT);
        CodeSpace space = target.space();
        IntFunction<Made.Builder> plain =
                b -> network.apply(b).order(support.order()).sharedWeights().bias(Initialiser.constant(0));
        this.factorLogits = support.logits();
        this.flows = SharedFlows.of(plain.apply(components).following(factorLogits).build());
        this.mixture = flows.mixture();
        Made one = plain.apply(1).build();
        this.position = space.positions(support.order());
        this.firstReach = support.keepsClear() ? Double.POSITIVE_INFINITY : effort.reach();
        int batchSize = effort.batch();
        Graph graph = new Graph(Precision.FLOAT);
        this.codes = graph.placeholder("codes", batchSize, space.variables(), space.width());
        // looked up rather than computed in the graph: the codes are known, and tables may have many rows
        this.offsets = graph.placeholder("offsets", 1, batchSize, space.variables(), space.width());
        this.logits = one.logits(graph, new ShiftNetwork.Inputs(codes, null)).plus(offsets);
        Tensor loss = StraightThrough.restrict(logits, space).logSoftmax()
                .reshape(batchSize, space.variables(), space.width()).times(codes).sum().times(-1.0 / batchSize);
        trains(ExecutionPlan.compile(graph, loss, logits), settings);
        this.layout = graph.layout();
    }

    @Override
    public Fingerprint fingerprint() {
        return Fingerprint.of("learner").with("settings", settings()).target(target).mixture(mixture).with("examples",
                examples + " " + new Sha256().add(examples.first(SHOWN, Seed.of(0))));
    }

    @Override
    public Map<String, double[]> parts(Seed seed) {
        return parts(CodeSpace.flat(examples.first(effort.batch(), seed.fold("examples"))), Double.NEGATIVE_INFINITY);
    }

    private static Map<String, double[]> parts(double[] codes, double bound) {
        return Map.of(BATCH_PART, codes, BOUND_PART, new double[] {bound});
    }

    @Override
    public void feed(TrainingStep step) {
        batch = next(step.parts().get(BATCH_PART), step.draws().seed());
        bound = step.parts().get(BOUND_PART)[0];
        if (examples.followFactors()) {
            batches.begin(new Key(batch.flat, step.nextDraws().seed()));
        }
    }

    @Override
    public Map<String, double[]> after(TrainingStep step, double value) {
        return parts(batch.flat, bound);
    }

    /** Returns the bound of the flows that the network becomes; -infinity where impossible codes were seen. */
    @Override
    public double evaluate(double[] parameters, TrainingStep step) {
        try (FlowMixture q = flows(parameters, reach(), examples())) {
            bound = MixtureTask.evaluated(target, q, step);
            return bound;
        }
    }

    /** Writes the batch after another, flat, and returns it. */
    private Batch next(double[] last, Seed seed) {
        Batch following = batches.take(new Key(last, seed));
        plan().write(codes, following.oneHot);
        plan().write(offsets, following.offsets);
        return following;
    }

    private Batch batch(Key key) {
        CodeSpace space = target.space();
        int[][] rows = examples.next(space.unflat(key.last), key.seed);
        float[] oneHot = new float[rows.length * space.oneHotLength()];
        float[] given = new float[oneHot.length];
        double[] row = new double[space.width()];
        for (int i = 0; i < rows.length; i++) {
            for (int d = 0; d < space.variables(); d++) {
                int at = (i * space.variables() + d) * space.width();
                oneHot[at + rows[i][d]] = 1;
                Arrays.fill(row, 0);
                factorLogits.add(rows[i], d, row);
                for (int k = 0; k < row.length; k++) {
                    given[at + k] = (float) row[k];
                }
            }
        }
        return new Batch(CodeSpace.flat(rows), oneHot, given);
    }

    /** The logits of the batch that was just run, [n][D * K]. */
    private double[][] examples() {
        int length = target.space().oneHotLength();
        double[] all = plan().read(logits);
        return IntStream.range(0, effort.batch()).mapToObj(i -> Arrays.copyOfRange(all, i * length, (i + 1) * length))
                .toArray(double[][]::new);
    }

    private double[] reach() {
        return DoubleStream.generate(() -> firstReach).limit(target.space().variables()).toArray();
    }

    private FlowMixture flows(double[] parameters, double[] reach, double[][] examples) {
        return new FlowMixture(mixture, flows.parameters(layout, parameters, reach, examples));
    }

    @Override
    public FlowMixture result(TrainingState state) {
        double[] reach = reach();
        double[][] examples = examples(state);
        FlowMixture q = flows(state.parameters(), reach, examples);
        boolean safe = firstReach == Double.POSITIVE_INFINITY;
        for (int probe = 0, clean = 0; !safe && probe < effort.mostProbes() && clean < effort.cleanProbes(); probe++) {
            if (shorten(q.sample(effort.probes(), state.seed().fold("probe").fold(probe)), reach)) {
                clean = 0;
                q.close();
                q = flows(state.parameters(), reach, examples);
            } else {
                clean++;
            }
        }
        return q;
    }

    private double[][] examples(TrainingState state) {
        plan().load(state.parameters());
        List<double[]> all = new ArrayList<>();
        double[] last = state.part(BATCH_PART);
        for (int i = 0; i < effort.exampleBatches(); i++) {
            last = next(last, state.seed().fold("examples").fold(i)).flat;
            plan().run();
            all.addAll(Arrays.asList(examples()));
        }
        return all.toArray(double[][]::new);
    }

    /** Shortens the reach of the variables that made codes impossible. Returns whether there were any. */
    private boolean shorten(int[][] samples, double[] reach) {
        double[] logJoint = target.logJoint(samples);
        boolean[] guilty = new boolean[reach.length];
        int impossible = 0;
        for (int i = 0; i < samples.length; i++) {
            if (logJoint[i] == Double.NEGATIVE_INFINITY) {
                impossible++;
                guilty[guilty(samples[i])] = true;
            }
        }
        for (int d = 0; d < reach.length; d++) {
            reach[d] = guilty[d] ? Math.max(0, Math.min(effort.reach(), reach[d]) - 1) : reach[d];
        }
        if (impossible > 0) {
            LOG.info("{} of {} samples are impossible: reach of the flows now {}", impossible, samples.length, reach);
        }
        return impossible > 0;
    }

    /** The last variable in the order whose change alone makes a code possible, or the last of all. */
    private int guilty(int[] code) {
        double[][] neighbours = target.neighbours(code);
        int last = 0;
        boolean found = false;
        for (int d = 0; d < code.length; d++) {
            boolean mends = Arrays.stream(neighbours[d]).anyMatch(l -> l > Double.NEGATIVE_INFINITY);
            if (mends && !found || mends == found && position[d] > position[last]) {
                last = d;
                found |= mends;
            }
        }
        return last;
    }

    @Override
    public Algorithm.Info info(TrainingState state) {
        double best = state.best().value();
        // the last evaluation comes after the state's parts were made
        double last = state.best().step() == state.step() ? best : state.part(BOUND_PART)[0];
        return new Algorithm.Info(state.step(), 1, last, best, mixture.components());
    }
}
