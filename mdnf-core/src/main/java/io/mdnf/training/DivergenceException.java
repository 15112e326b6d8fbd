package io.mdnf.training;

/** A run met NaN or infinity; the last good state is kept. */
public final class DivergenceException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Object lastGoodState;

    /** Says what became NaN or infinite, at which step and where, and keeps the state before the step. */
    public DivergenceException(String what, long step, double temperature, String where, Object lastGoodState) {
        super(what + " at step " + step + ", temperature " + temperature + ", " + where
                + "; the last good state is kept. Lower the learning rate or check the target.");
        this.lastGoodState = lastGoodState;
    }

    /** Returns the state before the step that failed. */
    public Object lastGoodState() {
        return lastGoodState;
    }
}
