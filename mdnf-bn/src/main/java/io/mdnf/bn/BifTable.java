package io.mdnf.bn;

import io.mdnf.bn.BifLexer.Token;
import io.mdnf.bn.BifParser.Declared;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** The statements of one probability block: rows by name, a default for the rest, or the whole table. */
final class BifTable {

    private final BifLexer lexer;
    private final Declared child;
    private final int rows;
    private final int states;
    private final double[] table;
    private final BitSet given = new BitSet();
    private double[] otherwise;
    private Token whole;

    BifTable(BifLexer lexer, Declared child, int rows) {
        this.lexer = lexer;
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
                throw lexer.found(token, "'table', 'default', '(', 'property' or '}'");
            }
        }
        fillMissing();
        child.table = table;
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
        OptionalInt broken = firstBrokenRow(childSlowest);
        boolean childFastest = broken.isPresent() && firstBrokenRow(numbers).isEmpty();
        if (broken.isPresent() && !childFastest) {
            requireSum(keyword, broken.getAsInt(), childSlowest, broken.getAsInt() * states);
        }
        System.arraycopy(childFastest ? numbers : childSlowest, 0, table, 0, table.length);
        given.set(0, rows);
    }

    private OptionalInt firstBrokenRow(double[] numbers) {
        return IntStream.range(0, rows).filter(row -> !sumsToOne(Node.sum(numbers, row * states, states))).findFirst();
    }

    private void defaultRow(Token keyword) {
        refuseBeside(keyword, otherwise != null);
        otherwise = lexer.numbers(states, "one per state of " + child.shown());
        double sum = Node.sum(otherwise, 0, states);
        lexer.require(sumsToOne(sum), keyword, "found the default row of " + child.shown() + ", which sums to " + sum
                + ", expected 1 within " + Node.ROW_TOLERANCE);
    }

    private void row(Token open) {
        refuseBeside(open, false);
        List<Token> named = lexer.names(")", "the state of a parent of " + child.shown());
        lexer.require(named.size() == child.parents.size(), open, "found " + named.size() + " parent states, expected "
                + child.parents.size() + ", one for each of "
                + Names.list(child.parents.stream().map(p -> p.name.text()).toList()));
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
        double[] numbers = lexer.numbers(states, "one per state of " + child.shown());
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

    private void refuseBeside(Token statement, boolean clash) {
        lexer.require(whole == null && !clash, statement, "found " + statement.shown() + " beside "
                + (whole != null ? "a 'table'" : otherwise != null ? "a 'default'" : "rows") + " of " + child.shown()
                + ", expected each row to be given once");
    }

    private void requireSum(Token where, int row, double[] numbers, int start) {
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
