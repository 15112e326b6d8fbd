package io.mdnf.bn;

/**
 * A piece of a BIF text and where it stands.
 *
 * @param kind   what it is
 * @param text   its characters, without quotes
 * @param line   from 1
 * @param column from 1
 */
record BifToken(Kind kind, String text, int line, int column) {

    enum Kind { WORD, QUOTED, PUNCTUATION, END }

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
