package io.mdnf.elimination;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The sum of some log tables over the configurations of a clique, computed in blocks and never held as a whole: what is
 * made of it, a message or marginals, is smaller than the clique.
 *
 * <p>A block runs over the last variables of the clique, the variables before them count the blocks. Where an entry of
 * a block falls in a table is the same in every block, but for where it begins.
 */
final class TableSum {

    /** Entries of a block, about: a block, and where its entries fall in a few tables, fit into a core's own memory. */
    private static final int BLOCK = 1 << 11;

    /** How many parts a large clique is cut into, always as many: sums come out the same on any number of cores. */
    static final int PARTS = 2;

    /** Entries from which parts are worth a second thread. */
    private static final int LARGE = 1 << 15;

    /** Below this difference of logarithms a term is lost in the rounding of its sum. */
    private static final double LOST = -40;

    private final int[] variables;
    private final int[] cardinalities;
    private final int outerVariables;
    private final int inner;
    private final int outer;
    private final List<View> tables;

    /** An array over some variables of the clique: its strides, and where a block's entries fall. */
    private record View(double[] values, int[] strides, int[] within) {
    }

    /**
     * A sum over a clique.
     *
     * @param variables of the clique, the one to be eliminated last
     * @param cardinalities of these
     * @param tables over some of them each
     */
    TableSum(int[] variables, int[] cardinalities, List<LogTable> tables) {
        this.variables = variables;
        this.cardinalities = cardinalities;
        int first = variables.length - 1;
        int size = cardinalities[first];
        while (first > 0 && (long) size * cardinalities[first - 1] <= BLOCK) {
            size *= cardinalities[--first];
        }
        this.outerVariables = first;
        this.inner = size;
        this.outer = IntStream.of(cardinalities).limit(first).reduce(1, Math::multiplyExact);
        this.tables = tables.stream().map(table -> view(table.variables(), table.values())).toList();
    }

    private View view(int[] scope, double[] values) {
        int[] strides = LogTable.strides(variables, cardinalities, scope);
        boolean constant = Arrays.stream(strides).skip(outerVariables).allMatch(s -> s == 0);
        int[] within = constant ? new int[0] : Slice.places(
                Arrays.copyOfRange(cardinalities, outerVariables, cardinalities.length), 0,
                Arrays.copyOfRange(strides, outerVariables, strides.length));
        return new View(values, strides, within);
    }

    /** What is done with a block: the entries of the sum, and where the block begins in each of some arrays. */
    private interface Use {
        void block(int block, double[] entries, int[] begins);
    }

    /** Walks over blocks {@code from} to {@code to}. */
    private void walk(int from, int to, List<View> others, Use use) {
        List<View> all = new ArrayList<>(tables);
        all.addAll(others);
        int[] begins = new int[all.size()];
        int[] code = new int[variables.length];
        int left = from;
        for (int v = outerVariables - 1; v >= 0; v--) {
            code[v] = left % cardinalities[v];
            left /= cardinalities[v];
            for (int t = 0; t < begins.length; t++) {
                begins[t] += code[v] * all.get(t).strides[v];
            }
        }
        double[] entries = new double[inner];
        int[] otherBegins = new int[others.size()];
        for (int block = from; block < to; block++) {
            fill(entries, begins);
            System.arraycopy(begins, tables.size(), otherBegins, 0, otherBegins.length);
            use.block(block, entries, otherBegins);
            if (block + 1 < to) {
                advance(all, code, begins);
            }
        }
    }

    private void advance(List<View> all, int[] code, int[] begins) {
        int v = outerVariables - 1;
        while (code[v] + 1 == cardinalities[v]) {
            for (int t = 0; t < begins.length; t++) {
                begins[t] -= code[v] * all.get(t).strides[v];
            }
            code[v--] = 0;
        }
        code[v]++;
        for (int t = 0; t < begins.length; t++) {
            begins[t] += all.get(t).strides[v];
        }
    }

