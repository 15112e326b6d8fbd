package io.mdnf.elimination;

import io.mdnf.space.CodeMap;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/** Tables while they are made smaller, see {@link Reduction}. */
final class Reducing {

    /** Logarithms that differ by less, relative to their size, are the same number rounded twice. */
    private static final double ROUNDING = 1e-13;

    private final CodeSpace original;
    private final int[] cardinality;
    private final int[] decidedBy;
    private final int[][] categories;
    private List<LogTable> tables;
    private boolean impossible;

    Reducing(CodeSpace space, List<Factor> factors) {
        original = space;
        cardinality = space.cardinalities();
        decidedBy = IntStream.range(0, cardinality.length).toArray();
        categories = IntStream.of(cardinality).mapToObj(k -> IntStream.range(0, k).toArray()).toArray(int[][]::new);
        tables = new ArrayList<>(factors.stream().map(factor -> LogTable.of(space, factor)).toList());
    }

    Reduction reduction() {
        do {
            drop();
        } while (!impossible && merge());
        if (impossible) {
            return new Reduction(new CodeMap(original, CodeSpace.of(1), new int[cardinality.length],
                    new int[cardinality.length][1]),
                    List.of(new Factor(new int[0], new double[] {Double.NEGATIVE_INFINITY})));
        }
        split();
        absorb();
        int[] left = IntStream.range(0, cardinality.length).filter(v -> decidedBy[v] == v && cardinality[v] > 1)
                .toArray();
        int[] place = new int[cardinality.length];
        Arrays.fill(place, CodeMap.NONE);
        IntStream.range(0, left.length).forEach(i -> place[left[i]] = i);
        CodeSpace space = left.length == 0 ? CodeSpace.of(1)
                : CodeSpace.of(IntStream.of(left).map(v -> cardinality[v]).toArray());
        return new Reduction(new CodeMap(original, space, IntStream.of(decidedBy).map(v -> place[v]).toArray(),
                categories), tables.stream().map(table -> new Factor(
                        IntStream.of(table.variables()).map(v -> place[v]).toArray(), table.values())).toList());
    }

    // ---- impossible categories

    /** Drops categories that some table forbids whatever the others are, again and again, then cuts all tables. */
    private void drop() {
        boolean[][] open = IntStream.of(cardinality).mapToObj(k -> {
            boolean[] all = new boolean[k];
            Arrays.fill(all, true);
            return all;
        }).toArray(boolean[][]::new);
        List<List<Integer>> around = new ArrayList<>();
        IntStream.range(0, cardinality.length).forEach(v -> around.add(new ArrayList<>()));
        Deque<Integer> waiting = new ArrayDeque<>();
        boolean[] waits = new boolean[tables.size()];
        for (int t = 0; t < tables.size(); t++) {
            for (int v : tables.get(t).variables()) {
                around.get(v).add(t);
            }
            waiting.add(t);
            waits[t] = true;
        }
        boolean any = false;
        while (!waiting.isEmpty() && !impossible) {
            int t = waiting.remove();
            waits[t] = false;
            for (int v : narrowed(tables.get(t), open)) {
                any = true;
                for (int other : around.get(v)) {
                    if (!waits[other]) {
                        waits[other] = true;
                        waiting.add(other);
                    }
                }
            }
        }
        if (!impossible) {
            cut(open, any);
        }
    }

    /** Closes categories without a possible entry in a table; returns the variables that lost one. */
    private List<Integer> narrowed(LogTable table, boolean[][] open) {
        int[] variables = table.variables();
        boolean[][] found = IntStream.of(table.cardinalities()).mapToObj(boolean[]::new).toArray(boolean[][]::new);
        int[] code = new int[variables.length];
        boolean some = false;
        for (int entry = 0; entry < table.values().length; entry++, count(code, table.cardinalities())) {
            boolean possible = table.values()[entry] > Double.NEGATIVE_INFINITY;
            for (int j = 0; possible && j < code.length; j++) {
                possible = open[variables[j]][code[j]];
            }
            for (int j = 0; possible && j < code.length; j++) {
                found[j][code[j]] = true;
            }
            some |= possible;
        }
        impossible |= !some;
        List<Integer> narrowed = new ArrayList<>();
        for (int j = 0; j < code.length; j++) {
            boolean[] own = open[variables[j]];
            boolean less = false;
            for (int k = 0; k < own.length; k++) {
                less |= own[k] && !found[j][k];
                own[k] &= found[j][k];
            }
            if (less) {
                narrowed.add(variables[j]);
            }
        }
        return narrowed;
    }

