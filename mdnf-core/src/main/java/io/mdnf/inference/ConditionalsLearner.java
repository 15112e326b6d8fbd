package io.mdnf.inference;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.Conditionals;
import io.mdnf.distribution.Correction;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.MiniBucketPlan;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.search.Effort;
import io.mdnf.search.OfferedChains;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Algorithm;
import io.mdnf.training.Fingerprint;
import io.mdnf.training.TrainingSettings;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import io.mdnf.training.TrainingTask;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Learns what tables of conditionals lack: a {@link Correction} for some places, by maximum likelihood of codes on
 * chains that the conditionals themselves make offers to ({@link OfferedChains}). Where weights w of what q draws are
 * even, the gradient is E_q[(w - 1) grad log q] instead: the same on average, and without noise at the posterior.
 * Of a target without factors tables know next to nothing, and the corrections learn it all.
 *
 * <p>All corrections are laid out in one batch of products of fixed shapes, [V, n, I] x [V, I, H + K] for V places with
 * at most I inputs: a step costs what the places see, and not the square of their number.
 *
 * <p>Internal: programs call {@code io.mdnf.fit.Answers} or {@code Fitter}.
 */
public final class ConditionalsLearner extends TrainingTask<Conditionals> {

    private static final String CHAINS = "chains";
    /** Bounds along the way. */
    private static final int EVALUATIONS = 10;
    /** The part that holds the bound at the last evaluation; -infinity before the first. */
    private static final String BOUND = "bound";

    /**
     * Where chains start, and what they may cost.
     *
     * @param from what first codes are drawn from; none for the conditionals themselves, weighted by importance
     * @param sweeps of the first codes before the first step, where they are drawn from something
     * @param evaluations for each code and step of a target without factors
     * @param samples that a bound along the way is estimated from, for people; 0 for no bounds
     */
    public record First(Optional<CodeDistribution> from, int sweeps, int evaluations, int samples) {

        /** From the conditionals. */
        public static final First OFFERED = new First(Optional.empty(), 0, 0, 0);
    }

    private final TargetModel target;
    private final CodeSpace space;
    private final Conditionals start;
    private final Conditionals from;
    private final int[] places;
    private final int[][] seen;
    private final int inputs;
    private final long unlearnedEvery;
    private final int batch;
    private final Effort.Correction effort;
    private final Tensor rows;
    private final Tensor offsets;
    private final Tensor chosen;
    private int[][] chains;
    /** The share of offers that chains took when they last moved. */
    private double accepted = Double.NaN;
    private final First first;
    private double bound;

    /**
     * Lays out and compiles the step.
     *
     * @param from the same tables, with corrections learned before or without
     * @param stage how often it was learned before: each time the rate is half of that before
     * @param seen for each place that is corrected the variables its correction looks at, all drawn before it; one
     *     place at least
     * @param batch n, the number of chains, at least 2
     * @param steps how many, at least 1
     * @param first where chains start
     */
    public ConditionalsLearner(TargetModel target, Conditionals from, int stage, SortedMap<Integer, int[]> seen,
            int batch, long steps, First first, Effort.Correction effort) {
        Check.that(batch >= 2 && steps >= 1, "batch = ", batch, ", steps = ", steps, ": at least 2, and 1");
        this.target = target;
        this.space = target.space();
        this.start = from.corrected(Map.of());
        this.from = from;
        this.batch = batch;
        // a later stage begins with what was learned from them, and their noise is what keeps it from the posterior
        this.unlearnedEvery = (long) effort.unlearnedEvery() << 2 * stage;
        this.effort = effort;
        this.first = first;
        this.places = seen.keySet().stream().mapToInt(place -> place).toArray();
        this.seen = seen.values().toArray(int[][]::new);
        this.inputs = Arrays.stream(this.seen).mapToInt(some -> Correction.inputs(space, some)).max().orElseThrow();
        int width = space.width();
        int count = seen.size();
        Graph graph = new Graph(Precision.FLOAT);
        this.rows = graph.placeholder("rows", count, batch, inputs);
        this.offsets = graph.placeholder("offsets", count, batch, width);
        this.chosen = graph.placeholder("chosen", count, batch, width);
        Tensor sums = rows.matmul(graph.parameter(first()));
        Tensor logits = sums.slice(2, 0, effort.hidden()).relu().matmul(graph.parameter(second()))
                .plus(sums.slice(2, effort.hidden(), width)).plus(offsets);
        Tensor loss = logits.logSoftmax().times(chosen).sum().times(-1.0 / batch);
        trains(ExecutionPlan.compile(graph, loss), TrainingSettings.of(new Optimiser.Adam(),
                effort.rate() / (1 << stage))
                .withDecay(steps).withPrecision(Precision.FLOAT)
                .withEvaluations(first.samples == 0 ? 0 : (int) Math.max(1, steps / EVALUATIONS)));
    }

