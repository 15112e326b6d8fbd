package io.mdnf.network;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the factors of a log joint say about a variable, given the variables before it: for every factor whose last
 * variable in an order is d, the row of its table at the values of the others is added to the logits of d.
 *
 * <p>In a Bayesian network with parents before children these logits are the prior, so a network that adds to them has
 * only the evidence to learn. And a category that a factor forbids is never chosen, which no training can promise: one
 * code in a million that the target forbids makes a bound -infinity. Where a variable would be left without any
 * category, the variables before it are a dead end, which is forbidden in turn.
 *
 * <p>In a graph: logits + relu(x A + a) F. A column of A is 1 at the values that one row of a table belongs to, a makes
 * the sum 1 just where all of them agree, and F holds the rows.
 *
 * <p>Example: {@code Made.with(space, 40).order(order).following(FactorLogits.of(space, order, target.factors()))}.
 *
 * @param tables what is looked up for each variable
 * @param complete whether every code that the factors forbid is kept off
 */
public record FactorLogits(CodeSpace space, List<List<Table>> tables, boolean complete) {

    /** How many rows of tables are followed; looking one up costs nothing, a graph holds [D K, rows] twice. */
    private static final int MOST_ROWS = 100_000;
    /** How many configurations of earlier variables are searched for dead ends. */
    private static final int MOST_CONFIGURATIONS = 100_000;

    /** A factor as seen from its last variable: rows [configurations of the earlier ones, the first slowest][K_d]. */
    record Table(int[] earlier, int variable, double[][] rows) {

        int row(CodeSpace space, int[] code) {
            int row = 0;
            for (int d : earlier) {
                row = row * space.cardinality(d) + code[d];
            }
            return row;
        }

        boolean forbids() {
            return Stream.of(rows).anyMatch(row -> Arrays.stream(row).anyMatch(v -> v == Double.NEGATIVE_INFINITY));
        }

        /** Returns the configurations whose rows say something. */
        int[] telling() {
            return IntStream.range(0, rows.length)
                    .filter(i -> Arrays.stream(rows[i]).distinct().count() > 1).toArray();
        }
    }

    /** The logits of factors in an order of the variables, a permutation of 0 .. D - 1, the first depending on none. */
    public static FactorLogits of(CodeSpace space, int[] order, List<Factor> factors) {
        int[] position = space.positions(order);
        List<List<Factor>> endingAt = Stream.<List<Factor>>generate(ArrayList::new).limit(order.length).toList();
        factors.forEach(factor -> file(factor, position, endingAt));
        List<Table> all = new ArrayList<>();
        boolean complete = true;
        for (int t = order.length - 1; t >= 0; t--) {
            int d = order[t];
            List<Table> own = endingAt.get(t).stream().map(factor -> table(space, factor, d)).toList();
            List<Table> forbidding = own.stream().filter(Table::forbids).toList();
            if (!forbidding.isEmpty()) {
                Optional<Factor> deadEnds = deadEnds(space, forbidding);
                complete &= deadEnds.isPresent();
                deadEnds.ifPresent(factor -> file(factor, position, endingAt));
            }
            all.addAll(own);
        }
        // what is forbidden comes first, then small tables, which are seen most often
        all.sort(Comparator.comparing((Table table) -> !table.forbids()).thenComparing(table -> table.rows().length));
        List<Table> kept = new ArrayList<>();
        int rows = 0;
        for (Table table : all) {
            int more = table.telling().length;
            if (rows + more <= MOST_ROWS) {
                rows += more;
                kept.add(table);
            } else {
                complete &= !table.forbids();
            }
        }
        return new FactorLogits(space, IntStream.range(0, space.variables())
                .mapToObj(d -> kept.stream().filter(table -> table.variable() == d).toList()).toList(), complete);
    }

    private static void file(Factor factor, int[] position, List<List<Factor>> endingAt) {
        IntStream.of(factor.variables()).map(d -> position[d]).max().ifPresent(t -> endingAt.get(t).add(factor));
    }