    private static void count(int[] code, int[] cardinalities) {
        for (int j = code.length - 1; j >= 0 && ++code[j] == cardinalities[j]; j--) {
            code[j] = 0;
        }
    }

    private void cut(boolean[][] open, boolean any) {
        int[][] kept = Arrays.stream(open).map(own -> IntStream.range(0, own.length).filter(k -> own[k]).toArray())
                .toArray(int[][]::new);
        if (any) {
            for (int v = 0; v < cardinality.length; v++) {
                int[] own = categories[v];
                categories[v] = IntStream.of(kept[decidedBy[v]]).map(k -> own[k]).toArray();
            }
        }
        List<LogTable> smaller = new ArrayList<>();
        for (LogTable table : tables) {
            int[] variables = table.variables();
            int[] scope = IntStream.of(variables).filter(v -> kept[v].length > 1).toArray();
            boolean same = scope.length == variables.length && IntStream.range(0, scope.length)
                    .allMatch(j -> kept[scope[j]].length == table.cardinalities()[j]);
            smaller.add(same ? table : mapped(table, scope, IntStream.of(scope).map(v -> kept[v].length).toArray(),
                    IntStream.of(variables).map(v -> indexOf(scope, v)).toArray(),
                    IntStream.of(variables).mapToObj(v -> kept[v]).toArray(int[][]::new)));
        }
        Arrays.setAll(cardinality, v -> kept[v].length);
        tables = smaller;
    }

    /**
     * A table over a new scope: its variable at place j has category {@code category[j][k]} where the variable at place
     * {@code at[j]} of the scope has category k, or {@code category[j][0]} where none takes its place, -1.
     */
    private static LogTable mapped(LogTable table, int[] scope, int[] sizes, int[] at, int[][] category) {
        double[] values = new double[Arrays.stream(sizes).reduce(1, Math::multiplyExact)];
        int[] code = new int[scope.length];
        for (int entry = 0; entry < values.length; entry++, count(code, sizes)) {
            int from = 0;
            for (int j = 0; j < at.length; j++) {
                from = from * table.cardinalities()[j] + category[j][at[j] < 0 ? 0 : code[at[j]]];
            }
            values[entry] = table.values()[from];
        }
        return new LogTable(scope, sizes, values);
    }

    private static int indexOf(int[] scope, int variable) {
        return IntStream.range(0, scope.length).filter(j -> scope[j] == variable).findFirst().orElse(-1);
    }

    // ---- variables that follow another

    /** Replaces variables that some table lets follow another one to one; returns whether there were any. */
    private boolean merge() {
        boolean any = false;
        for (int t = 0; t < tables.size(); t++) {
            LogTable table = tables.get(t);
            if (!table.forbids()) {
                continue;
            }
            int[] variables = table.variables();
            for (int a = 0; a < variables.length; a++) {
                for (int b = a + 1; b < variables.length; b++) {
                    int[] follows = follows(tables.get(t), variables[a], variables[b]);
                    if (follows != null) {
                        replace(variables[b], variables[a], follows);
                        any = true;
                    }
                }
            }
        }
        return any;
    }

