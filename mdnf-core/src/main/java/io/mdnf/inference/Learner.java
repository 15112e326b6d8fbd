package io.mdnf.inference;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.flow.Setting;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Posterior;
import io.mdnf.mixture.Weighting;
import io.mdnf.random.Seed;
import io.mdnf.target.TargetModel;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns a mixture from codes that follow the posterior, by maximum likelihood, and judges it by its ELBO. The default
 * for autoregressive posteriors: straight-through gradients of the ELBO fall for the first mode they meet, because they
 * change one variable of a code while the variables that were sampled to suit it stay.
 *
 * <p>The codes come from whichever of two searches has the better bound: freely weighted atoms, drawn by weight (exact
 * where all codes can be enumerated), or Gibbs chains started from the best product, one sweep a step.
 *
 * <p>What is reported is the ELBO of the mixture that was learned, so it is a bound whatever the codes were worth.
 */
public final class Learner implements Algorithm<Learner.State> {

    private static final Logger LOG = LoggerFactory.getLogger(Learner.class);
    private static final int ATOMS = 4000;
    private static final int BATCH = 200;
    private static final int BURN_IN = 60;
    private static final int EVALUATION_SAMPLES = 1000;
    private static final int EVALUATION_CODES = 2000;
    private static final double RATE = 0.02;
    private static final Optimiser OPTIMISER = new Optimiser.Adam();

    /**
     * Where a run stands.
     *
     * @param seed of the run
     * @param step steps done
     * @param parameters the flat vector of the mixture
     * @param optimiser the optimiser's state vectors
     * @param updates updates it has made
     * @param chains the Gibbs chains' codes, [n][D], or null where atoms are drawn
     * @param best the parameters of the best bound so far
     * @param bestElbo that bound
     */
    public record State(Seed seed, long step, double[] parameters, double[][] optimiser, long updates, int[][] chains,
            double[] best, double bestElbo) {}

    private final TargetModel target;
    private final Mixture mixture;
    private final PosteriorSearch search;
    private final long steps;
    private final ExecutionPlan plan;
    private final Setting setting;
    private final Tensor codes;
    private State live;

    /**
     * Learns a mixture.
     *
     * @param target what is fitted to
     * @param mixture what is learned
     * @param search where its codes come from
     * @param steps how many updates
     */
    public Learner(TargetModel target, Mixture mixture, PosteriorSearch search, long steps) {
        this.target = target;
        this.mixture = mixture;
        this.search = search;
        this.steps = steps;
        Graph graph = new Graph(Precision.FLOAT);
        this.setting = Setting.in(graph);
        this.codes = graph.placeholder("codes", BATCH, mixture.codes().variables(), mixture.codes().width());
        // the floor lets a component that is one category away be drawn to a code that no component gives yet
        Tensor loss = mixture.in(setting).logProb(codes, 0.1 / mixture.components()).sum().times(-1.0 / BATCH);
        this.plan = ExecutionPlan.compile(graph, loss);
    }

