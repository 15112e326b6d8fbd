package io.mdnf.explorer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Who looks at a page: each tab of a browser by a name of its own. What one asks for ends what the same one asked for
 * before, and nobody else's.
 */
final class Visitors {

    /** Whoever was not heard of longest is forgotten, and nothing is worked on for him. */
    private static final int MOST = 32;
    private static final int LONGEST_NAME = 64;

    /** The number of each one's last question, the one heard of longest ago first. */
    private final Map<String, AtomicLong> latest = new LinkedHashMap<>(16, 0.75f, true);
    private boolean closed;

    /**
     * Notes a question. Those of one tab may arrive in another order than they were asked in.
     *
     * @param turn counts what the same one asked for anew; 0 if it does not count
     * @param renews whether a question that is not counted takes the place of what the same one asked before
     * @return whether nobody waits for its answer any more
     */
    synchronized BooleanSupplier asks(String name, long turn, boolean renews) {
        AtomicLong own = latest.computeIfAbsent(name.substring(0, Math.min(LONGEST_NAME, name.length())),
                each -> new AtomicLong());
        long number = turn > 0 ? turn : own.get() + (renews ? 1 : 0);
        own.accumulateAndGet(number, Math::max);
        if (latest.size() > MOST) {
            var eldest = latest.values().iterator();
            eldest.next().set(Long.MAX_VALUE);
            eldest.remove();
        }
        return () -> own.get() > number || isClosed();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    synchronized void close() {
        closed = true;
    }
}
