package io.mdnf.fit;

import io.mdnf.elimination.Memory;
import io.mdnf.space.Check;

/**
 * What an answer may cost.
 *
 * @param seconds of wall-clock time, above 0, about: what was begun is finished
 * @param memory bytes that tables may take
 * @param tableEntries that one table may have, at least 1; +infinity for what memory and time allow
 */
public record Budget(double seconds, long memory, double tableEntries) {

    /** What is answered at once need not wait, what is not gets a minute. */
    private static final double USUAL_SECONDS = 60;

    /** Checks the ranges. */
    public Budget {
        Check.that(seconds > 0 && tableEntries >= 1, "seconds = ", seconds, ", tableEntries = ", tableEntries,
                ": above 0, and at least 1");
    }

    /** Returns a minute, and most of the memory that Java has left. */
    public static Budget usual() {
        return new Budget(USUAL_SECONDS, Memory.available(), Double.POSITIVE_INFINITY);
    }

    /** Returns the same with another time. */
    public Budget within(double other) {
        return new Budget(other, memory, tableEntries);
    }

    /** Returns the same with other memory, in bytes. */
    public Budget withMemory(long bytes) {
        return new Budget(seconds, bytes, tableEntries);
    }

    /** Returns the same with tables of at most so many entries. */
    public Budget withTables(double entries) {
        return new Budget(seconds, memory, entries);
    }
}
