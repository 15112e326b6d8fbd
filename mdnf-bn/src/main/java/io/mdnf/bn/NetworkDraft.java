package io.mdnf.bn;

import io.mdnf.bn.NetworkText.Token;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/** A network while its file is being read, in whatever format: what is wrong with it is named with its place. */
final class NetworkDraft {

    /** What files call a network that has no name. */
    static final String UNNAMED = "unknown";

    /** Most probabilities in all tables of a network together. */
    static final int MOST_ENTRIES = 10_000_000;

    private static final int MOST_VARIABLES = 100_000;
    private static final int MOST_STATES = 1_000_000;

    private final NetworkText text;
    private final String distribution;
    private final Map<String, Variable> variables = new LinkedHashMap<>();
    private long entries;
    private int states;

    /** A variable, its states in order, and what is known of its distribution. */
    static final class Variable {
        final Token name;
        final Map<String, Integer> states = new LinkedHashMap<>();
        Token header;
        final List<Variable> parents = new ArrayList<>();
        private final Set<Variable> different = new HashSet<>();
        private double[] table;
        private int position;

        Variable(Token name) {
            this.name = name;
        }

        String shown() {
            return Names.quote(name.text());
        }
    }

    /** A draft of a text whose format calls p(variable | parents) so. */
    NetworkDraft(NetworkText text, String distribution) {
        this.text = text;
        this.distribution = distribution;
    }

    boolean isEmpty() {
        return variables.isEmpty();
    }

    Variable declare(Token name) {
        requireName(name, "a variable");
        Variable variable = new Variable(name);
        variable.position = variables.size();
        text.require(variables.putIfAbsent(name.text(), variable) == null, name, "found a second variable "
                + variable.shown() + ", expected every variable once");
        text.require(variables.size() <= MOST_VARIABLES, name, "found more than " + MOST_VARIABLES
                + " variables, expected at most that");
        return variable;
    }

    void addState(Variable variable, Token state) {
        requireName(state, "a state of " + variable.shown());
        if (variable.states.putIfAbsent(state.text(), variable.states.size()) != null) {
            throw text.wrong(state, "found state " + state.shown() + " of " + variable.shown()
                    + " twice, expected different states");
        }
        if (++states > MOST_STATES) {
            throw text.wrong(state, "found more than " + MOST_STATES + " states in a network, expected at most that");
        }
    }

    private void requireName(Token name, String what) {
        if (name.text().isEmpty() || name.text().chars().anyMatch(Character::isISOControl)) {
            throw text.found(name, "the name of " + what + ", at least one character and no control characters");
        }
    }

    /** Begins p(child | ...), once for each child. */
    Variable distribution(Token where, Token child) {
        Variable variable = declared(child);
        if (variable.header != null) {
            throw text.wrong(where, "found a second distribution of " + variable.shown() + ", first at line "
                    + text.line(variable.header.at()) + ", expected one");
        }
        variable.header = where;
        return variable;
    }

    void addParent(Variable child, Token name) {
        Variable parent = declared(name);
        text.require(parent != child, name, "found " + name.shown() + " as its own parent, expected another variable");
        text.require(child.different.add(parent), name, "found parent " + name.shown()
                + " twice, expected different parents");
        child.parents.add(parent);
    }

    private Variable declared(Token name) {
        Variable variable = variables.get(name.text());
        if (variable == null) {
            throw text.wrong(name, "found unknown variable " + name.shown()
                    + Names.didYouMean(name.text(), variables.keySet()) + ", expected a declared variable");
        }
        return variable;
    }

    /** Rows of a table, refused before anything of that size is allocated. */
    int rows(Variable child) {
        long rows = 1;
        for (Variable parent : child.parents) {
            rows *= parent.states.size();
            if (rows > MOST_ENTRIES) {
                break;
            }
        }
        entries += rows * child.states.size();
        text.require(entries <= MOST_ENTRIES, child.header, "found " + child.shown() + " with "
                + child.states.size() + " states and " + child.parents.size()
                + " parents, which takes the tables of this network to " + entries
                + " numbers or more, expected at most " + MOST_ENTRIES);
        return (int) rows;
    }

    /** A whole table, [rows, K], of which every row was seen to sum to 1. */
    void table(Variable child, double[] table) {
        child.table = table;
    }

    static OptionalInt brokenRow(Variable child, double[] table) {
        int states = child.states.size();
        return IntStream.range(0, table.length / states)
                .filter(row -> !sumsToOne(Node.sum(table, row * states, states))).findFirst();
    }

    static boolean sumsToOne(double sum) {
        return Math.abs(sum - 1) <= Node.ROW_TOLERANCE;
    }

    void requireSum(Token where, Variable child, int row, double[] numbers, int start) {
        double sum = Node.sum(numbers, start, child.states.size());
        if (!sumsToOne(sum)) {
            throw text.wrong(where, "found row " + rowName(child, row) + " of " + child.shown() + ", which sums to "
                    + sum + ", expected 1 within " + Node.ROW_TOLERANCE);
        }
    }

    /** The parents' states, as in the file: {@code (young, M)}. */
    static String rowName(Variable child, int row) {
        List<String> names = new ArrayList<>();
        int left = row;
        for (int p = child.parents.size() - 1; p >= 0; p--) {
            List<String> parentStates = List.copyOf(child.parents.get(p).states.keySet());
            names.add(0, parentStates.get(left % parentStates.size()));
            left /= parentStates.size();
        }
        return "(" + Names.list(names).replace("'", "") + ")";
    }

    /** The network, once everything was read. */
    BayesianNetwork build(String name) {
        List<Variable> declared = List.copyOf(variables.values());
        int[][] parents = new int[declared.size()][];
        for (int i = 0; i < parents.length; i++) {
            Variable variable = declared.get(i);
            text.require(variable.table != null, variable.name, "found variable " + variable.shown()
                    + " without probabilities, expected " + distribution + " for it");
            parents[i] = variable.parents.stream().mapToInt(parent -> parent.position).toArray();
        }
        Ancestry.cycle(parents).ifPresent(cycle -> {
            List<String> names = cycle.stream().map(i -> declared.get(i).name.text()).toList();
            throw text.wrong(declared.get(cycle.get(0)).header, "found a cycle of parents: " + Names.list(names)
                    + " and back, expected none");
        });
        List<Node> nodes = new ArrayList<>();
        for (Variable variable : declared) {
            nodes.add(new Node(variable.name.text(), List.copyOf(variable.states.keySet()),
                    variable.parents.stream().map(parent -> parent.name.text()).toList(), variable.table));
            variable.table = null;
        }
        return BayesianNetwork.of(name, nodes);
    }
}
