package io.mdnf.inference;

import io.mdnf.flow.Setting;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.LargestRemainder;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.Made;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.target.TargetModel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where an autoregressive posterior starts: not at random, from where stochastic gradients fall for the first mode they
 * meet, but at the better of two posteriors that are found by search. Both are judged by their bounds, so they compare.
 *
 * <ul>
 *   <li>Freely weighted atoms, if a few hundred codes carry the posterior: the network first learns them by maximum
 *       likelihood.
 *   <li>Otherwise the best factorised posterior: the network's output bias starts at its categories and all other
 *       weights leave it alone.
 * </ul>
 *
 * <p>Example: {@code vif.start(seed, WarmStart.parameters(target, mixture, seed))}.
 */
public final class WarmStart {

    private static final Logger LOG = LoggerFactory.getLogger(WarmStart.class);
    private static final int ATOMS = 2000;
    private static final int BATCH = 100;
    private static final int STEPS = 400;
    /** How far above the others the logit of a component's category starts, against the temperature of training. */
    private static final double MARGIN = 1;

    private WarmStart() {}

    /**
     * First parameters.
     *
     * @param target what will be fitted to
     * @param mixture a PER_VARIABLE mixture of shifts by a MADE with bases at category 0
     * @param seed where the searches' randomness comes from
     * @return in the order of the mixture's layout
     */
    public static double[] parameters(TargetModel target, Mixture mixture, Seed seed) {
        if (mixture.structure() != Structure.PER_VARIABLE || !(mixture.flow() instanceof ShiftFlow shift)
                || !(shift.network() instanceof Made)) {
            throw new IllegalArgumentException(mixture + ": a warm start is for PER_VARIABLE shifts by a MADE");
        }
        var product = new FactorisedRefinement(target, mixture.components()).refine(seed.fold("factorised"));
        double[] start = factorised(mixture, product.q(), seed);
        var atoms = AtomRefinement.of(target, ATOMS, Weighting.FREE).refine(seed.fold("atoms"));
        LOG.info("warm start: {} atoms reach {}, a product {}", ATOMS, atoms.elbo(), product.elbo());
        return atoms.elbo() > product.elbo() ? learn(mixture, atoms.atoms(), start, seed) : start;
    }

    /** Bias at the product's categories, column by column; inputs keep their random weights, scaled down. */
    private static double[] factorised(Mixture mixture, double[][] q, Seed seed) {
        double[] flat = mixture.layout().initial(seed.fold("parameters"));
        int[][] columns = LargestRemainder.columns(q, mixture.components());
        double[] logits = mixture.codes().oneHot(columns);
        Draws noise = new Draws(seed.fold("noise"));
        double[] z = noise.normal("bias", logits.length);
        for (int i = 0; i < logits.length; i++) {
            logits[i] = MARGIN * logits[i] + 0.1 * MARGIN * z[i];
        }
        return mixture.layout().with("flow/shift/bias", logits, flat);
    }

    private static double[] learn(Mixture mixture, AtomSet atoms, double[] start, Seed seed) {
        Graph graph = new Graph(Precision.FLOAT);
        Setting setting = Setting.in(graph);
        Tensor codes = graph.placeholder("codes", BATCH, mixture.codes().variables(), mixture.codes().width());
        Tensor loss = mixture.in(setting).logProb(codes, 0.1 / mixture.components()).sum().times(-1.0 / BATCH);
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss)) {
            plan.load(start);
            double[] weights = atoms.weights();
            int[][] all = atoms.codes();
            for (int step = 0; step < STEPS; step++) {
                var rng = new Draws(seed.fold("learn").fold(step)).stream("atoms");
                int[][] batch = new int[BATCH][];
                for (int i = 0; i < BATCH; i++) {
                    batch[i] = all[Draws.category(rng, weights, 0, weights.length)];
                }
                plan.write(codes, mixture.codes().oneHot(batch));
                plan.write(setting.inverseTemperature(), 1 / Math.max(0.5, 5 * Math.exp(-3.0 * step / STEPS)));
                plan.run();
                plan.update(new Optimiser.Adam(), 0.02 * (1 - (double) step / STEPS) + 1e-4);
            }
            return plan.parameters();
        }
    }
}
