package io.mdnf.bn;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A network's conditional probability tables at soft codes: each table is contracted linearly with the parents,
 *
 * <pre>{@code p_i(k | x) = sum over parents' states s of p(k | s) prod_j x[parent_j, s_j] }</pre>
 *
 * <p>so that soft parents interpolate probabilities, and one-hot parents select a row. A latent node gives one column
 * per category, an observed node one column in all, the probability of what was observed.
 *
 * <p>Nodes with equally many latent parents share their operations: products of m selections x S_1 .. x S_m with
 * constant 0/1 matrices, then one product with all tables.
 */
final class RelaxedNetwork {

    /** A node's table over its latent parents: [parents' states, columns], written from a first column on. */
    private record Table(List<Integer> parents, int column, double[][] rows) {}

    private final CodeSpace space;
    private final List<Table> tables = new ArrayList<>();
    private final int observed;

    RelaxedNetwork(NetworkTarget target) {
        this.space = target.space();
        Evidence evidence = target.evidence();
        BayesianNetwork network = evidence.network();
        int[] nodes = target.nodes();
        int next = space.oneHotLength();
        for (int i = 0; i < network.size(); i++) {
            int d = Arrays.binarySearch(nodes, i);
            List<Integer> parents = IntStream.of(network.parents(i)).filter(p -> !evidence.isObserved(p))
                    .map(p -> Arrays.binarySearch(nodes, p)).boxed().toList();
            tables.add(new Table(parents, d < 0 ? next++ : d * space.width(), rows(evidence, i)));
        }
        this.observed = next - space.oneHotLength();
    }

    /** The probabilities of a node's table, a row for each configuration of its latent parents. */
    private static double[][] rows(Evidence evidence, int i) {
        double[] table = Arrays.stream(LogFactor.conditional(evidence, i).values()).map(Math::exp).toArray();
        int columns = evidence.isObserved(i) ? 1 : evidence.network().cardinality(i);
        return IntStream.range(0, table.length / columns)
                .mapToObj(s -> Arrays.copyOfRange(table, s * columns, (s + 1) * columns)).toArray(double[][]::new);
    }

    /**
     * Conditional probabilities at soft codes.
     *
     * @param latent of the latent nodes, [n, D * K]; the floor at positions k &gt;= K_d
     * @param observed of what was observed, [n, E]; empty if nothing was
     */
    record Probabilities(Tensor latent, Optional<Tensor> observed) {}

    /** Returns all conditional probabilities at codes [n, D * K], with a floor added to every one. */
    Probabilities at(Tensor x, double floor) {
        Map<Integer, Group> groups = new TreeMap<>();
        for (Table table : tables) {
            groups.computeIfAbsent(table.parents.size(), m -> new Group()).add(table);
        }
        Tensor latent = filled(x.graph(), x.extent(0), space.oneHotLength(), floor);
        Optional<Tensor> seen = observed == 0 ? Optional.empty()
                : Optional.of(filled(x.graph(), x.extent(0), observed, floor));
        for (Map.Entry<Integer, Group> entry : groups.entrySet()) {
            Group group = entry.getValue();
            Tensor products = group.products(x, entry.getKey());
            latent = group.addTo(latent, products, 0);
            seen = seen.map(sum -> group.addTo(sum, products, space.oneHotLength()));
        }
        return new Probabilities(latent, seen);
    }

    private static Tensor filled(Graph graph, long n, int columns, double value) {
        double[] values = new double[Math.toIntExact(n * columns)];
        Arrays.fill(values, value);
        return graph.constant(values, n, columns);
    }

    /** Nodes with equally many latent parents; sets of parents are shared. */
    private final class Group {

        private final List<Table> tables = new ArrayList<>();
        private final Set<List<Integer>> sets = new LinkedHashSet<>();

        void add(Table table) {
            tables.add(table);
            sets.add(table.parents);
        }

        /** The products of the parents' entries, for every configuration of every set of parents, [n, width]. */
        Tensor products(Tensor x, int parents) {
            if (parents == 0) {
                return filled(x.graph(), x.extent(0), 1, 1);
            }
            int width = width();
            Tensor product = null;
            for (int j = 0; j < parents; j++) {
                Tensor selected = x.matmul(x.graph().constant(selection(j, width), space.oneHotLength(), width));
                product = product == null ? selected : product.times(selected);
            }
            return product;
        }

        /** Adds what the tables make of the products, for columns from a first one on. */
        Tensor addTo(Tensor sum, Tensor products, int first) {
            int columns = (int) sum.extent(1);
            double[] weights = weights(first, columns);
            return DoubleStream.of(weights).allMatch(w -> w == 0) ? sum
                    : products.matmul(sum.graph().constant(weights, products.extent(1), columns)).plus(sum);
        }

        /** All tables side by side, flat [width, columns]. */
        private double[] weights(int first, int columns) {
            double[] weights = new double[width() * columns];
            for (Table table : tables) {
                int column = table.column - first;
                if (column < 0 || column >= columns) {
                    continue;
                }
                int start = sets.stream().takeWhile(set -> !set.equals(table.parents)).mapToInt(this::size).sum();
                for (int s = 0; s < table.rows.length; s++) {
                    System.arraycopy(table.rows[s], 0, weights, (start + s) * columns + column, table.rows[s].length);
                }
            }
            return weights;
        }

        private int width() {
            return sets.stream().mapToInt(this::size).sum();
        }

        private int size(List<Integer> set) {
            return set.stream().map(space::cardinality).reduce(1, Math::multiplyExact);
        }

        /** Selects parent j's entry for every configuration of every set of parents, flat [D * K, width]. */
        private double[] selection(int j, int width) {
            double[] selection = new double[space.oneHotLength() * width];
            int column = 0;
            for (List<Integer> set : sets) {
                int parent = set.get(j);
                int inner = size(set.subList(j + 1, set.size()));
                for (int s = 0; s < size(set); s++) {
                    int state = s / inner % space.cardinality(parent);
                    selection[(parent * space.width() + state) * width + column++] = 1;
                }
            }
            return selection;
        }
    }
}
