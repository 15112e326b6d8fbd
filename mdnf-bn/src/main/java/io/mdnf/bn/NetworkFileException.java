package io.mdnf.bn;

/**
 * A network file that cannot be read. The message is one line, {@code file:line:column: what was found, what was
 * expected}.
 */
public final class NetworkFileException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    NetworkFileException(String source, int line, int column, String what) {
        super(source + ":" + line + ":" + column + ": " + what);
    }
}
