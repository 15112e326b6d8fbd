package io.mdnf.graph;

/** ND4J found nothing to compute with. The message is one line that says what to do, and there is no trace. */
public final class MissingBackendException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MissingBackendException(String message) {
        super(message, null, false, false);
    }
}
