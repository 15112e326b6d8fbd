package io.mdnf.bn;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** A node's probabilities, flat [configurations of its latent parents, columns], written from a first column on. */
    private record Table(List<Integer> parents, int first, int columns, double[] probabilities) {}

    private final CodeSpace space;
    /** By the number of latent parents. */
    private final Map<Integer, Group> groups = new TreeMap<>();
    private final int observed;

    RelaxedNetwork(NetworkTarget target) {
        this.space = target.space();
        int next = space.oneHotLength();
        for (int i = 0; i < target.factors().size(); i++) {
            // of node i: its latent parents, and last the node itself if it is latent
            Factor factor = target.factors().get(i);
            List<Integer> family = IntStream.of(factor.variables()).boxed().toList();
            boolean latent = Arrays.binarySearch(target.nodes(), i) >= 0;
            List<Integer> parents = latent ? family.subList(0, family.size() - 1) : family;
            int d = latent ? family.get(parents.size()) : -1;
            groups.computeIfAbsent(parents.size(), m -> new Group()).add(new Table(parents,
                    latent ? d * space.width() : next++, latent ? space.cardinality(d) : 1,
                    Arrays.stream(factor.logTable()).map(Math::exp).toArray()));
        }
        this.observed = next - space.oneHotLength();
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
        /** Where the products of each set of parents start. */
        private final Map<List<Integer>, Integer> starts = new LinkedHashMap<>();
        private int width;

        void add(Table table) {
            tables.add(table);
            if (starts.putIfAbsent(table.parents, width) == null) {
                width += table.probabilities.length / table.columns;
            }
        }

        /** The products of the parents' entries, for every configuration of every set of parents, [n, width]. */
        Tensor products(Tensor x, int parents) {
            Tensor product = null;
            for (int j = 0; j < parents; j++) {
                Tensor selected = x.matmul(x.graph().constant(selection(j), space.oneHotLength(), width));
                product = product == null ? selected : product.times(selected);
            }
            return product == null ? filled(x.graph(), x.extent(0), 1, 1) : product;
        }

        /** Selects parent j's entry for every configuration of every set of parents, flat [D * K, width]. */
        private double[] selection(int j) {
            double[] selection = new double[space.oneHotLength() * width];
            starts.forEach((parents, start) -> {
                int column = start;
                for (int[] states : space.configurations(parents.stream().mapToInt(d -> d).toArray())) {
                    selection[(parents.get(j) * space.width() + states[j]) * width + column++] = 1;
                }
            });
            return selection;
        }

        /** Adds what the tables make of the products, for columns from a first one on. */
        Tensor addTo(Tensor sum, Tensor products, int first) {
            int columns = (int) sum.extent(1);
            double[] weights = new double[width * columns];
            for (Table table : tables) {
                int column = table.first - first;
                for (int i = 0; i < table.probabilities.length && column >= 0 && column < columns; i++) {
                    int row = starts.get(table.parents) + i / table.columns;
                    weights[row * columns + column + i % table.columns] = table.probabilities[i];
                }
            }
            return DoubleStream.of(weights).allMatch(w -> w == 0) ? sum
                    : products.matmul(sum.graph().constant(weights, width, columns)).plus(sum);
        }
    }
}
