package io.mdnf.space;

/** Refuses wrong arguments: {@code Check.that(units >= 1, "units = " + units + ", expected at least 1")}. */
public final class Check {

    private Check() {
    }

    /**
     * Goes on if something holds; the message is made either way, so this is not for inner loops.
     *
     * @throws IllegalArgumentException with the message if it does not hold
     */
    public static void that(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
