package io.mdnf.bn;

/**
 * A network file that cannot be read. The message is one line, {@code file:line:column: what was found, what was
 * expected}.
 */
public final class BifException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    BifException(String source, int line, int column, String what) {
        super(source + ":" + line + ":" + column + ": " + what);
    }
}
