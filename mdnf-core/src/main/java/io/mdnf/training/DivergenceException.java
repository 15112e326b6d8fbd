package io.mdnf.training;

/** A run met NaN or infinity; the state before the steps that led there is as good as it was. */
public final class DivergenceException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Says what became NaN or infinite, at which step and where. */
    public DivergenceException(String what, long step, double temperature, String where) {
        super(what + " at step " + step + ", temperature " + temperature + ", " + where
                + "; the last good state is kept. Lower the learning rate or check the target.");
    }
}
