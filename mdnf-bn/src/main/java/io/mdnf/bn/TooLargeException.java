package io.mdnf.bn;

import java.util.Locale;

/** Exact inference would need more than it may take. Thrown before anything large is allocated. */
public final class TooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Entries needed. */
    private final double estimate;

    TooLargeException(String what, double estimate, long limit) {
        super(what + " needs " + String.format(Locale.ROOT, estimate < 1e15 ? "%,.0f" : "%.3g", estimate)
                + " table entries, limit " + String.format(Locale.ROOT, "%,d", limit));
        this.estimate = estimate;
    }

    /** {@return how many table entries would be needed; a double, since it may be astronomical} */
    public double estimate() {
        return estimate;
    }
}
