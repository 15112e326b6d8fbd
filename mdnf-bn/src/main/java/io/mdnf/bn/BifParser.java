package io.mdnf.bn;

import io.mdnf.bn.NetworkText.Kind;
import io.mdnf.bn.NetworkText.Token;
import java.util.ArrayList;
import java.util.List;

/**
 * Recursive descent over BIF, as {@link NetworkFormat#BIF} describes it, one method per production. The grammar does
 * not nest, so neither does the stack.
 *
 * <p>Two passes: the first reads the variables and notes where the probability blocks start, the second reads those,
 * since a block may come before the variables it names.
 */
final class BifParser {

    private final NetworkText text;
    private final NetworkLexer lexer;
    private final NetworkDraft draft;
    private String name;

    BifParser(NetworkText text) {
        this.text = text;
        this.lexer = new NetworkLexer(text, NetworkLexer.Dialect.BIF);
        this.draft = new NetworkDraft(text, "a block 'probability'");
    }

    BayesianNetwork network() {
        List<Token> probabilities = new ArrayList<>();
        while (true) {
            Token token = lexer.next();
            if (token.kind() == Kind.END && draft.isEmpty()) {
                throw text.found(token, "at least one 'variable'"); // an empty file is rather a failed download
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
                throw text.found(token, "'network', 'variable', 'probability' or the end of the file");
            }
        }
        for (Token keyword : probabilities) {
            lexer.back(keyword);
            probabilityBlock(lexer.next());
        }
        return draft.build(name == null ? NetworkDraft.UNNAMED : name);
    }

    private void networkBlock(Token keyword) {
        text.require(name == null, keyword, "found a second 'network' block, expected one");
        name = lexer.peek().is("{") ? NetworkDraft.UNNAMED : lexer.name("the name of the network or '{'").text();
        lexer.expect("{");
        for (Token token = lexer.next(); !token.is("}"); token = lexer.next()) {
            if (!token.is("property")) {
                throw text.found(token, "'property' or '}'");
            }
            lexer.skipProperty(token);
        }
    }

    private void variableBlock() {
        NetworkDraft.Variable variable = draft.declare(lexer.name("the name of a variable"));
        lexer.expect("{");
        Token token = lexer.next();
        for (; !token.is("}"); token = lexer.next()) {
            if (token.is("property")) {
                lexer.skipProperty(token);
            } else if (token.is("type")) {
                type(token, variable);
            } else {
                throw text.found(token, "'type', 'property' or '}'");
            }
        }
        text.require(!variable.states.isEmpty(), token, "found the end of variable " + variable.shown()
                + ", expected its 'type'");
    }

    private void type(Token keyword, NetworkDraft.Variable variable) {
        text.require(variable.states.isEmpty(), keyword, "found a second 'type' of variable " + variable.shown()
                + ", expected one");
        lexer.expect("discrete");
        lexer.expect("[");
        Token count = lexer.next();
        if (count.kind() != Kind.WORD || !count.text().matches("0{0,9}[1-9][0-9]{0,8}")) {
            throw text.found(count, "the number of states, at least 1");
        }
        int declared = Integer.parseInt(count.text());
        lexer.expect("]");
        lexer.expect("{");
        lexer.names("}", "a state of " + variable.shown()).forEach(state -> draft.addState(variable, state));
        text.require(variable.states.size() == declared, count, "found " + variable.states.size() + " states of "
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
        NetworkDraft.Variable child = draft.distribution(keyword, lexer.name("the variable of this distribution"));
        parents(child);
        int rows = draft.rows(child);
        lexer.expect("{");
        new BifTable(text, lexer, draft, child, rows).read();
    }

    private void parents(NetworkDraft.Variable child) {
        if (lexer.peek().is("|") || lexer.peek().is(",")) {
            lexer.next();
        } else if (lexer.peek().is(")")) {
            lexer.next();
            return;
        }
        lexer.names(")", "a parent of " + child.shown()).forEach(parent -> draft.addParent(child, parent));
    }
}
