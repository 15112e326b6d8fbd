package io.mdnf.bn;

import io.mdnf.space.Check;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * A discrete Bayesian network: an immutable, validated value.
 *
 * <pre>{@code p(x) = prod_i p(x_i | x_parents(i)) }</pre>
 *
 * <p>Nodes keep the order they were given in; a configuration x is an {@code int[]} of state indices in that order.
 */
public final class BayesianNetwork {

    private final String name;
    private final List<Node> nodes;
    private final Map<String, Integer> index;
    private final int[][] parents;
    private final int[] order;

    private BayesianNetwork(String name, List<Node> nodes, Map<String, Integer> index, int[][] parents, int[] order) {
        this.name = name;
        this.nodes = nodes;
        this.index = index;
        this.parents = parents;
        this.order = order;
    }

    /**
     * A network called by a name without control characters; parents may come after their children.
     *
     * @throws IllegalArgumentException if there is no node, a name appears twice, a parent is unknown, a table does
     *     not have one row per parent configuration, or the arcs form a cycle
     */
    public static BayesianNetwork of(String name, List<Node> nodes) {
        Check.that(!name.isEmpty() && name.chars().noneMatch(Character::isISOControl), "network name is "
                + Names.quote(name) + ", expected at least one character and no control characters");
        Check.that(!nodes.isEmpty(), "network " + Names.quote(name) + " has no nodes, expected at least one");
        Map<String, Integer> index = Node.index("node", nodes.stream().map(Node::name).toList());
        int[][] parents = new int[nodes.size()][];
        for (int i = 0; i < parents.length; i++) {
            parents[i] = parentsOf(nodes.get(i), nodes, index);
        }
        Ancestry.cycle(parents).ifPresent(cycle -> {
            throw new IllegalArgumentException("the arcs form a cycle: "
                    + Names.list(cycle.stream().map(i -> nodes.get(i).name()).toList()) + " and back");
        });
        return new BayesianNetwork(name, List.copyOf(nodes), index, parents, Ancestry.topologicalOrder(parents));
    }

    private static int[] parentsOf(Node node, List<Node> nodes, Map<String, Integer> index) {
        int[] parents = new int[node.parents().size()];
        long rows = 1;
        for (int p = 0; p < parents.length; p++) {
            String parent = node.parents().get(p);
            Integer at = index.get(parent);
            if (at == null) {
                throw new IllegalArgumentException("node " + Names.quote(node.name()) + " has unknown parent "
                        + Names.quote(parent) + Names.didYouMean(parent, index.keySet()));
            }
            parents[p] = at;
            rows = Math.min(Integer.MAX_VALUE + 1L, rows * nodes.get(at).cardinality());
        }
        Check.that(rows == node.rows(), "table of node " + Names.quote(node.name()) + " has " + node.rows()
                + " rows, expected " + rows + ", one per configuration of its parents");
        return parents;
    }

    /** {@return what the network is called} */
    public String name() {
        return name;
    }

    /** {@return the number of nodes} */
    public int size() {
        return nodes.size();
    }

    /** {@return the nodes, in order} */
    public List<Node> nodes() {
        return nodes;
    }

    /** Returns the node at a position, 0 to size() - 1. */
    public Node node(int i) {
        return nodes.get(i);
    }

    /** Returns the position of a node by name; an IllegalArgumentException names the nearest if there is none. */
    public int indexOf(String node) {
        Integer at = index.get(node);
        if (at == null) {
            List<String> names = nodes.stream().map(Node::name).toList();
            throw new IllegalArgumentException("network " + Names.quote(name) + " has no variable " + Names.quote(node)
                    + Names.didYouMean(node, names) + ", variables: " + Names.list(names));
        }
        return at;
    }

    /** Returns the positions of the parents of a node, in the order of its table, a fresh array. */
    public int[] parents(int i) {
        return parents[i].clone();
    }

    /** Returns K_i, the number of states of a node. */
    public int cardinality(int i) {
        return nodes.get(i).cardinality();
    }

    /** {@return the number of states of every node, [size()], a fresh array} */
    public int[] cardinalities() {
        return nodes.stream().mapToInt(Node::cardinality).toArray();
    }

    /** {@return positions of all nodes, parents before children, a fresh array} */
    int[] topologicalOrder() {
        return order.clone();
    }

    /** {@return the number of arcs} */
    public int arcs() {
        return Arrays.stream(parents).mapToInt(p -> p.length).sum();
    }

    /** {@return the number of free parameters: rows times (states - 1), over all nodes} */
    public long parameters() {
        return nodes.stream().mapToLong(node -> (long) node.rows() * (node.cardinality() - 1)).sum();
    }

    /** Returns the row of a node's table that a configuration selects; only the parents' states are read. */
    public int row(int i, int[] states) {
        int row = 0;
        for (int parent : parents[i]) {
            row = row * cardinality(parent) + states[parent];
        }
        return row;
    }

    /**
     * Returns log p(x) = sum_i log p(x_i | x_parents(i)) of a configuration [size()], in nats; -infinity if
     * impossible, an IllegalArgumentException if the length or a state is out of range.
     */
    public double logJoint(int[] states) {
        requireConfiguration(states);
        double sum = 0;
        for (int i = 0; i < states.length; i++) {
            sum += Math.log(nodes.get(i).probability(row(i, states), states[i]));
        }
        return sum;
    }

    private void requireConfiguration(int[] states) {
        if (states.length != size()) {
            throw new IllegalArgumentException("states has length " + states.length + ", expected " + size()
                    + ", one state per node");
        }
        for (int i = 0; i < states.length; i++) {
            if (states[i] < 0 || states[i] >= cardinality(i)) {
                throw new IllegalArgumentException("states[" + i + "] is " + states[i] + ", expected 0 to "
                        + (cardinality(i) - 1) + " for " + Names.quote(nodes.get(i).name()));
            }
        }
    }

    /** Draws a configuration [size()] from p(x), parents first, with one uniform number per node. */
    public int[] sample(RandomGenerator random) {
        int[] states = new int[size()];
        for (int i : order) {
            states[i] = nodes.get(i).drawn(row(i, states), random.nextDouble());
        }
        return states;
    }

    /** Equal when the name and all nodes, in order, are equal. */
    @Override
    public boolean equals(Object other) {
        return other instanceof BayesianNetwork network && name.equals(network.name) && nodes.equals(network.nodes);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + nodes.hashCode();
    }

    /** For example {@code asia: 8 nodes, 8 arcs, 18 parameters, states 2x8}. */
    @Override
    public String toString() {
        String states = nodes.stream()
                .collect(Collectors.groupingBy(Node::cardinality, TreeMap::new, Collectors.counting()))
                .entrySet().stream().map(e -> e.getKey() + "x" + e.getValue()).collect(Collectors.joining(", "));
        return name + ": " + size() + " nodes, " + arcs() + " arcs, " + parameters() + " parameters, states " + states;
    }
}
