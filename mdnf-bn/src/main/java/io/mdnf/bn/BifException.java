package io.mdnf.bn;

/**
 * A network file that cannot be read. The message is one line, {@code file:line:column: what was found, what was
 * expected}.
 */
public final class BifException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** From 1. */
    private final int line;

    /** From 1. */
    private final int column;

    BifException(String source, int line, int column, String what) {
        super(source + ":" + line + ":" + column + ": " + what);
        this.line = line;
        this.column = column;
    }

    /** {@return the line, counted from 1} */
    public int line() {
        return line;
    }

    /** {@return the column in characters, counted from 1} */
    public int column() {
        return column;
    }
}
