package io.mdnf.inference;

import io.mdnf.distribution.Conditionals;
import io.mdnf.distribution.Correction;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Seed;
import io.mdnf.search.OfferedChains;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import io.mdnf.training.TrainingSettings;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import io.mdnf.training.TrainingTask;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * Learns what tables of conditionals lack: a {@link Correction} for some places, by maximum likelihood of codes on
 * chains that the conditionals themselves make offers to ({@link OfferedChains}).
 *
 * <p>All corrections are laid out in one batch of products of fixed shapes, [V, n, I] x [V, I, H + K] for V places with
 * at most I inputs: a step costs what the places see, and not the square of their number.
 *
 * <p>Internal: programs call {@code io.mdnf.fit.Answers}.
 */
public final class ConditionalsLearner extends TrainingTask<Conditionals> {

    private static final String CHAINS = "chains";
    private static final int UNLEARNED_EVERY = 4;

    private final TargetModel target;
    private final CodeSpace space;
    private final Conditionals start;
    private final int[] places;
    private final int[][] seen;
    private final int inputs;
    private final Settings how;
    private final Tensor rows;
    private final Tensor offsets;
    private final Tensor chosen;
    private int[][] codes;

    /**
     * How much is learned.
     *
     * @param batch n, the number of chains
     * @param hidden H, units for each place
     * @param rate the learning rate of the first step, which falls to 0
     * @param steps how many
     */
    public record Settings(int batch, int hidden, double rate, long steps) {

        /** Checks the ranges. */
        public Settings {
            Check.that(batch >= 2 && hidden >= 1 && rate > 0 && steps >= 1, "batch = ", batch, ", hidden = ", hidden,
                    ", rate = ", rate, ", steps = ", steps, ": at least 2, 1, above 0, and 1");
        }
    }

    /**
     * Lays out and compiles the step.
     *
     * @param seen for each place that is corrected the variables its correction looks at, all drawn before it; one
     *     place at least
     */
    public ConditionalsLearner(TargetModel target, Conditionals start, SortedMap<Integer, int[]> seen, Settings how) {
        this.target = target;
        this.space = target.space();
        this.start = start;
        this.how = how;
        this.places = seen.keySet().stream().mapToInt(place -> place).toArray();
        this.seen = seen.values().toArray(int[][]::new);
        this.inputs = Arrays.stream(this.seen).mapToInt(some -> Correction.inputs(space, some)).max().orElseThrow();
        int width = space.width();
        int count = seen.size();
        Graph graph = new Graph(Precision.FLOAT);
        this.rows = graph.placeholder("rows", count, how.batch, inputs);
        this.offsets = graph.placeholder("offsets", count, how.batch, width);
        this.chosen = graph.placeholder("chosen", count, how.batch, width);
        Tensor first = rows.matmul(graph.parameter(first()));
        Tensor logits = first.slice(2, 0, how.hidden).relu().matmul(graph.parameter(second()))
                .plus(first.slice(2, how.hidden, width)).plus(offsets);
        Tensor loss = logits.logSoftmax().times(chosen).sum().times(-1.0 / how.batch);
        trains(ExecutionPlan.compile(graph, loss), TrainingSettings.of(new Optimiser.Adam(), how.rate)
                .withDecay(how.steps).withPrecision(Precision.FLOAT));
    }

    private Parameter first() {
        return new Parameter("first", Initialiser.normal(0.1), places.length, inputs, how.hidden + space.width());
    }

    private Parameter second() {
        return new Parameter("second", Initialiser.constant(0), places.length, how.hidden, space.width());
    }

    /** First parameters that correct nothing: D and V are 0. */
    @Override
    public double[] initial(Seed seed) {
        double[] all = super.initial(seed);
        int width = how.hidden + space.width();
        int from = plan().layout().offset("first");
        for (int row = 0; row < places.length * inputs; row++) {
            Arrays.fill(all, from + row * width + how.hidden, from + (row + 1) * width, 0);
        }
        return all;
    }

    @Override
    public Map<String, double[]> parts(Seed seed) {
        return Map.of(CHAINS, CodeSpace.flat(
                OfferedChains.start(target, start, how.batch, seed.fold(CHAINS)).codes()));
    }

    @Override
    public void feed(TrainingStep step) {
        // what is learned offers no code that it has forgotten; what it was learned from does
        Conditionals q = step.number() % UNLEARNED_EVERY == 0 ? start : corrected(plan().parameters());
        codes = new OfferedChains(target, space.unflat(step.parts().get(CHAINS)), 0)
                .next(q, step.draws().seed().fold(CHAINS)).codes();
        int width = space.width();
        float[] ones = new float[places.length * how.batch * inputs];
        float[] given = new float[places.length * how.batch * width];
        float[] picked = new float[given.length];
        double[] logits = new double[width];
        for (int v = 0; v < places.length; v++) {
            for (int i = 0; i < how.batch; i++) {
                int row = v * how.batch + i;
                mark(ones, row * inputs, seen[v], codes[i]);
                start.logits(places[v], codes[i], logits);
                int categories = space.cardinality(start.variable(places[v]));
                for (int k = 0; k < width; k++) {
                    given[row * width + k] = k >= categories ? (float) LogSpace.IMPOSSIBLE
                            : (float) Math.max(LogSpace.IMPOSSIBLE, logits[k]);
                }
                picked[row * width + codes[i][start.variable(places[v])]] = 1;
            }
        }
        plan().write(rows, ones);
        plan().write(offsets, given);
        plan().write(chosen, picked);
    }

    private void mark(float[] ones, int from, int[] variables, int[] code) {
        int at = from;
        for (int variable : variables) {
            ones[at + code[variable]] = 1;
            at += space.cardinality(variable);
        }
        ones[at] = 1;
    }

    @Override
    public Map<String, double[]> after(TrainingStep step, double value) {
        return Map.of(CHAINS, CodeSpace.flat(codes));
    }

    private Conditionals corrected(double[] parameters) {
        ParameterValues values = new ParameterValues(plan().layout(), parameters);
        double[] first = values.read("first");
        double[] second = values.read("second");
        int width = space.width();
        Map<Integer, Correction> corrections = new HashMap<>();
        for (int v = 0; v < places.length; v++) {
            int categories = space.cardinality(start.variable(places[v]));
            int own = Correction.inputs(space, seen[v]);
            double[] firstOwn = new double[own * (how.hidden + categories)];
            for (int row = 0; row < own; row++) {
                System.arraycopy(first, (v * inputs + row) * (how.hidden + width), firstOwn,
                        row * (how.hidden + categories), how.hidden + categories);
            }
            double[] secondOwn = new double[how.hidden * categories];
            for (int h = 0; h < how.hidden; h++) {
                System.arraycopy(second, (v * how.hidden + h) * width, secondOwn, h * categories, categories);
            }
            corrections.put(places[v], new Correction(seen[v], how.hidden, categories, firstOwn, secondOwn));
        }
        return start.corrected(corrections);
    }

    @Override
    public Conditionals result(TrainingState state) {
        return corrected(state.parameters());
    }

    @Override
    public String toString() {
        return "ConditionalsLearner(" + start + ", " + places.length + " places, " + how + ")";
    }
}