    /**
     * Returns what there is to correct: for each place, in the order of drawing, that a split touches and where more
     * than one category is possible, the variables that its unsplit bucket holds.
     *
     * @param mostSeen of these, those drawn last, which are nearest
     */
    public static SortedMap<Integer, int[]> lost(CodeSpace space, EliminationPlan unsplit, MiniBucketPlan split,
            int mostSeen) {
        int[] order = unsplit.order();
        int[] eliminatedAt = space.positions(order);
        boolean[] touched = new boolean[order.length];
        int[] minis = new int[order.length];
        split.minis().forEach(mini -> minis[eliminatedAt[mini.variable()]]++);
        SortedMap<Integer, int[]> lost = new TreeMap<>();
        for (int i = 0; i < order.length; i++) {
            touched[i] |= minis[i] > 1;
            int[] clique = unsplit.cliques().get(i);
            if (touched[i] && clique.length > 1) {
                touched[eliminatedAt[clique[1]]] = true;
                int[] open = IntStream.of(clique).filter(v -> space.cardinality(v) > 1).toArray();
                if (open.length > 1 && open[0] == order[i]) {
                    lost.put(order.length - 1 - i, Arrays.copyOfRange(open, 1, Math.min(open.length, mostSeen + 1)));
                }
            }
        }
        return lost;
    }

    private Parameter first() {
        return new Parameter("first", Initialiser.normal(0.1), places.length, inputs, effort.hidden() + space.width());
    }

    private Parameter second() {
        return new Parameter("second", Initialiser.constant(0), places.length, effort.hidden(), space.width());
    }

    /** Those of the corrections learned before; else such that they correct nothing: D and V are 0. */
    @Override
    public double[] initial(Seed seed) {
        double[] all = super.initial(seed);
        int width = effort.hidden() + space.width();
        for (int v = 0; v < places.length; v++) {
            Correction known = from.corrections().get(places[v]);
            int first = plan().layout().offset("first") + v * inputs * width;
            for (int row = 0; row < inputs; row++) {
                Arrays.fill(all, first + row * width + effort.hidden(), first + (row + 1) * width, 0);
            }
            if (known != null) {
                known.copyTo(all, first, width, plan().layout().offset("second") + v * effort.hidden() * space.width(),
                        space.width());
            }
        }
        return all;
    }

    @Override
    public Fingerprint fingerprint() {
        return Fingerprint.of("conditionals").with("settings", settings()).with("effort", effort).target(target)
                .with("start", start + " " + first.from + " " + first.sweeps + " " + first.evaluations);
    }

    @Override
    public Map<String, double[]> parts(Seed seed) {
        Seed own = seed.fold(CHAINS);
        return parts((first.from.isPresent()
                ? OfferedChains.at(target, first.from.get().sample(batch, own), first.sweeps, own)
                : OfferedChains.start(target, from, batch, effort, own)).codes(), Double.NEGATIVE_INFINITY);
    }