    /** The category of b for each of a, where a table allows only one, and another for another; else null. */
    private static int[] follows(LogTable table, int a, int b) {
        int first = indexOf(table.variables(), a);
        int second = indexOf(table.variables(), b);
        if (first < 0 || second < 0 || table.cardinalities()[first] != table.cardinalities()[second]) {
            return null;
        }
        int[] follows = new int[table.cardinalities()[first]];
        int[] leads = new int[follows.length];
        Arrays.fill(follows, -1);
        Arrays.fill(leads, -1);
        int[] code = new int[table.variables().length];
        for (int entry = 0; entry < table.values().length; entry++, count(code, table.cardinalities())) {
            if (table.values()[entry] > Double.NEGATIVE_INFINITY) {
                int k = code[first];
                int l = code[second];
                if (follows[k] >= 0 && follows[k] != l || leads[l] >= 0 && leads[l] != k) {
                    return null;
                }
                follows[k] = l;
                leads[l] = k;
            }
        }
        return IntStream.of(follows).anyMatch(l -> l < 0) ? null : follows;
    }

    private void replace(int gone, int by, int[] follows) {
        for (int v = 0; v < decidedBy.length; v++) {
            if (decidedBy[v] == gone) {
                int[] own = categories[v];
                decidedBy[v] = by;
                categories[v] = IntStream.of(follows).map(k -> own[k]).toArray();
            }
        }
        for (int t = 0; t < tables.size(); t++) {
            LogTable table = tables.get(t);
            int[] variables = table.variables();
            if (indexOf(variables, gone) >= 0) {
                int[] scope = IntStream.of(variables).map(v -> v == gone ? by : v).distinct().toArray();
                tables.set(t, mapped(table, scope, IntStream.of(scope).map(v -> cardinality[v]).toArray(),
                        IntStream.of(variables).map(v -> indexOf(scope, v == gone ? by : v)).toArray(),
                        IntStream.of(variables).mapToObj(v -> v == gone ? follows
                                : IntStream.range(0, cardinality[v]).toArray()).toArray(int[][]::new)));
            }
        }
    }

    // ---- tables that are products

    /** Splits tables f(a, b, rest) = g(a, rest) h(b, rest), until none is left. */
    private void split() {
        Deque<LogTable> waiting = new ArrayDeque<>(tables);
        List<LogTable> whole = new ArrayList<>();
        while (!waiting.isEmpty()) {
            LogTable table = waiting.remove();
            List<LogTable> parts = alone(table);
            parts = parts.isEmpty() ? apart(table) : parts;
            if (parts.isEmpty()) {
                whole.add(table);
            }
            waiting.addAll(parts);
        }
        tables = whole;
    }

    /** A variable that a table does not link to any other, by itself, and the others; nothing if there is none. */
    private static List<LogTable> alone(LogTable table) {
        int[] variables = table.variables();
        for (int a = 0; variables.length > 1 && a < variables.length; a++) {
            int rest = IntStream.range(a + 1, variables.length).map(j -> table.cardinalities()[j]).reduce(1,
                    (x, y) -> x * y);
            int own = table.cardinalities()[a];
            double[] values = table.values();
            // one row of the matrix for each category, the columns as they come
            int columns = values.length / own;
            double[][] rows = new double[own][columns];
            for (int entry = 0; entry < values.length; entry++) {
                rows[entry / rest % own][entry / (rest * own) * rest + entry % rest] = values[entry];
            }
            double[][] factors = ofRankOne(rows);
            if (factors != null) {
                int variable = variables[a];
                int[] others = IntStream.of(variables).filter(v -> v != variable).toArray();
                int skipped = a;
                return List.of(new LogTable(new int[] {variable}, new int[] {own}, factors[0]),
                        new LogTable(others, IntStream.range(0, variables.length).filter(j -> j != skipped)
                                .map(j -> table.cardinalities()[j]).toArray(), factors[1]));
            }
        }
        return List.of();
    }

    /** Two variables that a table links only through others: it without either; nothing if there are none. */
    private static List<LogTable> apart(LogTable table) {
        int[] variables = table.variables();
        for (int a = 0; variables.length > 2 && a < variables.length; a++) {
            for (int b = a + 1; b < variables.length; b++) {
                List<LogTable> parts = apart(table, a, b);
                if (!parts.isEmpty()) {
                    return parts;
                }
            }
        }
        return List.of();
    }

