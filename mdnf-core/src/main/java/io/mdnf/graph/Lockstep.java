package io.mdnf.graph;

import java.util.Objects;

/**
 * Where the runs of one plan meet, each on a thread of its own: what all ask for is done once, by the thread that asks
 * last, while the others wait.
 */
final class Lockstep {

    private final Runnable end;
    private int members;
    private int waiting;
    private long meetings;
    private Object wanted;
    private Runnable body;
    private Throwable failure;

    /** So many runs, and what is done when all have left. */
    Lockstep(int members, Runnable end) {
        this.members = members;
        this.end = end;
    }

    /** Waits for all others to ask for an equal thing, which is then done once; fails for all if that fails. */
    synchronized void meet(Object what, Runnable how) {
        if (waiting > 0 && !Objects.equals(what, wanted)) {
            throw new IllegalStateException("runs that share a plan take every step together, on a thread each: one is"
                    + " at " + what + ", another at " + wanted);
        }
        wanted = what;
        body = how;
        waiting++;
        long mine = meetings;
        if (waiting == members) {
            act();
        }
        while (meetings == mine) {
            try {
                wait();
            } catch (InterruptedException e) {
                if (meetings == mine) {
                    waiting--;
                }
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while other runs were awaited", e);
            }
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    private void act() {
        failure = null;
        try {
            body.run();
        } catch (RuntimeException | Error e) {
            failure = e;
        }
        waiting = 0;
        meetings++;
        notifyAll();
    }

    /** Goes on without one run, whose part is computed with the others' and asked for by nobody. */
    synchronized void leave() {
        members--;
        if (members == 0) {
            end.run();
        } else if (waiting == members) {
            act();
        }
    }
}
