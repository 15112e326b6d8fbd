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
import io.mdnf.distribution.FlowMixture;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.FactorLogits;
import io.mdnf.network.Made;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.search.AtomRefinement;
import io.mdnf.distribution.Atoms;
import io.mdnf.search.FactorisedRefinement;
import io.mdnf.search.GibbsChains;
import io.mdnf.search.PossibleCodes;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Algorithm;
import io.mdnf.training.DivergenceException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns an autoregressive posterior from codes that follow the target, and judges it by its ELBO: the softmax of one
 * network is fitted by maximum likelihood, then turned into B flows that share it ({@link SharedFlows}). Straight-through
 * gradients of the ELBO would fall for the first mode they meet, because they change one variable of a code while the
 * variables that were sampled to suit it stay.
 *
 * <p>The codes are freely weighted atoms, drawn by weight, where those are all codes there are; else Gibbs chains, one
 * sweep a step, that start at atoms or at the best product, whichever has the better bound. Where the factors are known
 * a chain is also offered a code drawn along them, because sweeps do not lead from one island among zeros to the next.
 * The network follows them too ({@link io.mdnf.network.FactorLogits}), which also keeps it off impossible codes. Where it
 * may still meet some, flows leave out categories that are unlikely enough; and while samples of the result are impossible
 * all the same, the variable that made them so leaves out more.
 *
 * <p>What is reported is the ELBO of the flows, so it is a bound whatever the codes were worth.
 */
public final class Learner implements Algorithm<Learner.State> {

    private static final Logger LOG = LoggerFactory.getLogger(Learner.class);
    private static final int ATOMS = 4000;
    private static final int BATCH = 200;
    private static final int BURN_IN = 60;
    private static final int EXAMPLE_BATCHES = 5;
    private static final int EVALUATIONS = 10;
    private static final int EVALUATION_SAMPLES = 500;
    private static final double RATE = 0.01;
    private static final Optimiser OPTIMISER = new Optimiser.Adam();
    /** How far a logit may fall behind where impossible codes may be met: categories below e^-5 or so are left out. */
    private static final double REACH = 5;
    private static final int PROBES = 5000;
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
     * @param chains the chains' codes, [n][D], or null where atoms are drawn
     * @param elbo the last estimate of the flows' bound; -infinity before the first and where impossible codes were seen
     */
    public record State(Seed seed, long step, double[] parameters, double[][] optimiser, long updates, int[][] chains,
            double elbo) {}

    private final TargetModel target;
    private final PosteriorSearch search;
    private final long steps;
    private final int[] position;
    private final Optional<PossibleCodes> offers;
    private final double firstReach;
    private final SharedFlows flows;
    private final Mixture mixture;
    private final ExecutionPlan plan;
    private final ParameterLayout layout;
    private final FactorLogits factorLogits;
    private final Tensor codes;
    private final Tensor logits;
    private final Tensor offsets;
    private State live;

    /**
     * Learns flows.
     *
     * @param target what is fitted to
     * @param components B
     * @param network describes the network of any number of components
     * @param search where the chains start
     * @param steps how many updates
     */
    public Learner(TargetModel target, int components, IntFunction<Made.Builder> network,
            PosteriorSearch search, long steps) {
        this.target = target;
        this.search = search;
        this.steps = steps;
        CodeSpace space = target.space();
        IntFunction<Made.Builder> plain = b -> network.apply(b).sharedWeights().bias(Initialiser.constant(0));
        this.flows = SharedFlows.of(plain.apply(components).following(target.factors()).build());
        this.mixture = flows.mixture();
        Made one = plain.apply(1).build();
        this.position = one.positions();
        this.factorLogits = FactorLogits.of(space, order(position), target.factors());
        this.offers = target.factors().isEmpty() ? Optional.empty()
                : Optional.of(new PossibleCodes(space, order(position), factorLogits));
        this.firstReach = target.factors().isEmpty() || !factorLogits.isComplete()
                ? REACH : Double.POSITIVE_INFINITY;
        Graph graph = new Graph(Precision.FLOAT);
        this.codes = graph.placeholder("codes", BATCH, space.variables(), space.width());
        // looked up rather than computed in the graph: the codes are known, and tables may have many rows
        this.offsets = graph.placeholder("offsets", 1, BATCH, space.variables(), space.width());
        this.logits = one.logits(graph, new ShiftNetwork.Inputs(codes, null)).plus(offsets);
        Tensor loss = StraightThrough.restrict(logits, space).logSoftmax()
                .reshape(BATCH, space.variables(), space.width()).times(codes).sum().times(-1.0 / BATCH);
        this.plan = ExecutionPlan.compile(graph, loss, logits);
        this.layout = graph.layout();
    }

