package io.mdnf.inference;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.Precision;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Posterior;
import io.mdnf.network.Made;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Codes;
import io.mdnf.target.TargetModel;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns an autoregressive posterior whose flows share one network: the network's softmax is fitted by maximum likelihood
 * to the codes of Gibbs chains, then turned into B flows ({@link SharedFlows}). One network instead of B costs so much
 * less that it can be larger and be trained for longer, which large posteriors need.
 *
 * <p>The chains start at freely weighted atoms where those have a better bound than the best product, else at the
 * product. Flows leave out categories that are unlikely enough; where samples of the result are impossible all the same,
 * the variable that made them so leaves out more, until none is seen.
 *
 * <p>What is reported is the ELBO of the flows, so it is a bound whatever the chains were worth.
 */
public final class ConditionalLearner implements Algorithm<ConditionalLearner.State> {

    private static final Logger LOG = LoggerFactory.getLogger(ConditionalLearner.class);
    private static final int BATCH = 200;
    private static final int BURN_IN = 60;
    private static final int EVALUATIONS = 10;
    private static final int EVALUATION_SAMPLES = 500;
    private static final double RATE = 0.01;
    private static final Optimiser OPTIMISER = new Optimiser.Adam();
    /** Categories less likely than about e^-5 are left out: the components' steps are better used elsewhere. */
    private static final double REACH = 5;
    private static final int PROBES = 2000;
    private static final int MOST_PROBES = 25;
    private static final int CLEAN_PROBES = 3;

    /**
     * Where a run stands.
     *
     * @param seed of the run
     * @param step steps done
     * @param parameters of the one network
     * @param optimiser the optimiser's state vectors
     * @param updates updates it has made
     * @param chains the chains' codes, [n][D]
     * @param elbo the last estimate of the flows' bound; -infinity before the first and where impossible codes were seen
     */
    public record State(Seed seed, long step, double[] parameters, double[][] optimiser, long updates, int[][] chains,
            double elbo) {}

    private final TargetModel target;
    private final Learner.PosteriorSearch search;
    private final long steps;
    private final int[] position;
    private final SharedFlows flows;
    private final Mixture mixture;
    private final ExecutionPlan plan;
    private final ParameterLayout layout;
    private final Tensor codes;
    private State live;

    /**
     * Learns flows.
     *
     * @param target what is fitted to
     * @param components B
     * @param network makes the same network for any number of components
     * @param search where the chains start
     * @param steps how many updates
     */
    public ConditionalLearner(TargetModel target, int components, IntFunction<Made.Builder> network,
            Learner.PosteriorSearch search, long steps) {
        this.target = target;
        this.search = search;
        this.steps = steps;
        Codes space = target.codes();
        IntFunction<Made> plain = b -> network.apply(b).bias(Initialiser.constant(0)).build();
        this.flows = new SharedFlows(space, components, plain);
        this.mixture = flows.mixture();
        Made one = plain.apply(1);
        this.position = one.positions();
        Graph graph = new Graph(Precision.FLOAT);
        this.codes = graph.placeholder("codes", BATCH, space.variables(), space.width());
        Tensor logits = one.logits(graph, new ShiftNetwork.Inputs(codes.repeatLeading(1), null));
        Tensor loss = StraightThrough.restrict(logits, space).logSoftmax()
                .reshape(BATCH, space.variables(), space.width()).times(codes).sum().times(-1.0 / BATCH);
        this.plan = ExecutionPlan.compile(graph, loss);
        this.layout = graph.layout();
    }

    @Override
    public State init(Seed seed) {
        double[] parameters = layout.initial(seed.fold("parameters"));
        int[][] start = search.atoms() == null
                ? GibbsChains.fromProduct(search.product(), BATCH, seed.fold("chains"))
                : search.atoms().sample(BATCH, seed.fold("chains"));
        return new State(seed, 0, parameters, new double[OPTIMISER.slots()][parameters.length], 0,
                GibbsChains.sweep(target, start, BURN_IN, seed.fold("burn-in")), Double.NEGATIVE_INFINITY);
    }

    @Override
    public State advance(State state, int count) {
        if (state != live) {
            plan.restore(state.parameters(), OPTIMISER, state.optimiser(), state.updates());
        }
        live = null;
        int[][] chains = state.chains();
        double elbo = state.elbo();
        long step = state.step();
        for (int i = 0; i < count && step < steps; i++, step++) {
            chains = GibbsChains.sweep(target, chains, 1, state.seed().fold("step").fold(step));
            plan.write(codes, target.codes().oneHot(chains));
            plan.run();
            plan.update(OPTIMISER, RATE * (1 - (double) step / steps) + RATE * 1e-3);
            if (!plan.isFinite()) {
                throw new DivergenceException("gradient is not finite", step, 1, "in the network's parameters", state);
            }
            if ((step + 1) % Math.max(1, steps / EVALUATIONS) == 0) {
                try (Posterior q = flows(plan.parameters(), reach())) {
                    elbo = Bound.of(target, q, EVALUATION_SAMPLES, state.seed().fold("evaluation"), 0).value();
                }
            }
        }
        State done = new State(state.seed(), step, plan.parameters(), plan.optimiserState(), plan.updates(), chains, elbo);
        live = done;
        return done;
    }

    private double[] reach() {
        double[] reach = new double[target.codes().variables()];
        Arrays.fill(reach, REACH);
        return reach;
    }

    private Posterior flows(double[] parameters, double[] reach) {
        return new Posterior(mixture, flows.parameters(layout, parameters, reach));
    }

    @Override
    public boolean isFinished(State state) {
        return state.step() >= steps;
    }

    @Override
    public Posterior result(State state) {
        double[] reach = reach();
        Posterior q = flows(state.parameters(), reach);
        for (int probe = 0, clean = 0; probe < MOST_PROBES && clean < CLEAN_PROBES; probe++) {
            if (shorten(q.sample(PROBES, state.seed().fold("probe").fold(probe)), reach)) {
                clean = 0;
                q.close();
                q = flows(state.parameters(), reach);
            } else {
                clean++;
            }
        }
        return q;
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
            reach[d] = guilty[d] ? Math.max(0, reach[d] - 1) : reach[d];
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
    public Info info(State state) {
        return new Info(state.step(), 1, state.elbo(), state.elbo(), mixture.components());
    }

    @Override
    public Checkpoint save(State s) {
        double[] chains = Arrays.stream(s.chains()).flatMapToInt(Arrays::stream).asDoubleStream().toArray();
        return Checkpoint.of(layout, s.parameters()).configuration("{\"algorithm\":\"conditional learner\"}")
                .seed(s.seed()).step(s.step()).precision(Precision.FLOAT)
                .optimiser(OPTIMISER.toString(), s.optimiser(), s.updates())
                .array("progress", s.elbo()).array("chains", chains).build();
    }

    @Override
    public State restore(Checkpoint c) {
        c.requireLayout(layout);
        double[] flat = c.array("chains");
        int variables = target.codes().variables();
        int[][] chains = new int[flat.length / variables][variables];
        for (int i = 0; i < flat.length; i++) {
            chains[i / variables][i % variables] = (int) flat[i];
        }
        return new State(c.seed(), c.step(), c.parameters(), c.optimiserState(), c.updates(), chains,
                c.array("progress")[0]);
    }

    @Override
    public void close() {
        plan.close();
    }
}
