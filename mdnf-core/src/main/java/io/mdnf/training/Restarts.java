package io.mdnf.training;

import io.mdnf.random.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Independent fits on threads, one compiled plan each: faster than a batch axis, and the same numbers as one after the
 * other.
 *
 * <p>Example: {@code Restarts.run(seed, 8, s -> fit(target, s))}.
 */
public final class Restarts {

    private Restarts() {}

    /**
     * Runs fits with seeds folded from one.
     *
     * @param seed the seed of all
     * @param count how many
     * @param fit one fit
     * @param <T> its result
     * @return the results in order
     */
    public static <T> List<T> run(Seed seed, int count, Function<Seed, T> fit) {
        int threads = Math.max(1, Math.min(count, Runtime.getRuntime().availableProcessors()));
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<T>> tasks = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Seed own = seed.fold("restart").fold(i);
                tasks.add(() -> fit.apply(own));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> result : pool.invokeAll(tasks)) {
                results.add(result.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while fitting", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }
}
