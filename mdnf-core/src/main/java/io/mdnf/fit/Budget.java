package io.mdnf.fit;

import io.mdnf.elimination.Memory;
import io.mdnf.space.Check;

/**
 * What an answer may cost.
 *
 * @param seconds of wall-clock time, above 0, about: what was begun is finished
 * @param memory bytes that tables may take
 * @param tableEntries that one table may have, at least 1; +infinity for what memory and time allow
 * @param counted whether seconds are those of a slow core, by counting its work: then the same seed gives the same
 *     answer to the last bit, whatever else the machine does meanwhile
 */
public record Budget(double seconds, long memory, double tableEntries, boolean counted) {

    /** What is answered at once need not wait, what is not gets a minute. */
    private static final double USUAL_SECONDS = 60;

    /** Checks the ranges. */
    public Budget {
        Check.that(seconds > 0 && tableEntries >= 1, "seconds = ", seconds, ", tableEntries = ", tableEntries,
                ": above 0, and at least 1");
    }

    /** Timed. */
    public Budget(double seconds, long memory, double tableEntries) {
        this(seconds, memory, tableEntries, false);
    }

    /** Returns a minute, and most of the memory that Java has left. */
    public static Budget usual() {
        return new Budget(USUAL_SECONDS, Memory.available(), Double.POSITIVE_INFINITY);
    }

    /** Returns the same with another time. */
    public Budget within(double other) {
        return new Budget(other, memory, tableEntries, counted);
    }

    /** Returns the same with other memory, in bytes. */
    public Budget withMemory(long bytes) {
        return new Budget(seconds, bytes, tableEntries, counted);
    }

    /** Returns the same with tables of at most so many entries. */
    public Budget withTables(double entries) {
        return new Budget(seconds, memory, entries, counted);
    }

    /** Returns the same where work is counted instead of timed; say what memory it may take too. */
    public Budget asCounted() {
        return new Budget(seconds, memory, tableEntries, true);
    }
}