    private static List<LogTable> apart(LogTable table, int a, int b) {
        int[] variables = table.variables();
        int[] sizes = table.cardinalities();
        int[] others = IntStream.range(0, variables.length).filter(j -> j != a && j != b).toArray();
        int[] strides = LogTable.strides(variables, sizes, variables);
        int[] begins = Slice.places(IntStream.of(others).map(j -> sizes[j]).toArray(), 0,
                IntStream.of(others).map(j -> strides[j]).toArray());
        double[] withA = new double[begins.length * sizes[a]];
        double[] withB = new double[begins.length * sizes[b]];
        for (int r = 0; r < begins.length; r++) {
            double[][] rows = new double[sizes[a]][sizes[b]];
            for (int k = 0; k < sizes[a]; k++) {
                for (int l = 0; l < sizes[b]; l++) {
                    rows[k][l] = table.values()[begins[r] + k * strides[a] + l * strides[b]];
                }
            }
            double[][] factors = ofRankOne(rows);
            if (factors == null) {
                return List.of();
            }
            System.arraycopy(factors[0], 0, withA, r * sizes[a], sizes[a]);
            System.arraycopy(factors[1], 0, withB, r * sizes[b], sizes[b]);
        }
        return List.of(over(table, others, a, withA), over(table, others, b, withB));
    }

    private static LogTable over(LogTable table, int[] others, int last, double[] values) {
        int[] places = IntStream.concat(IntStream.of(others), IntStream.of(last)).toArray();
        return new LogTable(IntStream.of(places).map(j -> table.variables()[j]).toArray(),
                IntStream.of(places).map(j -> table.cardinalities()[j]).toArray(), values);
    }

    /** Logarithms u and v with rows[k][l] = u_k + v_l; null if there are none. */
    private static double[][] ofRankOne(double[][] rows) {
        int k = 0;
        int l = 0;
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < rows[i].length; j++) {
                boolean larger = rows[i][j] > rows[k][l];
                k = larger ? i : k;
                l = larger ? j : l;
            }
        }
        double most = rows[k][l];
        double[] u = new double[rows.length];
        double[] v = new double[rows[0].length];
        if (most == Double.NEGATIVE_INFINITY) {
            Arrays.fill(u, most);
            return new double[][] {u, v};
        }
        for (int i = 0; i < u.length; i++) {
            u[i] = rows[i][l];
        }
        for (int j = 0; j < v.length; j++) {
            v[j] = rows[k][j] - most;
        }
        for (int i = 0; i < u.length; i++) {
            for (int j = 0; j < v.length; j++) {
                double sum = u[i] + v[j];
                double apart = Math.abs(sum - rows[i][j]);
                // a zero is near nothing: it is infinitely far
                if (sum != rows[i][j] && (Double.isInfinite(apart) || apart > ROUNDING * (1 + Math.abs(sum)))) {
                    return null;
                }
            }
        }
        return new double[][] {u, v};
    }

    // ---- tables within others

    /** Multiplies tables into larger ones over their variables and more, and all constants together. */
    private void absorb() {
        tables.sort(Comparator.comparingInt((LogTable table) -> -table.variables().length));
        List<List<LogTable>> around = new ArrayList<>();
        IntStream.range(0, cardinality.length).forEach(v -> around.add(new ArrayList<>()));
        List<LogTable> kept = new ArrayList<>();
        double constant = 0;
        for (LogTable table : tables) {
            int[] variables = table.variables();
            if (variables.length == 0) {
                constant += table.values()[0];
                continue;
            }
            // of the variable in the fewest tables: the others may be in thousands
            List<LogTable> near = IntStream.of(variables).mapToObj(around::get)
                    .min(Comparator.comparingInt(List::size)).orElseThrow();
            LogTable larger = near.stream().filter(other -> IntStream.of(variables)
                    .allMatch(v -> indexOf(other.variables(), v) >= 0)).findFirst().orElse(null);
            if (larger != null) {
                larger.multiply(table);
            } else {
                LogTable own = table.copy();
                kept.add(own);
                IntStream.of(variables).forEach(v -> around.get(v).add(own));
            }
        }
        if (constant != 0) {
            kept.add(new LogTable(new int[0], new int[0], new double[] {constant}));
        }
        tables = kept;
    }
}
