package io.mdnf.space;

/**
 * Refuses wrong arguments, in one sentence that names the argument and the value it got.
 *
 * <p>Internal: it serves the other rooms and changes with them.
 */
public final class Check {

    private Check() {
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
