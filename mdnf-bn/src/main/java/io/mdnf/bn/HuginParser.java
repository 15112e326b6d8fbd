package io.mdnf.bn;

import io.mdnf.bn.NetworkText.Kind;
import io.mdnf.bn.NetworkText.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads networks in Hugin's language (.net).
 *
 * <ul>
 * <li>Blocks {@code net {..}}, {@code [discrete] node A {..}} and {@code potential (A | B C) {..}}, the potentials in
 *     any order, perhaps all in one {@code class Name {..}}; {@code %} comments to the end of the line. Of a block's
 *     attributes, {@code name = value;}, the network's {@code name}, a node's {@code states} and a potential's
 *     {@code data} count; others, strings over several lines among them, are skipped.</li>
 * <li>Names are words or in double quotes; states may be either.</li>
 * <li>{@code data = ((0.1 0.9) (0.2 0.8));} with parentheses for every parent, or one pair around all numbers; the last
 *     parent fastest but for the child. A potential without data has equal probabilities.</li>
 * </ul>
 * Continuous nodes, decisions, utilities, functions, instances and tables given by expressions are refused.
 */
final class HuginParser {

    private final NetworkText text;
    private final NetworkLexer lexer;
    private final NetworkDraft draft;
    private String name;
    private Token inClass;

    HuginParser(NetworkText text) {
        this.text = text;
        this.lexer = new NetworkLexer(text, NetworkLexer.Dialect.HUGIN);
        this.draft = new NetworkDraft(text, "a 'potential'");
    }

    BayesianNetwork network() {
        List<Token> potentials = new ArrayList<>();
        Token token = lexer.next();
        for (; token.kind() != Kind.END; token = lexer.next()) {
            if (token.is("potential")) {
                potentials.add(token);
                skipBlock(token);
            } else {
                block(token);
            }
        }
        text.require(inClass == null, token, "found the end of the file, expected '}' of the class");
        text.require(!draft.isEmpty(), token, "found the end of the file, expected at least one 'node'");
        for (Token potential : potentials) {
            lexer.back(potential);
            potential(lexer.next());
        }
        return draft.build(name == null ? NetworkDraft.UNNAMED : name);
    }

    private void block(Token token) {
        if (token.is("node")) {
            node();
        } else if (token.is("discrete")) {
            lexer.expect("node");
            node();
        } else if (token.is("net") && lexer.peek().is("{")) {
            lexer.expect("{");
            for (Token each = lexer.next(); !each.is("}"); each = lexer.next()) {
                attribute(each);
            }
        } else if (token.is("class") && inClass == null) {
            inClass = token;
            name = lexer.name("the name of the class").text();
            lexer.expect("{");
        } else if (token.is("}") && inClass != null) {
            inClass = null;
        } else if (token.kind() == Kind.WORD && inClass != null && lexer.peek().is("=")) {
            attribute(token);
        } else {
            throw text.found(token, "'net', 'node', 'potential' or the end of the file; only discrete chance nodes "
                    + "make a network");
        }
    }

    /** An attribute of the network; what its name is counts where it is one. */
    private void attribute(Token attribute) {
        text.require(attribute.kind() == Kind.WORD, attribute, "found " + attribute.shown()
                + ", expected an attribute or '}'");
        lexer.expect("=");
        String value = lexer.skipAttribute(attribute).strip();
        boolean quoted = value.length() > 2 && value.startsWith("\"")
                && Names.closingQuote(value, 0) == value.length() - 1;
        if (attribute.is("name") && quoted && value.chars().noneMatch(Character::isISOControl)) {
            name = Names.unescaped(value.substring(1, value.length() - 1));
        }
    }

