package io.mdnf.gmm;

import io.mdnf.base.Base;
import io.mdnf.base.Deltas;
import io.mdnf.base.FixedBase;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Tables;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.DirectLogits;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import java.util.Arrays;

/**
 * The E-step with all components trained together: a factorised (PER_VARIABLE) mixture over N variables of K categories
 * with logits [B, N, K], q_n(k) = (1/B) sum_b f^b(u^b)_nk.
 *
 * <p>The objective depends on samples only through the frequencies s_n(k) of the categories among the S draws of point
 * n: {@code sum_nk s_n(k) (log rho_nk - log q_n(k))}. So a step draws how often each component was chosen, [N, B], not
 * S codes, and with S = 0 puts s = q.
 */
final class VifExpectation extends FlowExpectation {
    /** The smallest gain that counts as progress, in nats per point. */
    private static final double WORTH = 1e-4;

    private final Mixture mixture;
    private final Tensor logRho;
    private final Tensor chosen;
    private final Tensor q;
    private Best best;

    VifExpectation(int points, int clusters, FlowSettings settings, Seed bases) {
        super(settings, Precision.FLOAT); // the bound is re-evaluated outside in double
        CodeSpace space = CodeSpace.uniform(points, clusters);
        int components = settings.components();
        Base base = settings.alpha() > 0 ? FixedBase.dirichlet(space, components, settings.alpha(), bases)
                : Deltas.zero(space, components);
        this.mixture = new Mixture(Structure.PER_VARIABLE, new ShiftFlow(new DirectLogits(space, components)), base,
                Weighting.EQUAL);
        this.logRho = graph.placeholder("logRho", points, clusters);
        MixtureGraph flows = mixture.in(setting);
        Tables tables = flows.tables(null);
        this.q = tables.q().reshape(points, clusters);
        Tensor bound;
        if (settings.samples() > 0) {
            this.chosen = graph.placeholder("chosen", points, components, 1);
            Tensor frequencies = perComponent(graph, flows, points, clusters).matmul(chosen).reshape(points, clusters);
            bound = frequencies.times(logRho.minus(q.log(MixtureGraph.TRAINING))).sum();
        } else {
            this.chosen = null;
            bound = q.times(logRho).sum().plus(tables.entropy().sum());
        }
        trains(ExecutionPlan.compile(graph, bound.times(-1), q), settings.training(0, graph.precision()));
    }

    /** Each component's distribution of each point, [N, K, B]: its probability of the K codes whose points agree. */
    private static Tensor perComponent(Graph graph, MixtureGraph flows, int points, int clusters) {
        double[] agreeing = new double[clusters * points * clusters];
        for (int k = 0; k < clusters; k++) {
            for (int n = 0; n < points; n++) {
                agreeing[(k * points + n) * clusters + k] = 1;
            }
        }
        return flows.componentProbabilities(graph.constant(agreeing, clusters, points, clusters));
    }

    @Override
    public double[] initial(Seed seed) {
        return mixture.layout().initial(seed);
    }

    /** {@inheritDoc} Refined there is nothing to train: the best multiples of 1 / B are known without. */
    @Override
    Fit fit(AllocationBound bound, double[] flow, double[] previous, Seed seed) {
        if (settings.isRefinedOnMultiples()) {
            return new Fit(bound.bestMultiples(settings.components()), flow, 0);
        }
        plan().write(logRho, centred(bound));
        best = new Best(bound, settings.keep() == FlowSettings.Keep.OVERALL);
        if (previous != null) {
            best.offer(previous);
        }
        TrainingState end = trained(seed, flow);
        return new Fit(result(end), end.parameters(), (int) end.step());
    }

    @Override
    public void feed(TrainingStep step) {
        super.feed(step);
        if (chosen != null) {
            plan().write(chosen, choices(mixture.space().variables(), step.draws()));
        }
    }

    /** Returns the bound of the best so far, evaluated in double. */
    @Override
    public double value() {
        best.offer(plan().read(q));
        return best.total;
    }

    @Override
    public double worth() {
        return WORTH * mixture.space().variables();
    }

    @Override
    public double[] result(TrainingState state) {
        return best.r;
    }

    /** log rho with its largest entry per point at 0: a constant in the bound, and precision kept in float. */
    private static double[] centred(AllocationBound bound) {
        double[] values = bound.logRho().clone();
        for (int start = 0; start < values.length; start += bound.clusters()) {
            int end = start + bound.clusters();
            double largest = Arrays.stream(values, start, end).max().orElseThrow();
            for (int at = start; at < end; at++) {
                values[at] -= largest;
            }
        }
        return values;
    }

    /** How often each component was chosen for each point, as a share of S, [N, B]. */
    private double[] choices(int points, Draws draws) {
        var rng = draws.stream("component");
        int components = settings.components();
        double[] share = new double[points * components];
        for (int n = 0; n < points; n++) {
            for (int s = 0; s < settings.samples(); s++) {
                share[n * components + rng.nextInt(components)] += 1.0 / settings.samples();
            }
        }
        return share;
    }

    /** The best responsibilities offered, block by block: all points together, or each by itself. */
    private static final class Best {
        private final AllocationBound bound;
        private final double[] blocks;
        private final double[] r;
        private double total = Double.NEGATIVE_INFINITY;

        Best(AllocationBound bound, boolean whole) {
            this.bound = bound;
            this.blocks = new double[whole ? 1 : bound.points()];
            this.r = new double[bound.logRho().length];
            Arrays.fill(blocks, Double.NEGATIVE_INFINITY);
        }

        void offer(double[] candidate) {
            Responsibilities.normalise(bound.clusters(), candidate); // read in float they sum to 1 only nearly
            int size = r.length / blocks.length;
            double sum = 0;
            for (int b = 0; b < blocks.length; b++) {
                double value = blocks.length == 1 ? bound.of(candidate) : bound.ofPoint(candidate, b);
                if (value > blocks[b]) {
                    blocks[b] = value;
                    System.arraycopy(candidate, b * size, r, b * size, size);
                }
                sum += blocks[b];
            }
            total = sum;
        }
    }
}
