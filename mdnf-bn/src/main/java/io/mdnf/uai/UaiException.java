package io.mdnf.uai;

/**
 * A UAI file that cannot be read. The message is one line, {@code file:line:column: what was found, what was expected}.
 */
public final class UaiException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    UaiException(String source, int line, int column, String what) {
        super(source + ":" + line + ":" + column + ": " + what);
    }
}
