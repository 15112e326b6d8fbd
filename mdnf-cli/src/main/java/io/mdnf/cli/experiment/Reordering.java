package io.mdnf.cli.experiment;

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
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Codes;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Recovering the order of a permuted distribution: p_x = (1, .., K) / sum, the base a random shuffle of it, and a stack
 * of flows that maximises the likelihood of x until the base carried forward is p_x. All runs are one batch: run r is
 * component r of every layer, and Adam treats every parameter by itself, so they do not touch.
 */
final class Reordering {
    private static final double RATE = 0.1;
    private static final int ITERATIONS = 5000;

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

    /** The most iterations of a run. */
    static int iterations() {
        return ITERATIONS;
    }

    /** The space of one variable. */
    Codes codes() {
        return Codes.uniform(1, categories);
    }

    /**
     * What came of the runs.
     *
     * @param solvedAt the iteration whose flow was first right, or -1, by run
     * @param declared the probability that the published test, 1000 samples in order, had passed by the time the run
     *     ended, by run; NaN where not computed
     */
    record Outcome(int[] solvedAt, double[] declared) {
        long solved() {
            return Arrays.stream(solvedAt).filter(at -> at >= 0).count();
        }

        /** The median over successful runs, NaN if there are none. */
        double medianIterations() {
            int[] solved = Arrays.stream(solvedAt).filter(at -> at >= 0).sorted().toArray();
            int n = solved.length;
            return n == 0 ? Double.NaN : (solved[(n - 1) / 2] + solved[n / 2]) / 2.0;
        }
    }

    /**
     * How the flows are trained.
     *
     * @param samples of x per iteration; 0 for the exact expectation
     * @param patience iterations without a higher likelihood after which a run starts its flows again; 0 for never
     */
    record Training(int samples, int patience) {
        static final Training PUBLISHED = new Training(1000, 0);
        static final Training RESTARTED = new Training(0, 100);
    }

    /** Trains one kind of stack on all runs. */
    Outcome train(IntFunction<VariableWiseFlow> stack, Training training, boolean declare) {
        VariableWiseFlow flow = stack.apply(runs);
        Graph graph = new Graph(Precision.DOUBLE);
        Setting setting = Setting.in(graph);
        Tensor probabilities = FixedBase.categorical(codes(), runs, base).probabilities(graph)
                .reshape(runs, 1, 1, categories);
        Tensor q = flow.carry(setting, probabilities, null).reshape(runs, categories).plus(0);
        Tensor frequencies = graph.placeholder("frequencies", runs, categories);
        Tensor loss = frequencies.times(q.log()).sum().times(-1);
        int[] solvedAt = new int[runs];
        Arrays.fill(solvedAt, -1);
        double[] declared = new double[runs];
        SortednessTest test = new SortednessTest(1000, seed.fold("sortedness"));
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss, q)) {
            plan.load(plan.layout().initial(seed.fold("parameters")));
            plan.write(setting.inverseTemperature(), 1);
            double[] best = new double[runs];
            Arrays.fill(best, Double.NEGATIVE_INFINITY);
            int[] bestAt = new int[runs];
            int open = runs;
            for (int i = 0; i < ITERATIONS && open > 0; i++) {
                plan.write(frequencies, frequencies(training.samples(), i));
                plan.run();
                double[] now = plan.read(q);
                boolean[] restart = new boolean[runs];
                for (int r = 0; r < runs; r++) {
                    double[] row = Arrays.copyOfRange(now, r * categories, (r + 1) * categories);
                    if (solvedAt[r] >= 0) {
                        continue;
                    }
                    if (declare) {
                        declared[r] = 1 - (1 - declared[r]) * (1 - test.passes(row));
                    }
                    double likelihood = likelihood(row);
                    if (likelihood > best[r] + 1e-9) {
                        best[r] = likelihood;
                        bestAt[r] = i;
                    }
                    if (isRight(row)) {
                        solvedAt[r] = i;
                        open--;
                    }
                    restart[r] = training.patience() > 0 && i - bestAt[r] > training.patience();
                    if (restart[r]) {
                        best[r] = Double.NEGATIVE_INFINITY;
                        bestAt[r] = i;
                    }
                }
                plan.update(new Optimiser.Adam(), RATE);
                restart(plan, restart, i);
            }
        }
        return new Outcome(solvedAt, declare ? declared : new double[0]);
    }

    /** New first values for the flows of some runs; their momentum is forgotten. */
    private void restart(ExecutionPlan plan, boolean[] which, int iteration) {
        boolean any = false;
        for (boolean one : which) {
            any |= one;
        }
        if (!any) {
            return;
        }
        ParameterLayout layout = plan.layout();
        double[] fresh = layout.initial(seed.fold("restart").fold(iteration));
        double[] values = plan.parameters();
        double[][] state = plan.optimiserState();
        for (Parameter parameter : layout.parameters()) {
            int each = parameter.size() / runs;
            for (int r = 0; r < runs; r++) {
                int from = layout.offset(parameter.name()) + r * each;
                if (which[r]) {
                    System.arraycopy(fresh, from, values, from, each);
                    for (double[] slot : state) {
                        Arrays.fill(slot, from, from + each, 0);
                    }
                }
            }
        }
        plan.restore(values, new Optimiser.Adam(), state, plan.updates());
    }

    private double[] frequencies(int samples, int iteration) {
        double[] all = new double[runs * categories];
        for (int r = 0; r < runs; r++) {
            if (samples == 0) {
                System.arraycopy(p, 0, all, r * categories, categories);
                continue;
            }
            var rng = new Draws(seed.fold("x").fold(r).fold(iteration)).stream("samples");
            for (int s = 0; s < samples; s++) {
                all[r * categories + Draws.category(rng, p, 0, categories)] += 1.0 / samples;
            }
        }
        return all;
    }

    /** E_p[log q(x)], the likelihood without noise. */
    private double likelihood(double[] q) {
        double sum = 0;
        for (int k = 0; k < categories; k++) {
            sum += p[k] * Math.log(q[k]);
        }
        return sum;
    }

    /** Whether the flow is the one right permutation: the probabilities differ by 1 / sum, so no rounding confuses them. */
    private boolean isRight(double[] q) {
        for (int k = 0; k < categories; k++) {
            if (Math.abs(q[k] - p[k]) > 1e-9) {
                return false;
            }
        }
        return true;
    }

    /** How many runs an affine map mod K could solve: the stack of any depth is one (for prime K). */
    int solvableByAffineMaps() {
        int count = 0;
        for (int r = 0; r < runs; r++) {
            boolean solvable = false;
            for (int scale = 1; scale < categories; scale++) {
                for (int shift = 0; shift < categories; shift++) {
                    boolean right = true;
                    for (int u = 0; u < categories; u++) {
                        int x = (shift + scale * u) % categories;
                        right &= Math.abs(base[r * categories + u] - p[x]) < 1e-9;
                    }
                    solvable |= right;
                }
            }
            count += solvable ? 1 : 0;
        }
        return count;
    }
}
