package io.mdnf.elimination;

/**
 * What tables may take.
 *
 * <p>Internal: it serves the other rooms and changes with them.
 */
public final class Memory {

    /** How much of what Java could still take: a collector needs room. */
    private static final double SHARE = 0.8;

    private Memory() {}

    /** Returns how many bytes tables may take now: most of what Java has not used of its heap (-Xmx). */
    public static long available() {
        Runtime java = Runtime.getRuntime();
        return (long) (SHARE * (java.maxMemory() - java.totalMemory() + java.freeMemory()));
    }
}
