package io.mdnf.training;

/** A run ended before its time because a {@link RunListener} wanted it to; its state was saved if it had a folder. */
public final class RunStoppedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long step;

    /** Stopped after so many steps. */
    public RunStoppedException(long step) {
        super("stopped after " + step + " steps");
        this.step = step;
    }

    /** Returns how many steps were done. */
    public long step() {
        return step;
    }
}
