package io.mdnf.bn;

import io.mdnf.bn.BifLexer.Mark;
import io.mdnf.bn.BifToken.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Recursive descent over BIF, one method per production. The grammar does not nest, so neither does the stack.
 *
 * <p>Two passes: the first reads the variables and notes where the probability blocks start, the second reads those,
 * since a block may come before the variables it names.
 */
final class BifParser {

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,400}(\\.[0-9]{0,400})?([eE][-+]?[0-9]{1,9})?"
            + "|\\.[0-9]{1,400}([eE][-+]?[0-9]{1,9})?");

    private static final int MOST_VARIABLES = 100_000;
    private static final int MOST_STATES = 1_000_000;

    private final BifLexer lexer;
    private final Map<String, Declared> variables = new LinkedHashMap<>();
    private String name;
    private long entries;
    private int states;

    /** A variable while its file is being read. */
    private static final class Declared {
        final BifToken name;
        final Map<String, Integer> states = new LinkedHashMap<>();
        BifToken header;
        List<Declared> parents = List.of();
        double[] table;
        int position;

        Declared(BifToken name) {
            this.name = name;
        }

        String shown() {
            return Names.quote(name.text());
        }
    }

    BifParser(BifLexer lexer) {
        this.lexer = lexer;
    }

    BayesianNetwork network() {
        List<Mark> probabilities = new ArrayList<>();
        while (true) {
            Mark mark = lexer.mark();
            BifToken token = lexer.next();
            if (token.kind() == Kind.END && variables.isEmpty()) {
                throw found(token, "at least one 'variable'"); // an empty file is rather a failed download
            } else if (token.kind() == Kind.END) {
                break;
            } else if (token.is("network")) {
                networkBlock(token);
            } else if (token.is("variable")) {
                variableBlock();
            } else if (token.is("probability")) {
                probabilities.add(mark);
                skipProbabilityBlock();
            } else {
                throw found(token, "'network', 'variable', 'probability' or the end of the file");
            }
        }
        for (Mark mark : probabilities) {
            lexer.reset(mark);
            probabilityBlock(lexer.next());
        }
        return build();
    }

    private BayesianNetwork build() {
        List<Declared> declared = List.copyOf(variables.values());
        int[][] parents = new int[declared.size()][];
        for (int i = 0; i < parents.length; i++) {
            Declared variable = declared.get(i);
            if (variable.table == null) {
                throw lexer.wrong(variable.name, "found variable " + variable.shown()
                        + " without probabilities, expected a block 'probability' for it");
            }
            parents[i] = variable.parents.stream().mapToInt(parent -> parent.position).toArray();
        }
        Ancestry.cycle(parents).ifPresent(cycle -> {
            List<String> names = cycle.stream().map(i -> declared.get(i).name.text()).toList();
            throw lexer.wrong(declared.get(cycle.get(0)).header, "found a cycle of parents: " + Names.list(names)
                    + " and back, expected none");
        });
        List<Node> nodes = new ArrayList<>();
        for (Declared variable : declared) {
            nodes.add(Node.of(variable.name.text(), List.copyOf(variable.states.keySet()),
                    variable.parents.stream().map(parent -> parent.name.text()).toList(), variable.table));
            variable.table = null;
        }
        return BayesianNetwork.of(name == null ? "unknown" : name, nodes);
    }

    private void networkBlock(BifToken keyword) {
        if (name != null) {
            throw lexer.wrong(keyword, "found a second 'network' block, expected one");
        }
        name = lexer.peek().is("{") ? "unknown" : name("the name of the network or '{'").text();
        expect("{");
        for (BifToken token = lexer.next(); !token.is("}"); token = lexer.next()) {
            if (!token.is("property")) {
                throw found(token, "'property' or '}'");
            }
            lexer.skipProperty(token);
        }
    }

    private void variableBlock() {
        Declared variable = new Declared(name("the name of a variable"));
        variable.position = variables.size();
        if (variables.putIfAbsent(variable.name.text(), variable) != null) {
            throw lexer.wrong(variable.name, "found a second variable " + variable.shown()
                    + ", expected every variable once");
        }
        if (variables.size() > MOST_VARIABLES) {
            throw lexer.wrong(variable.name, "found more than " + MOST_VARIABLES + " variables, expected at most that");
        }
        expect("{");
        BifToken token = lexer.next();
        for (; !token.is("}"); token = lexer.next()) {
            if (token.is("property")) {
                lexer.skipProperty(token);
            } else if (token.is("type")) {
                type(token, variable);
            } else {
                throw found(token, "'type', 'property' or '}'");
            }
        }
        if (variable.states.isEmpty()) {
            throw lexer.wrong(token, "found the end of variable " + variable.shown() + ", expected its 'type'");
        }
    }

    private void type(BifToken keyword, Declared variable) {
        if (!variable.states.isEmpty()) {
            throw lexer.wrong(keyword, "found a second 'type' of variable " + variable.shown() + ", expected one");
        }
        expect("discrete");
        expect("[");
        BifToken count = lexer.next();
        if (count.kind() != Kind.WORD || !count.text().matches("0{0,9}[1-9][0-9]{0,8}")) {
            throw found(count, "the number of states, at least 1");
        }
        int declared = Integer.parseInt(count.text());
        if (declared > MOST_STATES - states) {
            throw lexer.wrong(count, "found " + declared + " states of " + variable.shown() + ", expected at most "
                    + MOST_STATES + " states in a network");
        }
        states += declared;
        expect("]");
        expect("{");
        for (BifToken state : names("}", "a state of " + variable.shown())) {
            if (variable.states.putIfAbsent(state.text(), variable.states.size()) != null) {
                throw lexer.wrong(state, "found state " + state.shown() + " of " + variable.shown()
                        + " twice, expected different states");
            }
        }
        if (variable.states.size() != declared) {
            throw lexer.wrong(count, "found " + variable.states.size() + " states of " + variable.shown()
                    + ", expected " + declared + " as declared in [ " + declared + " ]");
        }
        expect(";");
    }

    /** Leaves all complaints to the second pass, except that the lexer may not understand the text. */
    private void skipProbabilityBlock() {
        BifToken token = lexer.next();
        boolean statement = false;
        while (token.kind() != Kind.END && !token.is("}")) {
            if (statement && token.is("property")) {
                lexer.skipProperty(token);
            } else {
                statement = token.is("{") || token.is(";");
            }
            token = lexer.next();
        }
    }

    private void probabilityBlock(BifToken keyword) {
        expect("(");
        Declared child = declared(name("the variable of this distribution"));
        if (child.header != null) {
            throw lexer.wrong(keyword, "found a second distribution of " + child.shown() + ", first at line "
                    + child.header.line() + ", expected one");
        }
        child.header = keyword;
        child.parents = parents(child);
        int rows = rows(keyword, child);
        expect("{");
        new Distribution(child, rows).read();
    }

    private List<Declared> parents(Declared child) {
        if (lexer.peek().is("|") || lexer.peek().is(",")) {
            lexer.next();
        } else if (lexer.peek().is(")")) {
            lexer.next();
            return List.of();
        }
        List<Declared> parents = new ArrayList<>();
        Map<String, Declared> seen = new HashMap<>();
        for (BifToken token : names(")", "a parent of " + child.shown())) {
            Declared parent = declared(token);
            if (parent == child) {
                throw lexer.wrong(token, "found " + token.shown() + " as its own parent, expected another variable");
            }
            if (seen.put(token.text(), parent) != null) {
                throw lexer.wrong(token, "found parent " + token.shown() + " twice, expected different parents");
            }
            parents.add(parent);
        }
        return parents;
    }

    /** Rows of the table, refused before anything of that size is allocated. */
    private int rows(BifToken keyword, Declared child) {
        long rows = 1;
        for (Declared parent : child.parents) {
            rows *= parent.states.size();
            if (rows > BifReader.MOST_ENTRIES) {
                break;
            }
        }
        entries += rows * child.states.size();
        if (entries > BifReader.MOST_ENTRIES) {
            throw lexer.wrong(keyword, "found " + child.shown() + " with " + child.states.size() + " states and "
                    + child.parents.size() + " parents, which takes the tables of this network to " + entries
                    + " numbers or more, expected at most " + BifReader.MOST_ENTRIES);
        }
        return (int) rows;
    }

    /** The statements of one probability block. */
    private final class Distribution {

        private final Declared child;
        private final int rows;
        private final int states;
        private final double[] table;
        private final BitSet given = new BitSet();
        private double[] otherwise;
        private BifToken whole;

        Distribution(Declared child, int rows) {
            this.child = child;
            this.rows = rows;
            this.states = child.states.size();
            this.table = new double[rows * states];
        }

        void read() {
            BifToken token = lexer.next();
            for (; !token.is("}"); token = lexer.next()) {
                if (token.is("property")) {
                    lexer.skipProperty(token);
                } else if (token.is("table")) {
                    wholeTable(token);
                } else if (token.is("default")) {
                    defaultRow(token);
                } else if (token.is("(")) {
                    row(token);
                } else {
                    throw found(token, "'table', 'default', '(', 'property' or '}'");
                }
            }
            fillMissing();
            child.table = table;
        }

        private void wholeTable(BifToken keyword) {
            refuseBeside(keyword, otherwise != null || !given.isEmpty());
            whole = keyword;
            double[] numbers = numbers(table.length, "one per state of " + child.shown()
                    + (rows > 1 ? " and configuration of its parents" : ""));
            double[] childSlowest = new double[table.length];
            for (int row = 0; row < rows; row++) {
                for (int state = 0; state < states; state++) {
                    childSlowest[row * states + state] = numbers[state * rows + row];
                }
            }
            Optional<Integer> broken = firstBrokenRow(childSlowest);
            boolean childFastest = broken.isPresent() && firstBrokenRow(numbers).isEmpty();
            if (broken.isPresent() && !childFastest) {
                requireSum(keyword, broken.get(), childSlowest, broken.get() * states);
            }
            System.arraycopy(childFastest ? numbers : childSlowest, 0, table, 0, table.length);
            given.set(0, rows);
        }

        private Optional<Integer> firstBrokenRow(double[] numbers) {
            for (int row = 0; row < rows; row++) {
                if (!sumsToOne(Node.sum(numbers, row * states, states))) {
                    return Optional.of(row);
                }
            }
            return Optional.empty();
        }

        private void defaultRow(BifToken keyword) {
            refuseBeside(keyword, otherwise != null);
            otherwise = numbers(states, "one per state of " + child.shown());
            double sum = Node.sum(otherwise, 0, states);
            if (!sumsToOne(sum)) {
                throw lexer.wrong(keyword, "found the default row of " + child.shown() + ", which sums to " + sum
                        + ", expected 1 within " + Node.ROW_TOLERANCE);
            }
        }

        private void row(BifToken open) {
            refuseBeside(open, false);
            List<BifToken> named = names(")", "the state of a parent of " + child.shown());
            if (named.size() != child.parents.size()) {
                throw lexer.wrong(open, "found " + named.size() + " parent states, expected " + child.parents.size()
                        + ", one for each of " + Names.list(child.parents.stream().map(p -> p.name.text()).toList()));
            }
            int row = 0;
            for (int p = 0; p < named.size(); p++) {
                Declared parent = child.parents.get(p);
                Integer state = parent.states.get(named.get(p).text());
                if (state == null) {
                    throw lexer.wrong(named.get(p), "found " + named.get(p).shown()
                            + Names.didYouMean(named.get(p).text(), parent.states.keySet())
                            + ", expected a state of " + parent.shown() + ": " + Names.list(parent.states.keySet()));
                }
                row = row * parent.states.size() + state;
            }
            if (given.get(row)) {
                throw lexer.wrong(open, "found row " + rowName(row) + " of " + child.shown()
                        + " twice, expected every row once");
            }
            given.set(row);
            double[] numbers = numbers(states, "one per state of " + child.shown());
            requireSum(open, row, numbers, 0);
            System.arraycopy(numbers, 0, table, row * states, states);
        }

        private void fillMissing() {
            int missing = given.nextClearBit(0);
            if (missing < rows && otherwise == null) {
                throw lexer.wrong(child.header, "found no row " + rowName(missing) + " of " + child.shown() + " ("
                        + (rows - given.cardinality()) + " of " + rows
                        + " rows are missing), expected every row or a 'default'");
            }
            for (int row = missing; row < rows; row = given.nextClearBit(row + 1)) {
                System.arraycopy(otherwise, 0, table, row * states, states);
            }
        }

        private void refuseBeside(BifToken statement, boolean clash) {
            if (whole != null || clash) {
                throw lexer.wrong(statement, "found " + statement.shown() + " beside "
                        + (whole != null ? "a 'table'" : otherwise != null ? "a 'default'" : "rows") + " of "
                        + child.shown() + ", expected each row to be given once");
            }
        }

        private void requireSum(BifToken where, int row, double[] numbers, int start) {
            double sum = Node.sum(numbers, start, states);
            if (!sumsToOne(sum)) {
                throw lexer.wrong(where, "found row " + rowName(row) + " of " + child.shown() + ", which sums to "
                        + sum + ", expected 1 within " + Node.ROW_TOLERANCE);
            }
        }

        private boolean sumsToOne(double sum) {
            return Math.abs(sum - 1) <= Node.ROW_TOLERANCE;
        }

        /** The parents' states, as in the file: {@code (young, M)}. */
        private String rowName(int row) {
            List<String> names = new ArrayList<>();
            int left = row;
            for (int p = child.parents.size() - 1; p >= 0; p--) {
                List<String> parentStates = List.copyOf(child.parents.get(p).states.keySet());
                names.add(0, parentStates.get(left % parentStates.size()));
                left /= parentStates.size();
            }
            return "(" + Names.list(names).replace("'", "") + ")";
        }
    }

    /** Exactly so many probabilities, then a semicolon. */
    private double[] numbers(int count, String each) {
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            BifToken token = lexer.next();
            if (i > 0 && token.is(",")) {
                token = lexer.next();
            }
            if (token.is(";") || token.is("}")) {
                throw lexer.wrong(token, "found " + token.shown() + " after " + i + " probabilities, expected " + count
                        + ", " + each);
            }
            if (token.kind() != Kind.WORD || !NUMBER.matcher(token.text()).matches()) {
                throw found(token, "a probability such as 0.25 or 1e-3");
            }
            numbers[i] = Double.parseDouble(token.text());
        }
        BifToken end = lexer.next();
        if (!end.is(";")) {
            throw found(end, "';' after " + count + " probabilities, " + each);
        }
        return numbers;
    }

    /** One or more names up to the closing mark, separated by blanks or one comma each. */
    private List<BifToken> names(String close, String what) {
        List<BifToken> names = new ArrayList<>();
        names.add(name(what));
        for (BifToken token = lexer.next(); !token.is(close); token = lexer.next()) {
            if (token.is(",")) {
                token = lexer.next();
            }
            if (!token.isName()) {
                throw found(token, what + " or '" + close + "'");
            }
            if (names.size() == MOST_STATES) {
                throw lexer.wrong(token, "found more than " + MOST_STATES + " names in a list, expected at most that");
            }
            names.add(token);
        }
        return names;
    }

    private BifToken name(String what) {
        BifToken token = lexer.next();
        if (!token.isName()) {
            throw found(token, what);
        }
        return token;
    }

    private Declared declared(BifToken token) {
        Declared variable = variables.get(token.text());
        if (variable == null) {
            throw lexer.wrong(token, "found unknown variable " + token.shown()
                    + Names.didYouMean(token.text(), variables.keySet()) + ", expected a declared variable");
        }
        return variable;
    }

    private void expect(String expected) {
        BifToken token = lexer.next();
        if (!token.is(expected)) {
            throw found(token, "'" + expected + "'");
        }
    }

    private BifException found(BifToken token, String expected) {
        return lexer.wrong(token, "found " + token.shown() + ", expected " + expected);
    }
}
