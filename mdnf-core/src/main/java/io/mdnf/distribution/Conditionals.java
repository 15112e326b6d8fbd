package io.mdnf.distribution;

import io.mdnf.elimination.BucketTree;
import io.mdnf.elimination.LogTable;
import io.mdnf.elimination.MiniBuckets;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.space.LogSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Each variable given some of those before it, by tables of logits:
 *
 * <pre>{@code q(x) = prod_t q_t(x_v(t) | x_v(1) .. x_v(t-1)),   q_t = softmax(sum_r table_tr) }</pre>
 *
 * <p>What bucket elimination leaves is such a distribution: sampled in the reverse order of elimination it is the
 * posterior itself where no bucket was split. An entry of -infinity is never drawn; where all categories have one, a
 * variable is drawn uniformly, since something must be. A {@link Correction} may be added to the logits of a place. The
 * softmax is a mixture of flows without number; {@link #counted} is one of B flows in its place, {@code CountedFlows}.
 *
 * <p>Example: {@code Conditionals.of(messages).sample(1000, Seed.of(1))}.
 */
public final class Conditionals implements CodeDistribution {

    /** Codes that are drawn or scored by one thread in turn: the same bits for any number of threads. */
    private static final int CHUNK = 32;

    private final CodeSpace space;
    private final int[] order;
    private final List<List<LogTable>> tables;
    private final Map<Integer, Correction> corrections;
    /** By place; none where flows are without number. */
    private final List<CountedFlows> flows;
    private final Row[][] rows;
    /** Those of the corrections by place, null where there is none. */
    private final CorrectionSums[] sums;
    /** The most numbers that any of them sums. */
    private final int summed;

    /** Where the logits of a variable stand in a table: entry sum_j strides_j x_j + k * step for category k. */
    private record Row(int[] given, int[] strides, int step, double[] values) {

        static Row of(LogTable table, int variable) {
            int[] variables = table.variables();
            int[] given = new int[variables.length - 1];
            int[] strides = new int[given.length];
            int own = 0;
            int stride = 1;
            for (int j = variables.length - 1, at = given.length - 1; j >= 0; j--) {
                if (variables[j] == variable) {
                    own = stride;
                } else {
                    given[at] = variables[j];
                    strides[at--] = stride;
                }
                stride *= table.cardinalities()[j];
            }
            return new Row(given, strides, own, table.values());
        }

        void addTo(double[] logits, int categories, int[] code) {
            int entry = 0;
            for (int j = 0; j < given.length; j++) {
                entry += strides[j] * code[given[j]];
            }
            for (int k = 0; k < categories; k++) {
                logits[k] += values[entry];
                entry += step;
            }
        }
    }

    /**
     * Conditionals of given tables.
     *
     * @param order all variables [D], the first one drawn first
     * @param tables of each place in the order, over its variable and any drawn before it; shared, not copied
     */
    public Conditionals(CodeSpace space, int[] order, List<List<LogTable>> tables) {
        int[] places = space.positions(order);
        Check.that(tables.size() == order.length, "tables has ", tables.size(), " places, order ", order.length);
        this.space = space;
        this.order = order.clone();
        this.corrections = Map.of();
        this.flows = List.of();
        this.tables = tables.stream().map(List::copyOf).toList();
        this.rows = new Row[order.length][];
        this.sums = new CorrectionSums[order.length];
        this.summed = 0;
        for (int t = 0; t < order.length; t++) {
            for (LogTable table : tables.get(t)) {
                check(table, t, places);
            }
            int variable = order[t];
            rows[t] = tables.get(t).stream().map(table -> Row.of(table, variable)).toArray(Row[]::new);
        }
    }

    /** The tables of another one, which were checked. */
    private Conditionals(Conditionals from, Map<Integer, Correction> corrections, List<CountedFlows> flows) {
        this.space = from.space;
        this.order = from.order;
        this.tables = from.tables;
        this.rows = from.rows;
        this.corrections = Map.copyOf(corrections);
        this.flows = List.copyOf(flows);
        this.sums = new CorrectionSums[order.length];
        corrections.forEach((place, correction) -> sums[place] = new CorrectionSums(correction, space));
        this.summed = corrections.values().stream().mapToInt(each -> each.hidden() + each.categories()).max().orElse(0);
    }

    private void check(LogTable table, int place, int[] places) {
        int[] variables = table.variables();
        int size = 1;
        int own = 0;
        for (int v = 0; v < variables.length; v++) {
            boolean right = variables[v] >= 0 && variables[v] < places.length && places[variables[v]] <= place
                    && table.cardinalities()[v] == space.cardinality(variables[v]);
            Check.that(right, "tables[", place, "] looks at ", Arrays.toString(variables), " of ",
                    Arrays.toString(table.cardinalities()), " categories: expected variable ", order[place],
                    " and others drawn before it");
            own += places[variables[v]] == place ? 1 : 0;
            size *= table.cardinalities()[v];
        }
        Check.that(own == 1 && table.values().length == size, "tables[", place, "] over ",
                Arrays.toString(variables), " has ", table.values().length, " values, expected ", size,
                ", and variable ", order[place], " once");
        LogSpace.check("tables[" + place + "]", table.values());
    }

    /** What elimination leaves, to be drawn in the reverse order. */
    public static Conditionals of(MiniBuckets messages) {
        int[] order = messages.plan().order();
        int[] reversed = IntStream.range(0, order.length).map(t -> order[order.length - 1 - t]).toArray();
        List<List<LogTable>> tables = new ArrayList<>(messages.tables());
        Collections.reverse(tables);
        return new Conditionals(messages.space(), reversed, tables);
    }

    /** What exact elimination leaves, to be drawn in the reverse order; its messages are shared, not copied. */
    public static Conditionals of(BucketTree tree) {
        int last = tree.size() - 1;
        return new Conditionals(tree.space(),
                IntStream.rangeClosed(0, last).map(t -> tree.variable(last - t)).toArray(),
                IntStream.rangeClosed(0, last).mapToObj(t -> tree.tables(last - t)).toList());
    }

    /** Returns the same with corrections at some places, which look at variables drawn before, in place of any. */
    public Conditionals corrected(Map<Integer, Correction> others) {
        int[] places = space.positions(order);
        others.forEach((place, correction) -> Check.that(place >= 0 && place < order.length
                && correction.categories() == space.cardinality(order[place])
                && correction.first().length == Correction.inputs(space, correction.seen())
                        * (correction.hidden() + correction.categories())
                && IntStream.of(correction.seen()).allMatch(v -> places[v] < place), "corrections[", place,
                "] does not fit what is drawn there and before"));
        return new Conditionals(this, others, flows);
    }

    /** Returns the same with B flows at each place, or, of none, with flows without number. */
    Conditionals counted(List<CountedFlows> places) {
        Check.that(places.isEmpty() || places.size() == order.length, "places has ", places.size(),
                " elements, expected ", order.length);
        for (int t = 0; t < places.size(); t++) {
            Check.that(places.get(t).categories() == space.cardinality(order[t]), "places[", t, "] has ",
                    places.get(t).categories(), " categories, expected ", space.cardinality(order[t]));
        }
        return new Conditionals(this, corrections, places);
    }

    /**
     * Returns the same with B flows at each place, weighted for the logits that so many samples meet.
     *
     * @param reach how far a logit may fall behind the largest and still be chosen, by place
     */
    public Conditionals counted(int components, double[] reach, int samples, Seed seed) {
        Conditionals unlimited = counted(List.of());
        int[][] met = unlimited.sample(samples, seed);
        return counted(IntStream.range(0, order.length).parallel().mapToObj(t -> {
            int categories = space.cardinality(order[t]);
            double[][] logits = new double[met.length][categories];
            double[] scratch = new double[summed];
            for (int i = 0; i < met.length; i++) {
                unlimited.correctedLogits(t, met[i], logits[i], scratch);
            }
            return CountedFlows.of(categories, components, reach[t]).adjusted(logits);
        }).toList());
    }

    /** {@return the flows at each place; none where they are without number} */
    List<CountedFlows> flows() {
        return flows;
    }

    @Override
    public CodeSpace space() {
        return space;
    }

    /** Returns the variable that is drawn at a place. */
    public int variable(int place) {
        return order[place];
    }

    /** {@return the corrections by place} */
    public Map<Integer, Correction> corrections() {
        return corrections;
    }

    /** Returns all variables, the first one drawn first, a fresh array. */
    public int[] order() {
        return order.clone();
    }

    /** Returns the tables of each place in the order; shared, not copied. */
    public List<List<LogTable>> tables() {
        return tables;
    }

    /**
     * Writes the logits of the variable at a place, k &lt; K_d, the largest 0, into a row that is at least as long, as
     * its tables say, without corrections.
     */
    public void logits(int place, int[] code, double[] row) {
        int categories = space.cardinality(order[place]);
        Arrays.fill(row, 0, categories, 0);
        for (Row table : rows[place]) {
            table.addTo(row, categories, code);
        }
        double largest = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < categories; k++) {
            largest = Math.max(largest, row[k]);
        }
        for (int k = 0; k < categories; k++) {
            // something must be drawn where nothing is possible
            row[k] = largest == Double.NEGATIVE_INFINITY ? 0 : row[k] - largest;
        }
    }

    /** Writes q_t(k | code) of the variable at a place, k &lt; K_d, into a row that is at least as long. */
    private void probabilities(int place, int[] code, double[] row, double[] scratch) {
        correctedLogits(place, code, row, scratch);
        if (flows.isEmpty()) {
            LogSpace.normalise(row, 0, space.cardinality(order[place]));
        } else {
            flows.get(place).apply(row);
        }
    }

    private void correctedLogits(int place, int[] code, double[] row, double[] scratch) {
        logits(place, code, row);
        if (sums[place] != null) {
            sums[place].addTo(row, code, scratch);
        }
    }

    @Override
    public int[][] sample(int count, Seed seed) {
        return draw(count, seed).codes();
    }

    /** Codes [n][D], and the log-probability [n] of each. */
    public record Drawn(int[][] codes, double[] logProb) {}

    /** Independent samples with their log-probabilities, which need not be computed again. */
    public Drawn draw(int count, Seed seed) {
        int[][] codes = new int[count][order.length];
        double[] logProb = new double[count];
        Seed own = seed.fold("conditionals");
        inChunks(count, chunk -> {
            var random = own.fold(chunk).generator();
            double[] row = new double[space.width()];
            double[] scratch = new double[summed];
            // what a place needs is fetched once for all codes of a chunk
            for (int t = 0; t < order.length; t++) {
                for (int i = chunk * CHUNK; i < Math.min(count, (chunk + 1) * CHUNK); i++) {
                    probabilities(t, codes[i], row, scratch);
                    int k = Draws.category(random, row, 0, space.cardinality(order[t]));
                    codes[i][order[t]] = k;
                    logProb[i] += Math.log(row[k]);
                }
            }
        });
        return new Drawn(codes, logProb);
    }

    @Override
    public double[] logProb(int[][] codes) {
        double[] logProb = new double[codes.length];
        inChunks(codes.length, chunk -> {
            double[] row = new double[space.width()];
            double[] scratch = new double[summed];
            int end = Math.min(codes.length, (chunk + 1) * CHUNK);
            IntStream.range(chunk * CHUNK, end).forEach(i -> space.check(codes[i]));
            for (int t = 0; t < order.length; t++) {
                for (int i = chunk * CHUNK; i < end; i++) {
                    probabilities(t, codes[i], row, scratch);
                    logProb[i] += Math.log(row[codes[i][order[t]]]);
                }
            }
        });
        return logProb;
    }

    private static void inChunks(int count, IntConsumer work) {
        IntStream.range(0, (count + CHUNK - 1) / CHUNK).parallel().forEach(work);
    }

    private Optional<Atoms> listed() {
        return space.isListable() ? Optional.of(Atoms.merged(space, space.all(),
                Arrays.stream(logProb(space.all())).map(Math::exp).toArray())) : Optional.empty();
    }

    @Override
    public Marginals marginals(int samples, Seed seed) {
        return listed().map(q -> q.marginals(samples, seed))
                .orElseGet(() -> Marginals.counted(space, sample(samples, seed)));
    }

    @Override
    public Estimate entropy(int samples, Seed seed) {
        return listed().map(q -> q.entropy(samples, seed)).orElseGet(
                () -> Estimate.of(Arrays.stream(draw(samples, seed).logProb()).map(l -> -l).toArray()));
    }

    @Override
    public List<WeightedCode> mostProbable(int count) {
        return listed().orElseThrow(() -> new IllegalStateException(
                space + " has too many codes to list; sample instead")).mostProbable(count);
    }

    @Override
    public String toString() {
        return "Conditionals on " + space + " by " + tables.stream().mapToInt(List::size).sum() + " tables"
                + (corrections.isEmpty() ? "" : ", " + corrections.size() + " corrected")
                + (flows.isEmpty() ? "" : ", " + flows.get(0).weights().length + " flows");
    }
}
