package io.mdnf.experiments;

import io.mdnf.base.FixedBase;
import io.mdnf.flow.Setting;
import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.plot.Quartiles;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingSettings;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import io.mdnf.training.TrainingTask;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Recovering the order of a permuted distribution: p_x = (1, .., K) / sum, the base a random shuffle of it, and a stack
 * of flows that maximises the likelihood of x until the base carried forward is p_x. All runs are one batch:
 * each flow is a component of every layer, and Adam treats every parameter by itself, so they do not touch.
 */
final class Reordering {
    private static final double RATE = 0.1;
    /** The most of a run. */
    static final int ITERATIONS = 5000;

    private final int categories;
    private final int runs;
    private final double[] p;
    private final double[] base;
    private final Seed seed;

    Reordering(int categories, int runs, Seed seed) {
        this.categories = categories;
        this.runs = runs;
        this.seed = seed;
        this.p = new double[categories];
        Arrays.setAll(p, k -> 2.0 * (k + 1) / (categories * (categories + 1)));
        this.base = new double[runs * categories];
        for (int r = 0; r < runs; r++) {
            int[] order = new Draws(seed.fold("base").fold(r)).permutation("order", categories);
            for (int k = 0; k < categories; k++) {
                base[r * categories + k] = p[order[k]];
            }
        }
    }

    CodeSpace space() {
        return CodeSpace.uniform(1, categories);
    }

    /**
     * What came of the runs.
     *
     * @param solvedAt the iteration whose flow was first right, or -1, by run
     * @param declared the probability that the published test, 1000 samples in order, had passed by the time the run
     *     ended, by run; 0 where not asked for
     */
    record Outcome(int[] solvedAt, double[] declared) {
        long solved() {
            return Arrays.stream(solvedAt).filter(at -> at >= 0).count();
        }

        /** The median over successful runs, NaN if there are none. */
        double medianIterations() {
            double[] solved = Arrays.stream(solvedAt).filter(at -> at >= 0).asDoubleStream().toArray();
            return solved.length == 0 ? Double.NaN : Quartiles.of(solved).median();
        }
    }

    /**
     * How the flows are trained.
     *
     * @param samples of x per iteration; 0 for the exact expectation
     * @param patience iterations without a higher likelihood after which a run goes back to its best flows and draws
     *     some of them anew; 0 for never
     * @param share the probability with which each layer is then drawn anew
     * @param starts flows trained side by side for each run, of which one has to be right
     * @param perLayer iterations after which the next layer is trained, the others fixed, beginning with the one
     *     next to the base; 0 for all layers together
     */
    record Training(int samples, int patience, double share, int starts, int perLayer) {
        /** All layers together, from samples. */
        static final Training PUBLISHED = new Training(1000, 0, 0, 1, 0);
        /**
         * One layer after the other, from samples. For stacks that begin as the identity: with all later layers off,
         * what a swap gains is seen at once, and a sorting network needs no more to sort.
         */
        static final Training LAYERWISE = new Training(1000, 0, 0, 1, 50);
        /** All layers together, exactly, with many ways out of local optima. */
        static final Training SEARCHING = new Training(0, 50, 0.25, 4, 0);
    }

    Outcome train(IntFunction<VariableWiseFlow> stack, Training training, boolean declare) {
        try (var search = new GradientTraining<>(new Search(stack, training, declare))) {
            return search.result(search.finish(search.init(seed)));
        }
    }

    private final class Search extends TrainingTask<Outcome> {
        private final Tensor frequencies;
        private final Tensor q;
        private final Training training;
        private final int flows;
        private final boolean declare;
        private final SortednessTest test = new SortednessTest(1000, seed.fold("sortedness"));
        private final int[] solvedAt = new int[runs];
        private final double[] declared = new double[runs];
        private final double[] best;
        private final double[] attempt;
        private final int[] attemptAt;
        private final double[] bestFlows;
        private final boolean[] stuck;
        private int iteration;

        Search(IntFunction<VariableWiseFlow> stack, Training training, boolean declare) {
            this.training = training;
            this.flows = runs * training.starts();
            this.declare = declare;
            double[] bases = new double[flows * categories];
            Arrays.setAll(bases, i -> base[i / categories / training.starts() * categories + i % categories]);
            Graph graph = new Graph(Precision.DOUBLE);
            Setting setting = Setting.in(graph);
            Tensor from = FixedBase.categorical(space(), flows, bases).probabilities(graph)
                    .reshape(flows, 1, 1, categories);
            this.frequencies = graph.placeholder("frequencies", flows, categories);
            // a permutation of log p is the log of the permuted p, and its gradient is what a swap really gains
            boolean logs = training.perLayer() > 0;
            Tensor carried = stack.apply(flows).carry(setting, logs ? from.log() : from, null)
                    .reshape(flows, categories).plus(0);
            this.q = logs ? carried.exp() : carried;
            Tensor logQ = logs ? carried : carried.log();
            ExecutionPlan plan = ExecutionPlan.compile(graph, frequencies.times(logQ).sum().times(-1), q);
            plan.write(setting.inverseTemperature(), 1);
            trains(plan, TrainingSettings.of(new Optimiser.Adam(), RATE).withStop(progress ->
                    progress.step() >= ITERATIONS || Arrays.stream(solvedAt).noneMatch(at -> at < 0)));
            this.best = new double[flows];
            Arrays.fill(best, Double.NEGATIVE_INFINITY);
            this.attempt = best.clone();
            this.attemptAt = new int[flows];
            this.bestFlows = new double[plan.layout().size()];
            this.stuck = new boolean[flows];
            Arrays.fill(solvedAt, -1);
        }