    /**
     * What two searches know of a posterior.
     *
     * @param atoms freely weighted atoms, or null if the product's bound is better
     * @param product the best product, [D][K_d]
     * @param impossible whether the target has impossible codes near the product's
     * @param exhaustive whether the atoms were chosen among all codes there are
     */
    public record PosteriorSearch(AtomSet atoms, double[][] product, boolean impossible, boolean exhaustive) {

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
            boolean impossible = false;
            for (int[] code : GibbsChains.fromProduct(product.meanField(), 20, seed.fold("probe"))) {
                for (double[] row : target.neighbours(code)) {
                    impossible |= Arrays.stream(row).anyMatch(l -> l == Double.NEGATIVE_INFINITY);
                }
            }
            return new PosteriorSearch(atoms.elbo() > product.meanFieldElbo() ? atoms.atoms() : null,
                    product.meanField(), impossible, atoms.exhaustive());
        }
    }

    @Override
    public State init(Seed seed) {
        double[] parameters = mixture.layout().initial(seed.fold("parameters"));
        int[][] chains = search.atoms() != null ? null : GibbsChains.sweep(target,
                GibbsChains.fromProduct(search.product(), BATCH, seed.fold("chains")), BURN_IN, seed.fold("burn-in"));
        return new State(seed, 0, parameters, new double[OPTIMISER.slots()][parameters.length], 0, chains, parameters,
                Double.NEGATIVE_INFINITY);
    }

    @Override
    public State advance(State state, int count) {
        if (state != live) {
            plan.restore(state.parameters(), OPTIMISER, state.optimiser(), state.updates());
        }
        live = null;
        int[][] chains = state.chains();
        double[] best = state.best();
        double bestElbo = state.bestElbo();
        long step = state.step();
        for (int i = 0; i < count && step < steps; i++, step++) {
            Seed own = state.seed().fold("step").fold(step);
            int[][] batch;
            if (chains == null) {
                batch = search.atoms().sample(BATCH, own);
            } else {
                chains = GibbsChains.sweep(target, chains, 1, own);
                batch = chains;
            }
            double progress = (double) step / steps;
            plan.write(codes, mixture.codes().oneHot(batch));
            plan.write(setting.inverseTemperature(), 1 / Math.max(0.5, 3 * Math.exp(-2 * progress)));
            plan.run();
            plan.update(OPTIMISER, RATE * (1 - progress) + RATE * 1e-3);
            if (!plan.isFinite()) {
                throw new DivergenceException("gradient is not finite", step, 1, "in the mixture's parameters", state);
            }
            // towards the end, when the rate is small
            if (step + 1 == steps || step >= steps * 3 / 5 && (step + 1) % Math.max(1, steps / 10) == 0) {
                double[] parameters = plan.parameters();
                try (Posterior q = new Posterior(mixture, parameters)) {
                    double bound = Bound.of(target, q, EVALUATION_SAMPLES, state.seed().fold("evaluation"),
                            EVALUATION_CODES).value();
                    if (bound > bestElbo || bestElbo == Double.NEGATIVE_INFINITY) {
                        best = parameters;
                        bestElbo = bound;
                    }
                }
            }
        }
        State done = new State(state.seed(), step, plan.parameters(), plan.optimiserState(), plan.updates(), chains, best,
                bestElbo);
        live = done;
        return done;
    }

    @Override
    public boolean isFinished(State state) {
        return state.step() >= steps;
    }

    @Override
    public Posterior result(State state) {
        return new Posterior(mixture, state.bestElbo() == Double.NEGATIVE_INFINITY ? state.parameters() : state.best());
    }

    @Override
    public Info info(State state) {
        return new Info(state.step(), 1, state.bestElbo(), state.bestElbo(), mixture.components());
    }

    @Override
    public Checkpoint save(State s) {
        double[] chains = s.chains() == null ? new double[0]
                : Arrays.stream(s.chains()).flatMapToInt(Arrays::stream).asDoubleStream().toArray();
        return Checkpoint.of(mixture.layout(), s.parameters()).configuration("{\"algorithm\":\"learner\"}").seed(s.seed())
                .step(s.step()).precision(Precision.FLOAT).optimiser(OPTIMISER.toString(), s.optimiser(), s.updates())
                .array("best", s.best()).array("progress", s.bestElbo()).array("chains", chains).build();
    }

    @Override
    public State restore(Checkpoint c) {
        c.requireLayout(mixture.layout());
        double[] flat = c.array("chains");
        int variables = mixture.codes().variables();
        int[][] chains = flat.length == 0 ? null : new int[flat.length / variables][variables];
        for (int i = 0; i < flat.length; i++) {
            chains[i / variables][i % variables] = (int) flat[i];
        }
        return new State(c.seed(), c.step(), c.parameters(), c.optimiserState(), c.updates(), chains, c.array("best"),
                c.array("progress")[0]);
    }

    @Override
    public void close() {
        plan.close();
    }
}
