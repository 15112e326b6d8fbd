package io.mdnf.space;

/**
 * Refuses wrong arguments, in one sentence that names the argument and the value it got.
 *
 * <p>Internal: it serves the other rooms and changes with them.
 */
public final class Check {

    private Check() {
    }

    /** Returns a number that is finite and above 0; refuses any other by its name. */
    public static double positive(String name, double value) {
        that(value > 0 && value < Double.POSITIVE_INFINITY, name, " = ", value, ": a finite number above 0 is needed");
        return value;
    }

    /** Returns a count of at least 1; refuses any other by its name. */
    public static int atLeastOne(String name, long value) {
        that(value >= 1, name, " = ", value, ": at least 1 is needed");
        return Math.toIntExact(value);
    }

    /**
     * Throws an {@link IllegalArgumentException} unless something holds. Its message is the words in a row, which
     * nobody joins where all is well:
     * {@code Check.that(samples >= 1, "samples = ", samples, ": at least 1 is needed")}.
     */
    public static void that(boolean holds, Object... otherwise) {
        if (!holds) {
            StringBuilder message = new StringBuilder();
            for (Object word : otherwise) {
                message.append(word);
            }
            throw new IllegalArgumentException(message.toString());
        }
    }
}
