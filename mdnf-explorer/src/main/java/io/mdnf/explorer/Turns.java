package io.mdnf.explorer;

import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** So many answers are worked on at a time; others wait for their turn while somebody waits for them. */
final class Turns {

    private static final int LOOK_MILLIS = 100;

    private final Semaphore free;

    Turns(int atATime) {
        free = new Semaphore(atATime, true);
    }

    /**
     * Returns what is answered when its turn comes.
     *
     * @throws CancellationException if nobody waits any more by then
     */
    <T> T take(BooleanSupplier cancelled, Supplier<T> answer) {
        try {
            do {
                if (cancelled.getAsBoolean()) {
                    throw new CancellationException("nobody waits for this answer");
                }
            } while (!free.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("the explorer was closed");
        }
        try {
            return answer.get();
        } finally {
            free.release();
        }
    }
}
