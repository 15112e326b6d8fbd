package io.mdnf.bn;

import io.mdnf.bn.NetworkText.Token;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;

/** The statements of one probability block: rows by name, a default for the rest, or the whole table. */
final class BifTable {

    private final NetworkText text;
    private final NetworkLexer lexer;
    private final NetworkDraft draft;
    private final NetworkDraft.Variable child;
    private final int rows;
    private final int states;
    private final double[] table;
    private final BitSet given = new BitSet();
    private double[] otherwise;
    private Token whole;

    BifTable(NetworkText text, NetworkLexer lexer, NetworkDraft draft, NetworkDraft.Variable child, int rows) {
        this.text = text;
        this.lexer = lexer;
        this.draft = draft;
        this.child = child;
        this.rows = rows;
        this.states = child.states.size();
        this.table = new double[rows * states];
    }

    void read() {
        Token token = lexer.next();
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
                throw text.found(token, "'table', 'default', '(', 'property' or '}'");
            }
        }
        fillMissing();
        draft.table(child, table);
    }

    private void wholeTable(Token keyword) {
        refuseBeside(keyword, otherwise != null || !given.isEmpty());
        whole = keyword;
        double[] numbers = lexer.numbers(table.length, "one per state of " + child.shown()
                + (rows > 1 ? " and configuration of its parents" : ""));
        double[] childSlowest = new double[table.length];
        for (int row = 0; row < rows; row++) {
            for (int state = 0; state < states; state++) {
                childSlowest[row * states + state] = numbers[state * rows + row];
            }
        }
        OptionalInt broken = NetworkDraft.brokenRow(child, childSlowest);
        boolean childFastest = broken.isPresent() && NetworkDraft.brokenRow(child, numbers).isEmpty();
        if (broken.isPresent() && !childFastest) {
            draft.requireSum(keyword, child, broken.getAsInt(), childSlowest, broken.getAsInt() * states);
        }
        System.arraycopy(childFastest ? numbers : childSlowest, 0, table, 0, table.length);
        given.set(0, rows);
    }

    private void defaultRow(Token keyword) {
        refuseBeside(keyword, otherwise != null);
        otherwise = lexer.numbers(states, "one per state of " + child.shown());
        double sum = Node.sum(otherwise, 0, states);
        text.require(NetworkDraft.sumsToOne(sum), keyword, "found the default row of " + child.shown()
                + ", which sums to " + sum + ", expected 1 within " + Node.ROW_TOLERANCE);
    }

    private void row(Token open) {
        refuseBeside(open, false);
        List<Token> named = lexer.names(")", "the state of a parent of " + child.shown());
        text.require(named.size() == child.parents.size(), open, "found " + named.size() + " parent states, expected "
                + child.parents.size() + ", one for each of "
                + Names.list(child.parents.stream().map(p -> p.name.text()).toList()));
        int row = 0;
        for (int p = 0; p < named.size(); p++) {
            NetworkDraft.Variable parent = child.parents.get(p);
            Integer state = parent.states.get(named.get(p).text());
            if (state == null) {
                throw text.wrong(named.get(p), "found " + named.get(p).shown()
                        + Names.didYouMean(named.get(p).text(), parent.states.keySet())
                        + ", expected a state of " + parent.shown() + ": " + Names.list(parent.states.keySet()));
            }
            row = row * parent.states.size() + state;
        }
        if (given.get(row)) {
            throw text.wrong(open, "found row " + NetworkDraft.rowName(child, row) + " of " + child.shown()
                    + " twice, expected every row once");
        }
        given.set(row);
        double[] numbers = lexer.numbers(states, "one per state of " + child.shown());
        draft.requireSum(open, child, row, numbers, 0);
        System.arraycopy(numbers, 0, table, row * states, states);
    }

    private void fillMissing() {
        int missing = given.nextClearBit(0);
        if (missing < rows && otherwise == null) {
            throw text.wrong(child.header, "found no row " + NetworkDraft.rowName(child, missing) + " of "
                    + child.shown() + " ("
                    + (rows - given.cardinality()) + " of " + rows
                    + " rows are missing), expected every row or a 'default'");
        }
        for (int row = missing; row < rows; row = given.nextClearBit(row + 1)) {
            System.arraycopy(otherwise, 0, table, row * states, states);
        }
    }

    private void refuseBeside(Token statement, boolean clash) {
        text.require(whole == null && !clash, statement, "found " + statement.shown() + " beside "
                + (whole != null ? "a 'table'" : otherwise != null ? "a 'default'" : "rows") + " of " + child.shown()
                + ", expected each row to be given once");
    }
}
