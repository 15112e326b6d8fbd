package io.mdnf.training;

import io.mdnf.graph.Threads;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * What the next step is fed, made on another thread while this one runs, where a processor is free. A key alone decides
 * it, so that it is the same whether it was made ahead or not.
 *
 * <pre>{@code
 * Ahead<Integer, int[][]> ahead = new Ahead<>(i -> atoms.sample(100, seed.fold(i)));
 * int[][] input = ahead.take(step);         // made now, unless it was begun
 * ahead.begin(step + 1);
 * }</pre>
 *
 * @param <K> what decides an input, compared by equals
 * @param <V> an input
 */
public final class Ahead<K, V> {

    private static final ExecutorService POOL = Executors.newCachedThreadPool(body -> {
        Thread thread = new Thread(body, "mdnf-ahead");
        thread.setDaemon(true);
        return thread;
    });

    private final Function<K, V> making;
    private K key;
    private Future<V> made;

    /** Inputs by what makes one of a key, on any thread. */
    public Ahead(Function<K, V> making) {
        this.making = making;
    }

    /** Returns the input of a key. */
    public V take(K wanted) {
        Future<V> begun = wanted.equals(key) ? made : null;
        key = null;
        made = null;
        return begun == null ? making.apply(wanted) : await(begun);
    }

    /** Begins to make the input that will be taken next, unless all processors have work. */
    public void begin(K next) {
        if (Threads.leaveProcessor()) {
            key = next;
            made = POOL.submit(() -> making.apply(next));
        }
    }

    /** Returns what another thread found, or throws what it threw. */
    static <T> T await(Future<T> result) {
        try {
            return result.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while another thread computed a part of a step", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }
}
