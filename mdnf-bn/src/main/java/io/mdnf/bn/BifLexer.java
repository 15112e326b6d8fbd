package io.mdnf.bn;

import io.mdnf.bn.BifToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Cuts a BIF text into tokens, skipping blanks and comments.
 *
 * <p>A word is any run of characters other than blanks, <code>{ } ( ) [ ] , | ; "</code> and the start of a comment:
 * what a word means (a name, a number, a keyword) is for the parser to say, hence states such as {@code <5} or
 * {@code 5-12}.
 */
final class BifLexer {

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,400}(\\.[0-9]{0,400})?([eE][-+]?[0-9]{1,9})?"
            + "|\\.[0-9]{1,400}([eE][-+]?[0-9]{1,9})?");
    private static final int MOST_NAMES = 1_000_000;

    private static final String PUNCTUATION = "{}()[],|;";
    private static final int LONGEST_TOKEN = 10_000;

    private final String source;
    private final String text;
    private int at;
    private int line = 1;
    private int column = 1;

    BifLexer(String source, String text) {
        this.source = source;
        this.text = text;
        if (text.startsWith("\uFEFF")) {
            at = 1; // a byte order mark is not part of the text
        }
    }

    /** A place in the text, to come back to. */
    record Mark(int at, int line, int column) {
    }

    Mark mark() {
        return new Mark(at, line, column);
    }

    void reset(Mark mark) {
        at = mark.at;
        line = mark.line;
        column = mark.column;
    }

    /** Goes on if something holds; the message is made either way, so this is not for every token. */
    void require(boolean holds, BifToken where, String otherwise) {
        if (!holds) {
            throw wrong(where, otherwise);
        }
    }

    BifException wrong(BifToken where, String what) {
        return new BifException(source, where.line(), where.column(), what);
    }

    BifToken peek() {
        Mark mark = mark();
        BifToken token = next();
        reset(mark);
        return token;
    }

    BifToken next() {
        skipBlanksAndComments();
        if (at == text.length()) {
            return new BifToken(Kind.END, "", line, column);
        }
        char c = text.charAt(at);
        if (PUNCTUATION.indexOf(c) >= 0) {
            BifToken token = new BifToken(Kind.PUNCTUATION, String.valueOf(c), line, column);
            advance();
            return token;
        }
        return c == '"' ? quoted() : word();
    }

    /** Skips to behind the next semicolon; one inside a string that closes on its line does not count. */
    void skipProperty(BifToken property) {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '"') {
                skipString();
            } else {
                advance();
            }
            if (c == ';') {
                return;
            }
        }
        throw wrong(property, "found a property without an end, expected ';'");
    }

    private void skipString() {
        int close = at + 1;
        while (close < text.length() && "\"\r\n".indexOf(text.charAt(close)) < 0) {
            close++;
        }
        boolean closed = close < text.length() && text.charAt(close) == '"';
        int end = closed ? close + 1 : at + 1;
        column += end - at;
        at = end;
    }

    private BifToken word() {
        int start = at;
        int startColumn = column;
        while (at < text.length() && isWordCharacter(text.charAt(at)) && !comment('/') && !comment('*')) {
            at++;
        }
        column += at - start;
        return bounded(new BifToken(Kind.WORD, text.substring(start, at), line, startColumn));
    }

    private static boolean isWordCharacter(char c) {
        return !Character.isWhitespace(c) && c != '"' && PUNCTUATION.indexOf(c) < 0 && !Character.isISOControl(c);
    }

    private BifToken quoted() {
        BifToken open = new BifToken(Kind.QUOTED, "\"", line, column);
        StringBuilder name = new StringBuilder();
        advance();
        while (at < text.length() && text.charAt(at) != '"') {
            if (text.charAt(at) == '\\' && at + 1 < text.length() && "\\\"".indexOf(text.charAt(at + 1)) >= 0) {
                advance();
            }
            char c = text.charAt(at);
            if (Character.isISOControl(c)) {
                throw wrong(open, "found a quoted name that runs into "
                        + (c == '\n' || c == '\r' ? "the end of the line" : "a control character")
                        + ", expected a closing '\"'");
            }
            name.append(c);
            advance();
        }
        if (at == text.length()) {
            throw wrong(open, "found a quoted name that runs into the end of the file, expected a closing '\"'");
        }
        advance();
        if (name.isEmpty()) {
            throw wrong(open, "found an empty name in quotes, expected at least one character");
        }
        return bounded(new BifToken(Kind.QUOTED, name.toString(), open.line(), open.column()));
    }

    private BifToken bounded(BifToken token) {
        if (token.text().isEmpty()) {
            throw wrong(token, "found the control character " + Names.quote(String.valueOf(text.charAt(at)))
                    + ", expected text");
        }
        if (token.text().length() > LONGEST_TOKEN) {
            throw wrong(token, "found a word of " + token.text().length() + " characters, expected at most "
                    + LONGEST_TOKEN);
        }
        return token;
    }

    private void skipBlanksAndComments() {
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                advance();
            } else if (comment('/')) {
                while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
                    advance();
                }
            } else if (comment('*')) {
                skipBlockComment();
            } else {
                return;
            }
        }
    }

    private void skipBlockComment() {
        BifToken open = new BifToken(Kind.WORD, "/*", line, column);
        int end = text.indexOf("*/", at + 2);
        if (end < 0) {
            throw wrong(open, "found a comment without an end, expected '*/'");
        }
        while (at < end + 2) {
            advance();
        }
    }

    private boolean comment(char second) {
        return text.charAt(at) == '/' && at + 1 < text.length() && text.charAt(at + 1) == second;
    }

    /** One character on; CR, LF and CRLF each end one line. */
    private void advance() {
        char c = text.charAt(at++);
        boolean lineEnds = c == '\n' || c == '\r' && (at == text.length() || text.charAt(at) != '\n');
        if (lineEnds) {
            line++;
            column = 1;
        } else {
            column++;
        }
    }

    /** Exactly so many probabilities, then a semicolon. */
    double[] numbers(int count, String each) {
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            BifToken token = next();
            if (i > 0 && token.is(",")) {
                token = next();
            }
            if (token.is(";") || token.is("}")) {
                throw wrong(token, "found " + token.shown() + " after " + i + " probabilities, expected " + count
                        + ", " + each);
            }
            if (token.kind() != Kind.WORD || !NUMBER.matcher(token.text()).matches()) {
                throw found(token, "a probability such as 0.25 or 1e-3");
            }
            numbers[i] = Double.parseDouble(token.text());
        }
        BifToken end = next();
        if (!end.is(";")) {
            throw found(end, "';' after " + count + " probabilities, " + each);
        }
        return numbers;
    }

    /** One or more names up to the closing mark, separated by blanks or one comma each. */
    List<BifToken> names(String close, String what) {
        List<BifToken> names = new ArrayList<>();
        names.add(name(what));
        for (BifToken token = next(); !token.is(close); token = next()) {
            if (token.is(",")) {
                token = next();
            }
            if (!token.isName()) {
                throw found(token, what + " or '" + close + "'");
            }
            if (names.size() == MOST_NAMES) {
                throw wrong(token, "found more than " + MOST_NAMES + " names in a list, expected at most that");
            }
            names.add(token);
        }
        return names;
    }

    BifToken name(String what) {
        BifToken token = next();
        if (!token.isName()) {
            throw found(token, what);
        }
        return token;
    }

    void expect(String expected) {
        BifToken token = next();
        if (!token.is(expected)) {
            throw found(token, "'" + expected + "'");
        }
    }

    BifException found(BifToken token, String expected) {
        return wrong(token, "found " + token.shown() + ", expected " + expected);
    }
}
