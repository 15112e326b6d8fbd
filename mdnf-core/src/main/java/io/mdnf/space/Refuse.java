package io.mdnf.space;

/** Refuses wrong arguments, in one sentence that names the argument and the value it got. */
public final class Refuse {

    private Refuse() {
    }

    /**
     * Throws an {@link IllegalArgumentException} where something is wrong. Its message is the words in a row, which
     * nobody joins where all is well: {@code Refuse.when(samples < 1, "samples = ", samples, ": at least 1")}.
     */
    public static void when(boolean wrong, Object... words) {
        if (wrong) {
            StringBuilder message = new StringBuilder();
            for (Object word : words) {
                message.append(word);
            }
            throw new IllegalArgumentException(message.toString());
        }
    }
}
