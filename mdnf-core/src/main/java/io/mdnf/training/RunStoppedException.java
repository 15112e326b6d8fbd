package io.mdnf.training;

/** A run ended before its time because a {@link RunListener} wanted it to; its state was saved if it had a folder. */
public final class RunStoppedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Stopped after so many steps. */
    public RunStoppedException(long step) {
        super("stopped after " + step + " steps");
    }
}
