package io.mdnf.bn;

import io.mdnf.bn.BifLexer.Kind;
import io.mdnf.bn.BifLexer.Token;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Recursive descent over BIF, one method per production. The grammar does not nest, so neither does the stack.
 *
 * <p>Two passes: the first reads the variables and notes where the probability blocks start, the second reads those,
 * since a block may come before the variables it names.
 */
final class BifParser {

    /** What files call a network that has no name. */
    static final String UNNAMED = "unknown";

    private static final int MOST_VARIABLES = 100_000;
    private static final int MOST_STATES = 1_000_000;

    private final BifLexer lexer;
    private final Map<String, Declared> variables = new LinkedHashMap<>();
    private String name;
    private long entries;
    private int states;

    /** A variable while its file is being read. */
    static final class Declared {
        final Token name;
        final Map<String, Integer> states = new LinkedHashMap<>();
        Token header;
        List<Declared> parents = List.of();
        double[] table;
        int position;

        Declared(Token name) {
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
        List<Token> probabilities = new ArrayList<>();
        while (true) {
            Token token = lexer.next();
            if (token.kind() == Kind.END && variables.isEmpty()) {
                throw lexer.found(token, "at least one 'variable'"); // an empty file is rather a failed download
            } else if (token.kind() == Kind.END) {
                break;
            } else if (token.is("network")) {
                networkBlock(token);
            } else if (token.is("variable")) {
                variableBlock();
            } else if (token.is("probability")) {
                probabilities.add(token);
                skipProbabilityBlock();
            } else {
                throw lexer.found(token, "'network', 'variable', 'probability' or the end of the file");
            }
        }
        for (Token keyword : probabilities) {
            lexer.back(keyword);
            probabilityBlock(lexer.next());
        }
        return build();
    }

    private BayesianNetwork build() {
        List<Declared> declared = List.copyOf(variables.values());
        int[][] parents = new int[declared.size()][];
        for (int i = 0; i < parents.length; i++) {
            Declared variable = declared.get(i);
            lexer.require(variable.table != null, variable.name, "found variable " + variable.shown()
                    + " without probabilities, expected a block 'probability' for it");
            parents[i] = variable.parents.stream().mapToInt(parent -> parent.position).toArray();
        }
        Ancestry.cycle(parents).ifPresent(cycle -> {
            List<String> names = cycle.stream().map(i -> declared.get(i).name.text()).toList();
            throw lexer.wrong(declared.get(cycle.get(0)).header, "found a cycle of parents: " + Names.list(names)
                    + " and back, expected none");
        });
        List<Node> nodes = new ArrayList<>();
        for (Declared variable : declared) {
            nodes.add(new Node(variable.name.text(), List.copyOf(variable.states.keySet()),
                    variable.parents.stream().map(parent -> parent.name.text()).toList(), variable.table));
            variable.table = null;
        }
        return BayesianNetwork.of(name == null ? UNNAMED : name, nodes);
    }

    private void networkBlock(Token keyword) {
        lexer.require(name == null, keyword, "found a second 'network' block, expected one");
        name = lexer.peek().is("{") ? UNNAMED : lexer.name("the name of the network or '{'").text();
        lexer.expect("{");
        for (Token token = lexer.next(); !token.is("}"); token = lexer.next()) {
            if (!token.is("property")) {
                throw lexer.found(token, "'property' or '}'");
            }
            lexer.skipProperty(token);
        }
    }

    private void variableBlock() {
        Declared variable = new Declared(lexer.name("the name of a variable"));
        variable.position = variables.size();
        lexer.require(variables.putIfAbsent(variable.name.text(), variable) == null, variable.name,
                "found a second variable " + variable.shown() + ", expected every variable once");
        lexer.require(variables.size() <= MOST_VARIABLES, variable.name, "found more than " + MOST_VARIABLES
                + " variables, expected at most that");
        lexer.expect("{");
        Token token = lexer.next();
        for (; !token.is("}"); token = lexer.next()) {
            if (token.is("property")) {
                lexer.skipProperty(token);
            } else if (token.is("type")) {
                type(token, variable);
            } else {
                throw lexer.found(token, "'type', 'property' or '}'");
            }
        }
        lexer.require(!variable.states.isEmpty(), token, "found the end of variable " + variable.shown()
                + ", expected its 'type'");
    }

    private void type(Token keyword, Declared variable) {
        lexer.require(variable.states.isEmpty(), keyword, "found a second 'type' of variable " + variable.shown()
                + ", expected one");
        lexer.expect("discrete");
        lexer.expect("[");
        Token count = lexer.next();
        if (count.kind() != Kind.WORD || !count.text().matches("0{0,9}[1-9][0-9]{0,8}")) {
            throw lexer.found(count, "the number of states, at least 1");
        }
        int declared = Integer.parseInt(count.text());
        lexer.require(declared <= MOST_STATES - states, count, "found " + declared + " states of " + variable.shown()
                + ", expected at most " + MOST_STATES + " states in a network");
        states += declared;
        lexer.expect("]");
        lexer.expect("{");
        for (Token state : lexer.names("}", "a state of " + variable.shown())) {
            lexer.require(variable.states.putIfAbsent(state.text(), variable.states.size()) == null, state,
                    "found state " + state.shown() + " of " + variable.shown() + " twice, expected different states");
        }
        lexer.require(variable.states.size() == declared, count, "found " + variable.states.size() + " states of "
                + variable.shown() + ", expected " + declared + " as declared in [ " + declared + " ]");
        lexer.expect(";");
    }

    /** Leaves all complaints to the second pass, except that the lexer may not understand the text. */
    private void skipProbabilityBlock() {
        Token token = lexer.next();
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

    private void probabilityBlock(Token keyword) {
        lexer.expect("(");
        Declared child = declared(lexer.name("the variable of this distribution"));
        if (child.header != null) {
            throw lexer.wrong(keyword, "found a second distribution of " + child.shown() + ", first at line "
                    + lexer.line(child.header.at()) + ", expected one");
        }
        child.header = keyword;
        child.parents = parents(child);
        int rows = rows(keyword, child);
        lexer.expect("{");
        new BifTable(lexer, child, rows).read();
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
        for (Token token : lexer.names(")", "a parent of " + child.shown())) {
            Declared parent = declared(token);
            lexer.require(parent != child, token, "found " + token.shown()
                    + " as its own parent, expected another variable");
            lexer.require(seen.put(token.text(), parent) == null, token, "found parent " + token.shown()
                    + " twice, expected different parents");
            parents.add(parent);
        }
        return parents;
    }

    /** Rows of the table, refused before anything of that size is allocated. */
    private int rows(Token keyword, Declared child) {
        long rows = 1;
        for (Declared parent : child.parents) {
            rows *= parent.states.size();
            if (rows > BifReader.MOST_ENTRIES) {
                break;
            }
        }
        entries += rows * child.states.size();
        lexer.require(entries <= BifReader.MOST_ENTRIES, keyword, "found " + child.shown() + " with "
                + child.states.size() + " states and " + child.parents.size()
                + " parents, which takes the tables of this network to " + entries
                + " numbers or more, expected at most " + BifReader.MOST_ENTRIES);
        return (int) rows;
    }

    private Declared declared(Token token) {
        Declared variable = variables.get(token.text());
        if (variable == null) {
            throw lexer.wrong(token, "found unknown variable " + token.shown()
                    + Names.didYouMean(token.text(), variables.keySet()) + ", expected a declared variable");
        }
        return variable;
    }
}