        @Override
        public void feed(TrainingStep step) {
            iteration = (int) step.number();
            plan().write(frequencies, frequencies(training.samples(), training.starts(), iteration));
        }

        /** Looks at every flow by itself; returns the likelihood of all of them. */
        @Override
        public double value() {
            double[] now = plan().read(q);
            double sum = 0;
            for (int f = 0; f < flows; f++) {
                double[] own = Arrays.copyOfRange(now, f * categories, (f + 1) * categories);
                stuck[f] = solvedAt[f / training.starts()] < 0 && look(f, own);
                sum += likelihood(own);
            }
            return sum;
        }

        /** The parameters of one layer of all flows, where layers are trained one after the other. */
        @Override
        public Optional<boolean[]> active(TrainingStep step) {
            if (training.perLayer() == 0) {
                return Optional.empty();
            }
            List<Parameter> layers = plan().layout().parameters();
            Parameter current = layers.get(Math.min(iteration / training.perLayer(), layers.size() - 1));
            boolean[] active = new boolean[plan().layout().size()];
            int from = plan().layout().offset(current.name());
            Arrays.fill(active, from, from + current.size(), true);
            return Optional.of(active);
        }

        @Override
        public Outcome result(TrainingState state) {
            return new Outcome(solvedAt, declared);
        }

        /** Notes what a flow has reached; whether it is stuck. */
        private boolean look(int flow, double[] q) {
            int run = flow / training.starts();
            if (declare) {
                declared[run] = 1 - (1 - declared[run]) * (1 - test.passes(q));
            }
            if (isRight(q)) {
                solvedAt[run] = iteration;
            }
            if (training.patience() == 0) {
                return false;
            }
            double likelihood = likelihood(q);
            if (likelihood > attempt[flow] + 1e-9) {
                attempt[flow] = likelihood;
                attemptAt[flow] = iteration;
            }
            if (likelihood > best[flow] + 1e-9) {
                best[flow] = likelihood;
                copy(plan().layout(), flow, plan().parameters(), bestFlows);
            }
            boolean over = iteration - attemptAt[flow] > training.patience();
            if (over) {
                attempt[flow] = Double.NEGATIVE_INFINITY;
                attemptAt[flow] = iteration;
            }
            return over;
        }

        @Override
        public boolean endsStage(long steps) {
            return IntStream.range(0, flows).anyMatch(f -> stuck[f]);
        }

        /** Takes stuck flows back to their best, with a few layers drawn anew; their momentum is forgotten. */
        @Override
        public TrainingState nextStage(TrainingState state) {
            ParameterLayout layout = plan().layout();
            double[] values = state.parameters().clone();
            double[][] momentum = Arrays.stream(state.optimiser()).map(double[]::clone).toArray(double[][]::new);
            for (int f = 0; f < flows; f++) {
                if (!stuck[f]) {
                    continue;
                }
                Seed own = seed.fold("restart").fold(iteration).fold(f);
                double[] fresh = layout.initial(own);
                var rng = own.generator();
                copy(layout, f, bestFlows, values);
                for (Parameter parameter : layout.parameters()) {
                    int each = parameter.size() / flows;
                    int from = layout.offset(parameter.name()) + f * each;
                    if (rng.nextDouble() < training.share()) {
                        System.arraycopy(fresh, from, values, from, each);
                    }
                    for (double[] slot : momentum) {
                        Arrays.fill(slot, from, from + each, 0);
                    }
                }
            }
            return new TrainingState(state.seed(), state.step(), values, momentum, state.updates(), state.value(),
                    state.best(), state.parts(), state.nanos());
        }

        /** Copies one flow from one flat vector to another. */
        private void copy(ParameterLayout layout, int flow, double[] from, double[] to) {
            for (Parameter parameter : layout.parameters()) {
                int each = parameter.size() / flows;
                int at = layout.offset(parameter.name()) + flow * each;
                System.arraycopy(from, at, to, at, each);
            }
        }
    }

    private double[] frequencies(int samples, int starts, int iteration) {
        double[] all = new double[runs * starts * categories];
        for (int f = 0; f < runs * starts; f++) {
            if (samples == 0) {
                System.arraycopy(p, 0, all, f * categories, categories);
                continue;
            }
            var rng = new Draws(seed.fold("x").fold(f).fold(iteration)).stream("samples");
            for (int s = 0; s < samples; s++) {
                all[f * categories + Draws.category(rng, p, 0, categories)] += 1.0 / samples;
            }
        }
        return all;
    }

    /** E_p[log q(x)], the likelihood without noise. */
    private double likelihood(double[] q) {
        return IntStream.range(0, categories).mapToDouble(k -> p[k] * Math.log(q[k])).sum();
    }

    /** Whether the flow is the one right permutation: probabilities differ by 1 / sum, so no rounding confuses them. */
    private boolean isRight(double[] q) {
        return IntStream.range(0, categories).noneMatch(k -> Math.abs(q[k] - p[k]) > 1e-9);
    }

    /** How many runs an affine map mod K could solve: the stack of any depth is one (for prime K). */
    int solvableByAffineMaps() {
        return (int) IntStream.range(0, runs).filter(r -> IntStream.range(1, categories).anyMatch(scale ->
                IntStream.range(0, categories).anyMatch(shift -> IntStream.range(0, categories).allMatch(u ->
                        Math.abs(base[r * categories + u] - p[(shift + scale * u) % categories]) < 1e-9)))).count();
    }
}
