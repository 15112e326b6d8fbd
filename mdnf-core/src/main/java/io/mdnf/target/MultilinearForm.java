package io.mdnf.target;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A sum of factors in a graph, as a polynomial that is linear in each variable:
 *
 * <pre>{@code y[n] = sum_f sum_c logTable_f(c) prod_j x[n, v_j, c_j] }</pre>
 *
 * <p>At a one-hot code its gradient by x[d, k] is the value with x_d set to k, up to a constant: exactly what a
 * straight-through gradient compares. {@link #logs} has the same values at codes and the gradient of the paper, ratios
 * of probabilities: it adds up log(table contracted with x) in the place of the contracted logarithms.
 *
 * <p>The variables of each factor are cut in two; a monomial is a product of entries of x, one per variable of a half.
 * With all monomials of the left halves L [n, W_left] and of the right halves R [n, W_right],
 * y = sum((L T) * R), where T holds the tables. Monomials are element-wise products of selections x S with constant 0/1
 * matrices. Factors that need equally many selections, rounded up to a power of two, share everything, so the number of
 * operations grows with the largest factor and not with the number of factors. The matrices are dense: their sizes grow
 * with the square of the number of factors, which suits networks of up to some hundred variables.
 */
final class MultilinearForm {

    private final CodeSpace space;
    private final List<Factor> factors;

    MultilinearForm(CodeSpace space, List<Factor> factors) {
        this.space = space;
        this.factors = factors;
    }

    /** The form y [n] at a batch of codes x [n, D, K]. */
    Tensor of(Tensor oneHot) {
        Tensor x = flat(oneHot);
        long n = x.extent(0);
        double constant = 0;
        double[] linear = null;
        Map<Integer, Group> groups = new TreeMap<>();
        for (Factor factor : factors) {
            int[] variables = factor.variables();
            double[] table = penalised(factor.logTable());
            if (variables.length == 0) {
                constant += table[0];
            } else if (variables.length == 1) {
                linear = linear == null ? new double[space.oneHotLength()] : linear;
                for (int k = 0; k < table.length; k++) {
                    linear[position(variables[0], k)] += table[k];
                }
            } else {
                groups.computeIfAbsent(Group.slots(variables.length), Group::new).add(variables, table);
            }
        }
        Tensor sum = null;
        if (linear != null || groups.isEmpty()) {
            double[] weights = linear == null ? new double[space.oneHotLength()] : linear;
            sum = x.matmul(x.graph().constant(weights, weights.length, 1)).reshape(n);
        }
        for (Group group : groups.values()) {
            Tensor part = group.of(x);
            sum = sum == null ? part : sum.plus(part);
        }
        return constant == 0 ? sum : sum.plus(constant);
    }

    /**
     * y [n] at codes x [n, D, K], with sum_f log(sum_c table_f(c) prod_j x[n, v_j, c_j]) as the function around them.
     */
    Tensor logs(Tensor oneHot) {
        Tensor x = flat(oneHot);
        double constant = 0;
        List<double[]> columns = new ArrayList<>();
        Map<Integer, Group> groups = new TreeMap<>();
        for (Factor factor : factors) {
            int[] variables = factor.variables();
            double most = Math.max(TargetModel.PENALTY, Arrays.stream(factor.logTable()).max().orElseThrow());
            double[] table = Arrays.stream(factor.logTable()).map(value -> Math.exp(value - most)).toArray();
            constant += most;
            if (variables.length == 1) {
                double[] column = new double[space.oneHotLength()];
                System.arraycopy(table, 0, column, position(variables[0], 0), table.length);
                columns.add(column);
            } else if (variables.length > 1) {
                groups.computeIfAbsent(Group.slots(variables.length), Group::new).addApart(variables, table);
            }
        }
        List<Tensor> values = new ArrayList<>(groups.values().stream().map(group -> group.each(x)).toList());
        if (!columns.isEmpty()) {
            double[] rows = columns.stream().flatMapToDouble(Arrays::stream).toArray();
            values.add(x.matmulTransposed(x.graph().constant(rows, columns.size(), space.oneHotLength())));
        }
        return values.isEmpty() ? x.times(0).sum(-1).plus(constant)
                : Tensor.concat(1, values.toArray(Tensor[]::new)).log(LogSpace.FLOOR).sum(-1).plus(constant);
    }

    /** Codes [n, D, K] as rows. */
    private Tensor flat(Tensor oneHot) {
        Check.that(oneHot.rank() == 3 && oneHot.extent(1) == space.variables() && oneHot.extent(2) == space.width(),
                "codes = ", oneHot, ": a target over ", space, " needs shape [n, ", space.variables(), ", ",
                space.width(), "]");
        return oneHot.reshape(oneHot.extent(0), space.oneHotLength());
    }

    private static double[] penalised(double[] table) {
        return Arrays.stream(table).map(v -> v == Double.NEGATIVE_INFINITY ? TargetModel.PENALTY : v).toArray();
    }

    private int position(int variable, int category) {
        return variable * space.width() + category;
    }

    /** Factors of at most {@code 2 * slots} variables, of which each half has at most {@code slots}. */
    private final class Group {

        /** A factor's table between the monomials of its halves, which start at these columns. */
        private record Block(int left, int right, int columns, double[] table) {}

        private final int slots;
        private final Monomials left = new Monomials();
        private final Monomials right = new Monomials();
        private final List<Block> blocks = new ArrayList<>();

        Group(int slots) {
            this.slots = slots;
        }

        /** The smallest power of two that holds half of the variables. */
        static int slots(int variables) {
            int half = (variables + 1) / 2;
            return half == 1 ? 1 : 2 * Integer.highestOneBit(half - 1);
        }

        void add(int[] variables, double[] table) {
            int most = Math.min(slots, variables.length - 1);
            int best = most;
            // cut where the fewest new monomials arise; on ties the right half is short, for children of equal parents
            for (int cut = most - 1; cut >= Math.max(1, variables.length - slots); cut--) {
                if (added(variables, cut) < added(variables, best)) {
                    best = cut;
                }
            }
            int[] tail = Arrays.copyOfRange(variables, best, variables.length);
            blocks.add(new Block(left.add(Arrays.copyOf(variables, best)), right.add(tail), size(tail), table));
        }

        /** Adds a factor whose right monomials no other shares, so that its value can be told from theirs. */
        void addApart(int[] variables, double[] table) {
            int cut = variables.length / 2;
            int[] tail = Arrays.copyOfRange(variables, cut, variables.length);
            blocks.add(new Block(left.add(Arrays.copyOf(variables, cut)), right.addApart(tail), size(tail), table));
        }

        private int added(int[] variables, int cut) {
            return left.added(Arrays.copyOf(variables, cut))
                    + right.added(Arrays.copyOfRange(variables, cut, variables.length));
        }

        Tensor of(Tensor x) {
            return products(x).sum(-1);
        }

        /** The value of every factor, [n, factors]. */
        Tensor each(Tensor x) {
            double[] sums = new double[right.count() * blocks.size()];
            for (int f = 0; f < blocks.size(); f++) {
                for (int i = 0; i < blocks.get(f).columns; i++) {
                    sums[(blocks.get(f).right + i) * blocks.size() + f] = 1;
                }
            }
            return products(x).matmul(x.graph().constant(sums, right.count(), blocks.size()));
        }

        /** Left monomials times tables times right monomials, [n, right]. */
        private Tensor products(Tensor x) {
            Graph graph = x.graph();
            Inputs inputs = slots == 1 ? new Inputs(x, null) : Inputs.used(x, left, right);
            double[] between = new double[left.count() * right.count()];
            for (Block block : blocks) {
                for (int i = 0; i < block.table.length; i++) {
                    int row = block.left + i / block.columns;
                    between[row * right.count() + block.right + i % block.columns] += block.table[i];
                }
            }
            Tensor middle = left.of(inputs).matmul(graph.constant(between, left.count(), right.count()));
            return middle.times(right.of(inputs));
        }
    }

    private int size(int[] variables) {
        return IntStream.of(variables).map(space::cardinality).reduce(1, Math::multiplyExact);
    }

    /** Products of entries of x, each the list of their positions in a flat code. */
    private final class Monomials {

        private final Map<IntBuffer, Integer> starts = new HashMap<>();
        private final List<int[]> positions = new ArrayList<>();

        /** How many more there would be with all configurations of some variables. */
        int added(int[] variables) {
            return starts.containsKey(CodeSpace.key(variables)) ? 0 : size(variables);
        }

        /** Adds all configurations of some variables, row-major, and returns where they start. */
        int add(int[] variables) {
            return starts.computeIfAbsent(CodeSpace.key(variables), absent -> addApart(variables));
        }

        /** The same, though they may be there. */
        int addApart(int[] variables) {
            int start = positions.size();
            for (int[] configuration : space.configurations(variables)) {
                positions.add(IntStream.range(0, variables.length)
                        .map(j -> position(variables[j], configuration[j])).toArray());
            }
            return start;
        }

        int count() {
            return positions.size();
        }

        int most() {
            return positions.stream().mapToInt(at -> at.length).max().orElseThrow();
        }

        int fewest() {
            return positions.stream().mapToInt(at -> at.length).min().orElseThrow();
        }

        IntStream used() {
            return positions.stream().flatMapToInt(IntStream::of);
        }

        /** Their values, [n, count]: one selection per variable, 1 where a monomial has no more variables. */
        Tensor of(Inputs inputs) {
            Tensor product = null;
            for (int j = 0; j < most(); j++) {
                double[] selection = new double[inputs.rows() * count()];
                for (int column = 0; column < count(); column++) {
                    int[] at = positions.get(column);
                    int row = j < at.length ? inputs.row(at[j]) : inputs.rows() - 1;
                    selection[row * count() + column] = 1;
                }
                Tensor selected = inputs.x.matmul(inputs.x.graph().constant(selection, inputs.rows(), count()));
                product = product == null ? selected : product.times(selected);
            }
            return product;
        }
    }

    /**
     * What monomials are selected from, x [n, rows]: the entries of codes that are used, by the position in a code of
     * each row, or null for all of them, and a 1 at the end if need be.
     */
    private record Inputs(Tensor x, int[] used) {

        /** Few entries, so that the selections, which are many, are narrow. */
        static Inputs used(Tensor x, Monomials left, Monomials right) {
            int[] used = IntStream.concat(left.used(), right.used()).sorted().distinct().toArray();
            boolean padded = left.fewest() < left.most() || right.fewest() < right.most();
            int rows = used.length + (padded ? 1 : 0);
            double[] selection = new double[(int) x.extent(1) * rows];
            for (int row = 0; row < used.length; row++) {
                selection[used[row] * rows + row] = 1;
            }
            Tensor selected = x.matmul(x.graph().constant(selection, x.extent(1), rows));
            if (padded) {
                int n = (int) x.extent(0);
                double[] one = new double[n * rows];
                for (int i = 0; i < n; i++) {
                    one[(i + 1) * rows - 1] = 1;
                }
                selected = selected.plus(x.graph().constant(one, n, rows));
            }
            return new Inputs(selected, used);
        }

        int rows() {
            return (int) x.extent(1);
        }

        int row(int position) {
            return used == null ? position : Arrays.binarySearch(used, position);
        }
    }
}
