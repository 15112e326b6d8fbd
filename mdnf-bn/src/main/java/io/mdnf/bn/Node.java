package io.mdnf.bn;

import io.mdnf.random.Draws;
import io.mdnf.space.Check;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One variable of a Bayesian network: its name, its states, its parents and p(variable | parents).
 *
 * <p>The conditional probability table is a flat array of {@code rows * K} numbers, K the number of states. Rows are
 * parent configurations in row-major order with the last parent fastest; columns are the states of this variable:
 * <pre>{@code table[((s_1 * K_2 + s_2) * K_3 + s_3) * K + state]   for parents 1, 2, 3 in states s_1, s_2, s_3 }</pre>
 *
 * <p>Each row must sum to 1 within {@value #ROW_TOLERANCE} and is then divided by its sum. A row already normalised to
 * rounding is left alone, so normalising twice gives the same bits: that is what makes write-then-read exact.
 *
 * <p>That parents exist, and that the number of rows fits their states, is checked by {@link BayesianNetwork#of}.
 *
 * @param name not empty, without control characters
 * @param states at least one, all different
 * @param parents names of the parents in the order of the table, all different, maybe none
 * @param table the table in the layout above; copied
 */
public record Node(String name, List<String> states, List<String> parents, double[] table) {

    /** How far from 1 a row may sum before it is refused. */
    public static final double ROW_TOLERANCE = 1e-6;

    /** Checks everything and normalises the rows; what is wrong is named. */
    public Node {
        requireName("node name", name);
        states.forEach(state -> requireName("state of node " + Names.quote(name), state));
        Check.that(!states.isEmpty(), "node " + Names.quote(name) + " has no states, expected at least one");
        index("parent of node " + Names.quote(name), parents);
        Check.that(table.length != 0 && table.length % states.size() == 0, "table of node " + Names.quote(name)
                + " has " + table.length + " entries, expected a positive multiple of its " + states.size()
                + " states");
        index("state of node " + Names.quote(name), states);
        states = List.copyOf(states);
        parents = List.copyOf(parents);
        table = table.clone();
        for (int start = 0; start < table.length; start += states.size()) {
            normaliseRow(name, table, start, states.size());
        }
    }

    private static void requireName(String what, String name) {
        Check.that(!name.isEmpty() && name.chars().noneMatch(Character::isISOControl), what + " is " + Names.quote(name)
                + ", expected at least one character and no control characters");
    }

    static Map<String, Integer> index(String what, List<String> names) {
        Map<String, Integer> index = new HashMap<>();
        for (String name : names) {
            if (index.put(name, index.size()) != null) {
                throw new IllegalArgumentException(what + " appears twice: " + Names.quote(name));
            }
        }
        return index;
    }

    /** Sum of one row, in index order: the reader and the normaliser must agree to the last bit. */
    static double sum(double[] table, int start, int length) {
        double sum = 0;
        for (int i = start; i < start + length; i++) {
            sum += table[i];
        }
        return sum;
    }

    private static void normaliseRow(String name, double[] table, int start, int length) {
        for (int i = start; i < start + length; i++) {
            if (!(table[i] >= 0)) {
                throw new IllegalArgumentException("table of node " + Names.quote(name) + " has entry " + table[i]
                        + " at index " + i + ", expected a probability");
            }
            table[i] += 0.0; // turns -0.0 into 0.0, so that equal tables have equal bits
        }
        double sum = sum(table, start, length);
        Check.that(Math.abs(sum - 1) <= ROW_TOLERANCE, "row " + start / length + " of node " + Names.quote(name)
                + " sums to " + sum + ", expected 1 within " + ROW_TOLERANCE);
        // Dividing leaves an error below 1.5 n 2^-52; a wider band than that makes the operation idempotent.
        if (Math.abs(sum - 1) > length * 0x1p-51) {
            for (int i = start; i < start + length; i++) {
                table[i] /= sum;
            }
        }
    }

    /** {@return K, the number of states} */
    public int cardinality() {
        return states.size();
    }

    /** {@return the number of rows of the table: the product of the parents' numbers of states} */
    public int rows() {
        return table.length / states.size();
    }

    @Override
    public double[] table() {
        return table.clone();
    }

    /** Returns p(state | row), row being a parent configuration from 0 to rows() - 1. */
    public double probability(int row, int state) {
        return table[row * states.size() + state];
    }

    int drawn(int row, double uniform) {
        return Draws.category(uniform, table, row * states.size(), states.size());
    }

    /**
     * Returns the index of a state by name; an IllegalArgumentException has the nearest and the allowed if there is
     * none.
     */
    public int indexOf(String state) {
        int index = states.indexOf(state);
        if (index < 0) {
            throw new IllegalArgumentException("variable " + Names.quote(name) + " has no state " + Names.quote(state)
                    + Names.didYouMean(state, states) + ", allowed states: " + Names.list(states));
        }
        return index;
    }

    /** Two nodes are equal when names, states, parents and every bit of the table are. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Node node && name.equals(node.name) && states.equals(node.states)
                && parents.equals(node.parents) && Arrays.equals(table, node.table);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(new Object[] {name, states, parents, Arrays.hashCode(table)});
    }

    /** For example {@code lung{yes, no} | smoke}. */
    @Override
    public String toString() {
        String given = parents.isEmpty() ? "" : " | " + String.join(", ", parents);
        return name + "{" + String.join(", ", states) + "}" + given;
    }
}