    /**
     * What two searches know of a posterior.
     *
     * @param atoms freely weighted atoms, or null if the product's bound is better
     * @param product the best product, [D][K_d]
     * @param exhaustive whether the atoms were chosen among all codes there are
     */
    public record PosteriorSearch(Atoms atoms, double[][] product, boolean exhaustive) {

        /** Returns whether the atoms are all possible codes, so that to draw one is to draw from the posterior. */
        public boolean areAllCodes() {
            return exhaustive && atoms != null && atoms.size() < ATOMS;
        }

        /**
         * Searches.
         *
         * @param target the target
         * @param seed where the searches' randomness comes from
         * @return what was found
         */
        public static PosteriorSearch of(TargetModel target, Seed seed) {
            var product = new FactorisedRefinement(target, 100).refine(seed.fold("factorised"));
            var atoms = AtomRefinement.of(target, ATOMS, Weighting.FREE).refine(seed.fold("atoms"));
            LOG.info("{} atoms reach {}, a product {}", ATOMS, atoms.elbo(), product.meanFieldElbo());
            return new PosteriorSearch(atoms.elbo() > product.meanFieldElbo() ? atoms.atoms() : null,
                    product.meanField(), atoms.exhaustive());
        }
    }

    @Override
    public State init(Seed seed) {
        double[] parameters = layout.initial(seed.fold("parameters"));
        return new State(seed, 0, parameters, new double[OPTIMISER.slots()][parameters.length], 0,
                search.areAllCodes() ? null : chains(seed), Double.NEGATIVE_INFINITY);
    }

    private int[][] chains(Seed seed) {
        int[][] start = search.atoms() == null
                ? GibbsChains.fromProduct(search.product(), BATCH, seed.fold("chains"))
                : search.atoms().sample(BATCH, seed.fold("chains"));
        int[][] chains = start;
        for (int i = 0; i < BURN_IN; i++) {
            chains = move(chains, seed.fold("burn-in").fold(i));
        }
        return chains;
    }

    private int[][] move(int[][] chains, Seed seed) {
        int[][] swept = GibbsChains.sweep(target, chains, 1, seed);
        return offers.isPresent() ? GibbsChains.jump(target, swept, offers.get(), seed) : swept;
    }

