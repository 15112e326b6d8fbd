package io.mdnf.elimination;

/** Exact inference would need more than it may take. Thrown before anything large is allocated. */
public final class TooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final double bytes;

    TooLargeException(String what, double bytes, String limit) {
        super(what + " needs " + EliminationPlan.size(bytes) + ", " + limit);
        this.bytes = bytes;
    }

    /** {@return how many bytes would be needed; a double, since it may be astronomical} */
    public double bytes() {
        return bytes;
    }
}