    private static Map<String, double[]> parts(int[][] codes, double bound) {
        return Map.of(CHAINS, CodeSpace.flat(codes), BOUND, new double[] {bound});
    }

    @Override
    public void feed(TrainingStep step) {
        // what is learned offers no code that it has forgotten; what it was learned from does
        boolean unlearned = step.number() % unlearnedEvery == 0;
        Conditionals q = unlearned ? start : corrected(plan().parameters());
        bound = step.parts().get(BOUND)[0];
        Seed seed = step.draws().seed().fold(CHAINS);
        chains = space.unflat(step.parts().get(CHAINS));
        OfferedChains.Offers offers = OfferedChains.Offers.of(target, q, batch, seed);
        Optional<double[]> even = unlearned ? Optional.empty() : offers.weights().filter(this::isEven);
        if (even.isPresent()) {
            // the expected gradient of log q under q is 0: less it, what is left vanishes as weights become even
            feed(offers.codes(), Arrays.stream(even.get()).map(w -> w - 1).toArray());
        } else {
            OfferedChains next = new OfferedChains(target, chains, 0).next(q, offers, first.evaluations, seed);
            chains = next.codes();
            accepted = next.accepted();
            double[] once = new double[batch];
            Arrays.fill(once, 1);
            feed(chains, once);
        }
    }

    private boolean isEven(double... weights) {
        return weights.length / Arrays.stream(weights).map(w -> w * w).sum() >= effort.even();
    }

    private void feed(int[][] codes, double... weights) {
        int width = space.width();
        float[] ones = new float[places.length * batch * inputs];
        float[] given = new float[places.length * batch * width];
        float[] picked = new float[given.length];
        double[] logits = new double[width];
        for (int v = 0; v < places.length; v++) {
            for (int i = 0; i < batch; i++) {
                int row = v * batch + i;
                mark(ones, row * inputs, seen[v], codes[i]);
                start.logits(places[v], codes[i], logits);
                int categories = space.cardinality(start.variable(places[v]));
                for (int k = 0; k < width; k++) {
                    given[row * width + k] = k >= categories ? (float) LogSpace.IMPOSSIBLE
                            : (float) Math.max(LogSpace.IMPOSSIBLE, logits[k]);
                }
                picked[row * width + codes[i][start.variable(places[v])]] = (float) weights[i];
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
        return parts(chains, bound);
    }

    /** An estimate by the same samples every time, for people: the last parameters are kept, not the best. */
    @Override
    public double evaluate(double[] parameters, TrainingStep step) {
        bound = Bound.of(target, corrected(parameters), first.samples, step.seed().fold("evaluation")).value();
        return bound;
    }

    @Override
    public Algorithm.Info info(TrainingState state) {
        double best = state.best().value();
        // the last evaluation comes after the state's parts were made
        double last = state.best().step() == state.step() ? best : state.part(BOUND)[0];
        return new Algorithm.Info(state.step(), 1, first.samples == 0 ? state.value() : last, best, 1, accepted);
    }

    private Conditionals corrected(double[] parameters) {
        ParameterValues values = new ParameterValues(plan().layout(), parameters);
        double[] firsts = values.read("first");
        double[] seconds = values.read("second");
        int width = space.width();
        Map<Integer, Correction> corrections = new HashMap<>();
        for (int v = 0; v < places.length; v++) {
            int categories = space.cardinality(start.variable(places[v]));
            corrections.put(places[v], Correction.of(seen[v], Correction.inputs(space, seen[v]), effort.hidden(),
                    categories, firsts, v * inputs * (effort.hidden() + width), effort.hidden() + width, seconds,
                    v * effort.hidden() * width, width));
        }
        return start.corrected(corrections);
    }

    @Override
    public Conditionals result(TrainingState state) {
        return corrected(state.parameters());
    }

    @Override
    public String toString() {
        return "ConditionalsLearner(" + start + ", " + places.length + " places, " + batch + " chains)";
    }
}
