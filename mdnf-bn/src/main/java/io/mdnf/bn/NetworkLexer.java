package io.mdnf.bn;

import io.mdnf.bn.NetworkText.Kind;
import io.mdnf.bn.NetworkText.Token;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the text of a BIF or Hugin file into tokens, skipping blanks and comments.
 *
 * <p>A word is any run of characters other than blanks, punctuation, quotes and the start of a comment: what a word
 * means (a name, a number, a keyword) is for the parser to say, hence states such as {@code <5} or {@code 5-12}.
 */
final class NetworkLexer {

    private static final int MOST_NAMES = 1_000_000;
    private static final int LONGEST_TOKEN = 10_000;

    private final NetworkText source;
    private final String text;
    private final Dialect dialect;
    private int at;

    /** What differs between formats that are cut alike. */
    enum Dialect {
        BIF("{}()[],|;", "//", true),
        HUGIN("{}()|;=", "%", false);

        private final String punctuation;
        private final String lineComment;
        private final boolean blockComments;

        Dialect(String punctuation, String lineComment, boolean blockComments) {
            this.punctuation = punctuation;
            this.lineComment = lineComment;
            this.blockComments = blockComments;
        }
    }

    NetworkLexer(NetworkText source, Dialect dialect) {
        this.source = source;
        this.text = source.text();
        this.dialect = dialect;
    }

    /** Goes on from a token read before, that one first. */
    void back(Token token) {
        at = token.at();
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
        if (dialect.punctuation.indexOf(c) >= 0) {
            return new Token(Kind.PUNCTUATION, String.valueOf(c), at++);
        }
        Token token = c == '"' ? quoted() : word();
        if (token.text().length() > LONGEST_TOKEN) {
            throw source.wrong(token, "found a word of " + token.text().length() + " characters, expected at most "
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
        throw source.wrong(property, "found a property without an end, expected ';'");
    }

    /**
     * Skips to behind the next semicolon that is in no string and no comment; strings may run over lines.
     *
     * @return what was skipped
     */
    String skipAttribute(Token attribute) {
        int start = at;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ';') {
                return text.substring(start, at++);
            }
            if (text.startsWith(dialect.lineComment, at)) {
                skipBlanksAndComments();
            } else {
                at = c == '"' ? Math.min(text.length(), Names.closingQuote(text, at) + 1) : at + 1;
            }
        }
        throw source.wrong(attribute, "found an attribute without an end, expected ';'");
    }

    private Token word() {
        int start = at;
        while (at < text.length() && isWordCharacter(text.charAt(at))
                && !text.startsWith(dialect.lineComment, at) && !atBlockComment()) {
            at++;
        }
        if (at == start) {
            throw source.wrong(start, "found the control character " + Names.quote(text.substring(at, at + 1))
                    + ", expected text");
        }
        return new Token(Kind.WORD, text.substring(start, at), start);
    }

    private boolean atBlockComment() {
        return dialect.blockComments && text.startsWith("/*", at);
    }

    private boolean isWordCharacter(char c) {
        return !Character.isWhitespace(c) && c != '"' && dialect.punctuation.indexOf(c) < 0
                && !Character.isISOControl(c);
    }

    private Token quoted() {
        int open = at;
        int close = Names.closingQuote(text, open);
        for (int i = open; i < close; i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                throw source.wrong(open, "found a quoted name that runs into "
                        + (c == '\n' || c == '\r' ? "the end of the line" : "a control character")
                        + ", expected a closing '\"'");
            }
        }
        if (close == text.length()) {
            throw source.wrong(open, "found a quoted name that runs into the end of the file, expected a closing '\"'");
        }
        if (close == open + 1) {
            throw source.wrong(open, "found an empty name in quotes, expected at least one character");
        }
        at = close + 1;
        return new Token(Kind.QUOTED, Names.unescaped(text.substring(open + 1, close)), open);
    }

    private void skipBlanksAndComments() {
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else if (text.startsWith(dialect.lineComment, at)) {
                while (at < text.length() && "\r\n".indexOf(text.charAt(at)) < 0) {
                    at++;
                }
            } else if (atBlockComment()) {
                int end = text.indexOf("*/", at + 2);
                if (end < 0) {
                    throw source.wrong(at, "found a comment without an end, expected '*/'");
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
                throw source.wrong(token, "found " + token.shown() + " after " + i + " probabilities, expected " + count
                        + ", " + each);
            }
            numbers[i] = source.number(token);
        }
        Token end = next();
        if (!end.is(";")) {
            throw source.found(end, "';' after " + count + " probabilities, " + each);
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
                throw source.found(token, what + " or '" + close + "'");
            }
            if (names.size() == MOST_NAMES) {
                throw source.wrong(token, "found more than " + MOST_NAMES + " names in a list, expected at most that");
            }
            names.add(token);
        }
        return names;
    }

    Token name(String what) {
        Token token = next();
        if (!token.isName()) {
            throw source.found(token, what);
        }
        return token;
    }

    void expect(String expected) {
        Token token = next();
        if (!token.is(expected)) {
            throw source.found(token, "'" + expected + "'");
        }
    }
}