    private static Table table(CodeSpace space, Factor factor, int variable) {
        int[] variables = factor.variables();
        double[] values = factor.logTable();
        int[] earlier = IntStream.of(variables).filter(d -> d != variable).toArray();
        double[][] rows = new double[values.length / space.cardinality(variable)][space.cardinality(variable)];
        int[] code = new int[space.variables()];
        Table table = new Table(earlier, variable, rows);
        int entry = 0;
        for (int[] configuration : space.configurations(variables)) {
            set(code, variables, configuration);
            rows[table.row(space, code)][code[variable]] = values[entry++];
        }
        return table;
    }

    private static void set(int[] code, int[] variables, int[] configuration) {
        for (int j = 0; j < variables.length; j++) {
            code[variables[j]] = configuration[j];
        }
    }

    /** Forbids what leaves a variable no category; empty if that are too many configurations to look at. */
    private static Optional<Factor> deadEnds(CodeSpace space, List<Table> tables) {
        int[] scope = tables.stream().flatMapToInt(table -> IntStream.of(table.earlier())).distinct().toArray();
        double configurations = IntStream.of(scope).mapToDouble(space::cardinality).reduce(1, (a, b) -> a * b);
        if (configurations > MOST_CONFIGURATIONS) {
            return Optional.empty();
        }
        int[] code = new int[space.variables()];
        double[] values = new double[(int) configurations];
        int entry = 0;
        for (int[] configuration : space.configurations(scope)) {
            set(code, scope, configuration);
            List<double[]> rows = tables.stream().map(table -> table.rows()[table.row(space, code)]).toList();
            boolean dead = IntStream.range(0, rows.get(0).length)
                    .allMatch(k -> rows.stream().anyMatch(row -> row[k] == Double.NEGATIVE_INFINITY));
            values[entry++] = dead ? Double.NEGATIVE_INFINITY : 0;
        }
        return Optional.of(new Factor(scope, values));
    }

    /** Returns the number of rows of tables that are followed. */
    public int size() {
        return tables.stream().flatMap(List::stream).mapToInt(table -> table.telling().length).sum();
    }

    /** Returns the earlier variables that the logits of a variable depend on. */
    public int[] deciding(int variable) {
        return tables.get(variable).stream().flatMapToInt(table -> IntStream.of(table.earlier())).distinct().toArray();
    }

    /** Adds the logits of variable d, given the earlier variables of a code [D], to {@code logits} in place. */
    public void add(int[] code, int variable, double[] logits) {
        add(code, variable, logits, 0);
    }

    /** The same where the logits of the variable start at an offset. */
    public void add(int[] code, int variable, double[] logits, int offset) {
        List<Table> own = tables.get(variable);
        for (int t = 0; t < own.size(); t++) {
            double[] row = own.get(t).rows()[own.get(t).row(space, code)];
            for (int k = 0; k < row.length; k++) {
                logits[offset + k] += row[k] < LogSpace.IMPOSSIBLE ? LogSpace.IMPOSSIBLE : row[k];
            }
        }
    }

    /** The logits of codes [n, D * K], [n, D * K] without a gradient; rows that prefer no category are left out. */
    Tensor of(Graph graph, Tensor rows) {
        int width = space.oneHotLength();
        int size = size();
        double[] conditions = new double[width * size];
        double[] thresholds = new double[size];
        double[] values = new double[size * width];
        int unit = 0;
        for (Table table : tables.stream().flatMap(List::stream).toList()) {
            int[][] configurations = space.configurations(table.earlier());
            for (int row : table.telling()) {
                for (int j = 0; j < table.earlier().length; j++) {
                    int position = table.earlier()[j] * space.width() + configurations[row][j];
                    conditions[position * size + unit] = 1;
                }
                thresholds[unit] = 1 - table.earlier().length;
                for (int k = 0; k < table.rows()[row].length; k++) {
                    values[unit * width + table.variable() * space.width() + k] =
                            Math.max(LogSpace.IMPOSSIBLE, table.rows()[row][k]);
                }
                unit++;
            }
        }
        return rows.matmul(graph.constant(conditions, width, size)).plusRow(graph.constant(thresholds, 1, size)).relu()
                .matmul(graph.constant(values, size, width)).stopGradient();
    }

    @Override
    public String toString() {
        return "FactorLogits[" + size() + " rows" + (complete ? "" : ", incomplete") + "]";
    }
}
