package io.mdnf.work;

import io.mdnf.space.Check;
import java.io.IOException;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who does work that falls into pieces of which none needs another: threads of this process, or a cluster. What comes
 * of a piece follows from the piece and from what was sent, so that it is the same whoever does it, and however often.
 *
 * <pre>{@code
 * Workers workers = Workers.here(2);
 * double[] results = new double[3];
 * try (Workers.Sent<double[]> table = workers.send(logWeights)) {
 *     workers.run(List.of(0, 1, 2), row -> table.value()[row], (piece, result) -> results[piece] = result);
 * }
 * }</pre>
 */
public interface Workers {

    /** What is done with a piece; on a cluster it is sent there, with all that it refers to. */
    @FunctionalInterface
    interface Work<P, R> extends Serializable {

        /** Does it; what it throws ends the whole. */
        R of(P piece) throws Exception;
    }

    /** Something that work refers to, sent once to each process that asks for it, not with every piece. */
    interface Sent<T> extends Serializable, AutoCloseable {

        /** {@return what was sent; the same object for all work of a process} */
        T value();

        /** Nobody needs it any more. */
        @Override
        void close();
    }

    /** Takes results, one at a time. */
    @FunctionalInterface
    interface Taker<R> {

        /** Takes what came of a piece, by its place in the list. */
        void take(int piece, R result) throws IOException;
    }

    /** Sends something to whoever will work. */
    <T> Sent<T> send(T value);

    /**
     * Does all pieces; returns when all results were taken, which happens as they come. The first failure ends it,
     * after results that came before were taken. The very same list again is done by those who did it before, where
     * that is possible, so that what they kept is of use.
     */
    <P, R> void run(List<P> pieces, Work<P, R> work, Taker<R> taker) throws IOException;

    /** So many threads of this process. */
    static Workers here(int threads) {
        Check.that(threads >= 1, "threads = ", threads, ": at least 1 is needed");
        return new ThreadWorkers(threads);
    }

    /** A taker that is given results in the order of pieces, from the first on. */
    static <R> Taker<R> inOrder(Taker<R> taker) {
        Map<Integer, R> waiting = new HashMap<>();
        int[] next = new int[1];
        return (piece, result) -> {
            waiting.put(piece, result);
            for (; waiting.containsKey(next[0]); next[0]++) {
                taker.take(next[0], waiting.remove(next[0]));
            }
        };
    }
}
