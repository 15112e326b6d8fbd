package io.mdnf.elimination;

import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Bucket elimination with bounded tables: weighted mini-buckets.
 *
 * <p>Mini-buckets r = 1 .. R of variable v have tables psi_r, the sum of their factors' logarithms, of messages, and of
 * what was shifted between them. Each sends, over the variables of its scope that are eliminated later,
 *
 * <pre>{@code lambda_r = w_r log sum_v exp(psi_r / w_r),   w_1 + .. + w_R = 1, }</pre>
 *
 * <p>and by Hoelder's inequality what is left at the end is an upper bound of the log of the sum over all codes; with
 * R = 1 everywhere it is that sum. The bound holds for any weights and for any shift that adds up to 0 within a bucket.
 * {@link #tighten} chooses both: shifts by matching what the mini-buckets of a bucket believe of the variables that
 * they share, weights by the gradient, the entropies.
 *
 * <p>Given the variables eliminated later, sum_r psi_r are the logits of v: exactly its conditional distribution where
 * nothing was split, else close to it.
 *
 * <pre>{@code
 * MiniBuckets messages = new MiniBuckets(space, factors, MiniBucketPlan.of(space, scopes, order, 1 << 16));
 * messages.tighten(10);
 * double upper = messages.upper();
 * }</pre>
 */
public final class MiniBuckets {

    /** Below this a weight would divide a table into what has no meaning in doubles. */
    private static final double LEAST_WEIGHT = 1e-3;
    /** Of the step after a pass that made the bound tighter; twice as much back after one that did not. */
    private static final double GROWTH = 1.5;
    /** More than this, in nats, nothing is shifted at once: beliefs of next to nothing say little. */
    private static final double MOST_SHIFTED = 5;

    private final CodeSpace space;
    private final MiniBucketPlan plan;
    private final LogTable[] factors;
    private final double constant;
    /** The mini-buckets of each variable that was split; siblings[i] are ascending positions. */
    private final List<int[]> siblings = new ArrayList<>();
    /** What all mini-buckets of a bucket share, the bucket's variable at least, and what was shifted there. */
    private final LogTable[] shifts;
    private double[] weights;
    private LogTable[] tables;
    private LogTable[] messages;
    private double value;
    /** Shifts of one bucket change what others match: all at once would overshoot. */
    private double step = 0.5;
    private double upper = Double.POSITIVE_INFINITY;

    /** Passes messages once, shifting on the way what siblings differ in. */
    public MiniBuckets(CodeSpace space, List<Factor> factors, MiniBucketPlan plan) {
        this.space = space;
        this.plan = plan;
        this.factors = factors.stream().map(factor -> LogTable.of(space, factor)).toArray(LogTable[]::new);
        this.constant = Arrays.stream(this.factors).filter(table -> table.variables().length == 0)
                .mapToDouble(table -> table.values()[0]).sum();
        int n = plan.minis().size();
        this.shifts = new LogTable[n];
        this.weights = new double[n];
        this.tables = new LogTable[n];
        this.messages = new LogTable[n];
        for (int first = 0; first < n;) {
            int end = first;
            while (end < n && plan.minis().get(end).variable() == plan.minis().get(first).variable()) {
                end++;
            }
            int[] together = IntStream.range(first, end).toArray();
            Arrays.fill(weights, first, end, 1.0 / together.length);
            if (together.length > 1) {
                siblings.add(together);
                int[] shared = shared(together);
                IntStream.of(together).forEach(r -> shifts[r] = LogTable.one(space, shared));
            }
            first = end;
        }
        pass(true);
    }

    private int[] shared(int[] together) {
        return IntStream.of(plan.minis().get(together[0]).scope()).filter(v -> IntStream.of(together).allMatch(
                r -> IntStream.of(plan.minis().get(r).scope()).anyMatch(u -> u == v))).toArray();
    }

    /** {@return an upper bound of the log of the sum over all codes, the best so far; the sum itself if exact} */
    public double upper() {
        return upper;
    }

    /** {@return how buckets were split} */
    public MiniBucketPlan plan() {
        return plan;
    }

    /** {@return the space of codes} */
    public CodeSpace space() {
        return space;
    }

    /**
     * Returns the tables whose sum are the logits of a variable, those of the one eliminated first first: factors,
     * messages, shifts; shared, not copied. The sums themselves, which are larger, are never needed.
     */
    public List<List<LogTable>> tables() {
        List<List<LogTable>> all = new ArrayList<>();
        for (int r = 0; r < tables.length; r++) {
            MiniBucketPlan.Mini mini = plan.minis().get(r);
            if (r == 0 || mini.variable() != plan.minis().get(r - 1).variable()) {
                all.add(new ArrayList<>());
            }
            List<LogTable> own = all.get(all.size() - 1);
            mini.factors().forEach(f -> own.add(factors[f]));
            mini.children().forEach(c -> own.add(messages[c]));
            // shifts add up to 0, but for what they found impossible
            if (shifts[r] != null && shifts[r].forbids()) {
                own.add(shifts[r].copy());
            }
        }
        return all;
    }

    /**
     * Passes messages forward: fills tables and messages, and sets the value.
     *
     * @param matching whether mini-buckets of a bucket are made to agree on the way
     */
    private void pass(boolean matching) {
        value = constant;
        for (int r = 0; r < tables.length; r++) {
            MiniBucketPlan.Mini mini = plan.minis().get(r);
            LogTable table = LogTable.one(space, mini.scope());
            mini.factors().forEach(f -> table.multiply(factors[f]));
            mini.children().forEach(c -> table.multiply(messages[c]));
            tables[r] = table;
            if (shifts[r] != null && !matching) {
                table.multiply(shifts[r]);
            }
            boolean last = r + 1 == tables.length || plan.minis().get(r + 1).variable() != mini.variable();
            if (last) {
                send(r, matching);
            }
        }
        upper = Math.min(upper, value);
    }

    /** Messages of all mini-buckets of a bucket, of which r is the last. */
    private void send(int r, boolean matching) {
        int first = r;
        while (first > 0 && plan.minis().get(first - 1).variable() == plan.minis().get(r).variable()) {
            first--;
        }
        if (matching && first < r) {
            LogTable[] believed = new LogTable[r - first + 1];
            for (int i = first; i <= r; i++) {
                believed[i - first] = tables[i].powerSumOnto(shifts[i].variables(), weights[i]);
            }
            shift(IntStream.rangeClosed(first, r).toArray(), believed, 1, true);
            for (int i = first; i <= r; i++) {
                tables[i].multiply(shifts[i]);
            }
        }
        for (int i = first; i <= r; i++) {
            int[] scope = plan.minis().get(i).scope();
            messages[i] = tables[i].powerSumOnto(Arrays.copyOfRange(scope, 1, scope.length), weights[i]);
            if (scope.length == 1) {
                value += messages[i].values()[0];
            }
            if (siblings.isEmpty()) {
                // nothing will be adjusted
                tables[i] = null;
            }
        }
    }

    /**
     * Adds w_r (mean - b_r) to the shift of each mini-bucket r, where mean = sum_s w_s b_s: so shifts add up to 0.
     *
     * @param believed w_r times the log beliefs b_r of what is shared
     * @param zeros whether what one believes impossible is so, and not merely below what doubles can tell
     */
    private void shift(int[] together, LogTable[] believed, double much, boolean zeros) {
        int entries = believed[0].values().length;
        for (int entry = 0; entry < entries; entry++) {
            double mean = 0;
            for (LogTable each : believed) {
                mean += each.values()[entry];
            }
            boolean impossible = mean == Double.NEGATIVE_INFINITY;
            double largest = 0;
            for (int i = 0; i < together.length && !impossible; i++) {
                largest = Math.max(largest, Math.abs(weights[together[i]] * mean - believed[i].values()[entry]));
            }
            // in proportion, so that shifts still add up to 0
            double scale = zeros || largest <= MOST_SHIFTED ? much : much * MOST_SHIFTED / largest;
            for (int i = 0; i < together.length; i++) {
                double[] shift = shifts[together[i]].values();
                if (!impossible) {
                    shift[entry] += scale * (weights[together[i]] * mean - believed[i].values()[entry]);
                } else if (zeros) {
                    shift[entry] = Double.NEGATIVE_INFINITY;
                }
            }
        }
    }

    /** Makes the bound tighter by so many passes back and forth; nothing to do where it is exact. */
    public void tighten(int passes) {
        Check.that(passes >= 0, "passes = ", passes, ": at least 0");
        for (int i = 0; i < passes && !siblings.isEmpty(); i++) {
            double before = value;
            double[] weightsBefore = weights.clone();
            LogTable[] shiftsBefore = Arrays.stream(shifts).map(s -> s == null ? null : s.copy())
                    .toArray(LogTable[]::new);
            adjust();
            pass(false);
            step = value < before ? Math.min(1, GROWTH * step) : step / (GROWTH * GROWTH);
            if (value >= before) {
                weights = weightsBefore;
                System.arraycopy(shiftsBefore, 0, shifts, 0, shifts.length);
                pass(false);
            }
        }
    }

    /**
     * One pass back: the belief of a mini-bucket is that of its parent on what they share, times the conditional
     * exp((psi_r - lambda_r) / w_r); it is the gradient of the bound by psi_r. Then shifts and weights move.
     */
    private void adjust() {
        LogTable[] above = new LogTable[tables.length];
        LogTable[] believed = new LogTable[tables.length];
        double[] entropies = new double[tables.length];
        for (int r = tables.length - 1; r >= 0; r--) {
            MiniBucketPlan.Mini mini = plan.minis().get(r);
            LogTable conditional = tables[r].conditional(messages[r], weights[r]);
            LogTable belief = conditional.copy();
            if (above[r] != null) {
                belief.multiply(above[r]);
            }
            for (int child : mini.children()) {
                int[] scope = plan.minis().get(child).scope();
                above[child] = belief.sumOnto(Arrays.copyOfRange(scope, 1, scope.length));
            }
            if (shifts[r] != null) {
                entropies[r] = belief.crossEntropy(conditional);
                believed[r] = belief.sumOnto(shifts[r].variables());
            }
        }
        for (int[] together : siblings) {
            LogTable[] scaled = IntStream.of(together).mapToObj(r -> believed[r].scaled(weights[r]))
                    .toArray(LogTable[]::new);
            shift(together, scaled, step, false);
            reweigh(together, entropies);
        }
    }

    private void reweigh(int[] together, double[] entropies) {
        double mean = IntStream.of(together).mapToDouble(r -> weights[r] * entropies[r]).sum();
        double total = 0;
        for (int r : together) {
            weights[r] = Math.max(LEAST_WEIGHT,
                    weights[r] * Math.exp(-step * weights[r] * (entropies[r] - mean)));
            total += weights[r];
        }
        for (int r : together) {
            weights[r] /= total;
        }
    }
}