    private static int[] order(int[] position) {
        int[] order = new int[position.length];
        for (int d = 0; d < order.length; d++) {
            order[position[d]] = d;
        }
        return order;
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
            chains = next(chains, state.seed().fold("step").fold(step));
            plan.run();
            plan.update(OPTIMISER, RATE * (1 - (double) step / steps) + RATE * 1e-3);
            if (!plan.isFinite()) {
                throw new DivergenceException("gradient is not finite", step, 1, "in the network's parameters", state);
            }
            if ((step + 1) % Math.max(1, steps / EVALUATIONS) == 0) {
                try (FlowMixture q = flows(plan.parameters(), reach(), examples())) {
                    elbo = Bound.of(target, q, EVALUATION_SAMPLES, state.seed().fold("evaluation"), 0).value();
                }
            }
        }
        State done = new State(state.seed(), step, plan.parameters(), plan.optimiserState(), plan.updates(), chains, elbo);
        live = done;
        return done;
    }

    /** Writes the next batch of codes. Returns the chains it came from, or null. */
    private int[][] next(int[][] chains, Seed seed) {
        int[][] moved = chains == null ? null : move(chains, seed);
        int[][] batch = chains == null ? search.atoms().sample(BATCH, seed) : moved;
        plan.write(codes, target.space().oneHot(batch));
        plan.write(offsets, offsets(batch));
        return moved;
    }

    /** The logits of the batch that was just run, [BATCH][D * K]. */
    private double[][] examples() {
        int length = target.space().oneHotLength();
        double[] all = plan.read(logits);
        return IntStream.range(0, BATCH).mapToObj(i -> Arrays.copyOfRange(all, i * length, (i + 1) * length))
                .toArray(double[][]::new);
    }

    /** What the factors say of the variables of codes, flat [n, D, K]. */
    private double[] offsets(int[][] batch) {
        CodeSpace space = target.space();
        double[] flat = new double[batch.length * space.oneHotLength()];
        double[] row = new double[space.width()];
        for (int i = 0; i < batch.length; i++) {
            for (int d = 0; d < space.variables(); d++) {
                Arrays.fill(row, 0);
                factorLogits.add(batch[i], d, row);
                System.arraycopy(row, 0, flat, i * space.oneHotLength() + d * space.width(), row.length);
            }
        }
        return flat;
    }

    private double[] reach() {
        double[] reach = new double[target.space().variables()];
        Arrays.fill(reach, firstReach);
        return reach;
    }

    private FlowMixture flows(double[] parameters, double[] reach, double[][] examples) {
        return new FlowMixture(mixture, flows.parameters(layout, parameters, reach, examples));
    }

    @Override
    public boolean isFinished(State state) {
        return state.step() >= steps;
    }

    @Override
    public FlowMixture result(State state) {
        double[] reach = reach();
        double[][] examples = examples(state);
        FlowMixture q = flows(state.parameters(), reach, examples);
        boolean safe = firstReach == Double.POSITIVE_INFINITY;
        for (int probe = 0, clean = 0; !safe && probe < MOST_PROBES && clean < CLEAN_PROBES; probe++) {
            if (shorten(q.sample(PROBES, state.seed().fold("probe").fold(probe)), reach)) {
                clean = 0;
                q.close();
                q = flows(state.parameters(), reach, examples);
            } else {
                clean++;
            }
        }
        return q;
    }

    private double[][] examples(State state) {
        plan.load(state.parameters());
        live = null;
        List<double[]> examples = new ArrayList<>();
        int[][] chains = state.chains();
        for (int batch = 0; batch < EXAMPLE_BATCHES; batch++) {
            chains = next(chains, state.seed().fold("examples").fold(batch));
            plan.run();
            examples.addAll(Arrays.asList(examples()));
        }
        return examples.toArray(double[][]::new);
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
            reach[d] = guilty[d] ? Math.max(0, Math.min(REACH, reach[d]) - 1) : reach[d];
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
        double[] chains = s.chains() == null ? new double[0]
                : Arrays.stream(s.chains()).flatMapToInt(Arrays::stream).asDoubleStream().toArray();
        return Checkpoint.of(layout, s.parameters()).configuration("{\"algorithm\":\"learner\"}")
                .seed(s.seed()).step(s.step()).precision(Precision.FLOAT)
                .optimiser(OPTIMISER.toString(), s.optimiser(), s.updates())
                .array("progress", s.elbo()).array("chains", chains).build();
    }

    @Override
    public State restore(Checkpoint c) {
        c.requireLayout(layout);
        double[] flat = c.array("chains");
        int variables = target.space().variables();
        int[][] chains = flat.length == 0 ? null : new int[flat.length / variables][variables];
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