    private void node() {
        NetworkDraft.Variable variable = draft.declare(lexer.name("the name of a node"));
        lexer.expect("{");
        Token token = lexer.next();
        for (; !token.is("}"); token = lexer.next()) {
            text.require(token.kind() == Kind.WORD, token, "found " + token.shown() + ", expected an attribute or '}'");
            lexer.expect("=");
            if (!token.is("states")) {
                lexer.skipAttribute(token);
                continue;
            }
            text.require(variable.states.isEmpty(), token, "found a second 'states' of node " + variable.shown()
                    + ", expected one");
            lexer.expect("(");
            lexer.names(")", "a state of " + variable.shown()).forEach(state -> draft.addState(variable, state));
            lexer.expect(";");
        }
        text.require(!variable.states.isEmpty(), token, "found the end of node " + variable.shown()
                + ", expected its 'states'");
    }

    /** Leaves all complaints to the second pass, except that the lexer may not understand the text. */
    private void skipBlock(Token keyword) {
        Token token = lexer.next();
        Token before = token;
        while (!token.is("}")) {
            text.require(token.kind() != Kind.END, keyword, "found a potential without an end, expected '}'");
            if (token.is("=") && !before.is("data")) {
                lexer.skipAttribute(before);
            }
            before = token;
            token = lexer.next();
        }
    }

    private void potential(Token keyword) {
        lexer.expect("(");
        NetworkDraft.Variable child = draft.distribution(keyword, lexer.name("the variable of this potential"));
        Token bar = lexer.next();
        if (bar.is("|") && lexer.peek().is(")")) {
            lexer.next();
        } else if (bar.is("|")) {
            lexer.names(")", "a parent of " + child.shown()).forEach(parent -> draft.addParent(child, parent));
        } else if (!bar.is(")")) {
            throw text.found(bar, "'|' or ')'");
        }
        double[] table = new double[draft.rows(child) * child.states.size()];
        lexer.expect("{");
        boolean given = false;
        for (Token token = lexer.next(); !token.is("}"); token = lexer.next()) {
            if (token.is("model_nodes") || token.is("model_data")) {
                throw text.found(token, "'data': a table of numbers, no expression");
            }
            text.require(token.kind() == Kind.WORD, token, "found " + token.shown() + ", expected an attribute or '}'");
            lexer.expect("=");
            if (token.is("data")) {
                text.require(!given, token, "found a second 'data' of " + child.shown() + ", expected one");
                given = true;
                data(child, table);
            } else {
                lexer.skipAttribute(token);
            }
        }
        if (!given) {
            Arrays.fill(table, 1.0 / child.states.size());
        }
        draft.table(child, table);
    }

    /** All numbers in one pair of parentheses, or nested: one level for each parent and one for the child. */
    private void data(NetworkDraft.Variable child, double[] table) {
        int levels = child.parents.size() + 1;
        int[] inside = new int[levels];
        inside[levels - 1] = child.states.size();
        for (int level = levels - 2; level >= 0; level--) {
            inside[level] = inside[level + 1] * child.parents.get(level).states.size();
        }
        int[] begun = new int[levels];
        int states = child.states.size();
        int count = 0;
        int leaf = 0;
        int depth = 0;
        Token row = null;
        do {
            Token token = lexer.next();
            if (token.is("(") && depth < levels && (leaf == 0 || depth < leaf)) {
                begun[depth++] = count;
            } else if (token.is(")") && depth > 0) {
                depth--;
                text.require(count - begun[depth] == inside[depth], token, "found ')' after " + (count - begun[depth])
                        + " probabilities, expected " + inside[depth] + " in these parentheses");
            } else {
                leaf = leaf == 0 ? depth : leaf;
                boolean misplaced = token.is("(") || depth == 0 || depth != leaf || depth > 1 && depth < levels;
                if (misplaced || count == table.length) {
                    throw text.found(token, count == table.length ? "')' after " + count + " probabilities"
                            : "parentheses for each of the parents of " + child.shown()
                            + ", or one pair around all numbers");
                }
                row = count % states == 0 ? token : row;
                table[count++] = text.number(token);
                if (count % states == 0) {
                    draft.requireSum(row, child, count / states - 1, table, count - states);
                }
            }
        } while (depth > 0);
        lexer.expect(";");
    }
}