    private void fill(double[] entries, int[] begins) {
        double constant = 0;
        for (int t = 0; t < tables.size(); t++) {
            constant += tables.get(t).within.length == 0 ? tables.get(t).values[begins[t]] : 0;
        }
        Arrays.fill(entries, constant);
        for (int t = 0; t < tables.size(); t++) {
            View table = tables.get(t);
            double[] values = table.values;
            int[] within = table.within;
            int begin = begins[t];
            for (int i = 0; i < within.length; i++) {
                entries[i] += values[begin + within[i]];
            }
        }
    }

    private int parts() {
        return outer >= PARTS && (long) outer * inner >= LARGE ? PARTS : 1;
    }

    private int begin(int part, int parts) {
        return (int) ((long) outer * part / parts);
    }

    /** The sum, or the maximum, over the last variable, the others in the order of the clique. */
    double[] message(boolean maximum) {
        int categories = cardinalities[cardinalities.length - 1];
        int rows = inner / categories;
        double[] message = new double[outer * rows];
        int parts = parts();
        IntStream.range(0, parts).parallel().forEach(part -> walk(begin(part, parts), begin(part + 1, parts), List.of(),
                (block, entries, begins) -> {
                    for (int r = 0; r < rows; r++) {
                        message[block * rows + r] = maximum ? maximum(entries, r * categories, categories)
                                : sum(entries, r * categories, categories);
                    }
                }));
        return message;
    }

    private static double maximum(double[] logs, int from, int count) {
        double maximum = logs[from];
        for (int i = from + 1; i < from + count; i++) {
            maximum = Math.max(maximum, logs[i]);
        }
        return maximum;
    }

    private static double sum(double[] logs, int from, int count) {
        double largest = maximum(logs, from, count);
        if (largest == Double.NEGATIVE_INFINITY) {
            return largest;
        }
        double sum = 0;
        for (int i = from; i < from + count; i++) {
            double below = logs[i] - largest;
            sum += below == 0 ? 1 : below < LOST ? 0 : Math.exp(below);
        }
        return sum == 1 ? largest : largest + Math.log(sum);
    }

    /**
     * The exponentials of the sum, divided by that of {@code log}, summed onto each of some scopes; every scope's
     * variables in the order it has them.
     */
    double[][] marginals(double log, List<int[]> scopes) {
        int parts = parts();
        double[][][] sums = new double[parts][scopes.size()][];
        IntStream.range(0, parts).parallel().forEach(part -> {
            List<View> sinks = scopes.stream().map(scope -> view(scope, new double[IntStream.of(scope)
                    .map(v -> cardinalities[LogTable.position(variables, v)]).reduce(1, (a, b) -> a * b)])).toList();
            walk(begin(part, parts), begin(part + 1, parts), sinks,
                    (block, entries, begins) -> add(entries, log, sinks, begins));
            Arrays.setAll(sums[part], s -> sinks.get(s).values);
        });
        for (int part = 1; part < parts; part++) {
            for (int s = 0; s < scopes.size(); s++) {
                double[] more = sums[part][s];
                double[] all = sums[0][s];
                Arrays.setAll(all, i -> all[i] + more[i]);
            }
        }
        return sums[0];
    }

    private static void add(double[] entries, double log, List<View> sinks, int[] begins) {
        double all = 0;
        for (int i = 0; i < entries.length; i++) {
            entries[i] = entries[i] == Double.NEGATIVE_INFINITY ? 0 : Math.exp(entries[i] - log);
            all += entries[i];
        }
        for (int s = 0; s < begins.length; s++) {
            View sink = sinks.get(s);
            double[] sums = sink.values;
            int[] within = sink.within;
            int begin = begins[s];
            if (within.length == 0) {
                sums[begin] += all;
            }
            for (int i = 0; i < within.length; i++) {
                sums[begin + within[i]] += entries[i];
            }
        }
    }
}
