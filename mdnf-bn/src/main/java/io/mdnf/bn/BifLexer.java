package io.mdnf.bn;

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
    private static final Pattern LINE_END = Pattern.compile("\r\n|\r|\n");
    private static final int MOST_NAMES = 1_000_000;
    private static final String PUNCTUATION = "{}()[],|;";
    private static final int LONGEST_TOKEN = 10_000;

    private final String source;
    private final String text;
    private int at;

    BifLexer(String source, String text) {
        this.source = source;
        this.text = text.startsWith("\uFEFF") ? text.substring(1) : text; // a byte order mark is not part of the text
    }

    enum Kind { WORD, QUOTED, PUNCTUATION, END }

    /**
     * A piece of the text.
     *
     * @param text its characters, without quotes
     * @param at where it starts
     */
    record Token(Kind kind, String text, int at) {

        /** Keywords are never quoted. */
        boolean is(String expected) {
            return (kind == Kind.WORD || kind == Kind.PUNCTUATION) && text.equals(expected);
        }

        boolean isName() {
            return kind == Kind.WORD || kind == Kind.QUOTED;
        }

        /** As it appears in a message. */
        String shown() {
            return kind == Kind.END ? "the end of the file" : Names.quote(text);
        }
    }

    /** Goes on from a token read before, that one first. */
    void back(Token token) {
        at = token.at;
    }

    /** Goes on if something holds; the message is made either way, so this is not for every token. */
    void require(boolean holds, Token where, String otherwise) {
        if (!holds) {
            throw wrong(where, otherwise);
        }
    }

    BifException wrong(Token where, String what) {
        return wrong(where.at, what);
    }

    private BifException wrong(int where, String what) {
        int before = Math.max(text.lastIndexOf('\n', where - 1), text.lastIndexOf('\r', where - 1));
        return new BifException(source, line(where), where - before, what);
    }

    /** The line of a place in the text, from 1; CR, LF and CRLF each end one. */
    int line(int where) {
        return 1 + (int) LINE_END.matcher(text).region(0, where).results().count();
    }

    BifException found(Token token, String expected) {
        return wrong(token, "found " + token.shown() + ", expected " + expected);
    }

    Token peek() {
        Token token = next();
        back(token);
        return token;
    }

    Token next() {
        skipBlanksAndComments();
        if (at == text.length()) {
            return new Token(Kind.END, "", at);
        }
        char c = text.charAt(at);
        if (PUNCTUATION.indexOf(c) >= 0) {
            return new Token(Kind.PUNCTUATION, String.valueOf(c), at++);
        }
        Token token = c == '"' ? quoted() : word();
        if (token.text.length() > LONGEST_TOKEN) {
            throw wrong(token, "found a word of " + token.text.length() + " characters, expected at most "
                    + LONGEST_TOKEN);
        }
        return token;
    }

    /** Skips to behind the next semicolon; one inside a string that closes on its line does not count. */
    void skipProperty(Token property) {
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == ';') {
                return;
            }
            if (c == '"') {
                int close = at;
                while (close < text.length() && "\"\r\n".indexOf(text.charAt(close)) < 0) {
                    close++;
                }
                at = text.startsWith("\"", close) ? close + 1 : at;
            }
        }
        throw wrong(property, "found a property without an end, expected ';'");
    }

    private Token word() {
        int start = at;
        while (at < text.length() && isWordCharacter(text.charAt(at))
                && !text.startsWith("//", at) && !text.startsWith("/*", at)) {
            at++;
        }
        if (at == start) {
            throw wrong(start, "found the control character " + Names.quote(text.substring(at, at + 1))
                    + ", expected text");
        }
        return new Token(Kind.WORD, text.substring(start, at), start);
    }

    private static boolean isWordCharacter(char c) {
        return !Character.isWhitespace(c) && c != '"' && PUNCTUATION.indexOf(c) < 0 && !Character.isISOControl(c);
    }

    private Token quoted() {
        int open = at;
        int close = Names.closingQuote(text, open);
        for (int i = open; i < close; i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                throw wrong(open, "found a quoted name that runs into "
                        + (c == '\n' || c == '\r' ? "the end of the line" : "a control character")
                        + ", expected a closing '\"'");
            }
        }
        if (close == text.length()) {
            throw wrong(open, "found a quoted name that runs into the end of the file, expected a closing '\"'");
        }
        if (close == open + 1) {
            throw wrong(open, "found an empty name in quotes, expected at least one character");
        }
        at = close + 1;
        return new Token(Kind.QUOTED, Names.unescaped(text.substring(open + 1, close)), open);
    }

    private void skipBlanksAndComments() {
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else if (text.startsWith("//", at)) {
                while (at < text.length() && "\r\n".indexOf(text.charAt(at)) < 0) {
                    at++;
                }
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                if (end < 0) {
                    throw wrong(at, "found a comment without an end, expected '*/'");
                }
                at = end + 2;
            } else {
                return;
            }
        }
    }

    /** Exactly so many probabilities, then a semicolon. */
    double[] numbers(int count, String each) {
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            Token token = next();
            if (i > 0 && token.is(",")) {
                token = next();
            }
            if (token.is(";") || token.is("}")) {
                throw wrong(token, "found " + token.shown() + " after " + i + " probabilities, expected " + count
                        + ", " + each);
            }
            if (token.kind != Kind.WORD || !NUMBER.matcher(token.text).matches()) {
                throw found(token, "a probability such as 0.25 or 1e-3");
            }
            numbers[i] = Double.parseDouble(token.text);
        }
        Token end = next();
        if (!end.is(";")) {
            throw found(end, "';' after " + count + " probabilities, " + each);
        }
        return numbers;
    }

    /** One or more names up to the closing mark, separated by blanks or one comma each. */
    List<Token> names(String close, String what) {
        List<Token> names = new ArrayList<>();
        names.add(name(what));
        for (Token token = next(); !token.is(close); token = next()) {
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

    Token name(String what) {
        Token token = next();
        if (!token.isName()) {
            throw found(token, what);
        }
        return token;
    }

    void expect(String expected) {
        Token token = next();
        if (!token.is(expected)) {
            throw found(token, "'" + expected + "'");
        }
    }
}
