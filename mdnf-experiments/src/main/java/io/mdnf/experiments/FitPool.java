package io.mdnf.experiments;

import io.mdnf.report.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Runs independent fits on as many threads as there are cores, started in order, longest first. */
final class FitPool {

    private FitPool() {}

    /** The same with every result kept under its number, and not computed again if it was. */
    static <T> List<T> run(List<Callable<T>> fits, Progress progress, KeptParts<T> parts) {
        List<Callable<T>> kept = new ArrayList<>();
        for (int i = 0; i < fits.size(); i++) {
            Callable<T> fit = fits.get(i);
            String name = Integer.toString(i);
            kept.add(() -> parts.part(name, fit));
        }
        return run(kept, progress);
    }

    static <T> List<T> run(List<Callable<T>> fits, Progress progress) {
        ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        AtomicLong done = new AtomicLong();
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (Callable<T> fit : fits) {
                futures.add(pool.submit(() -> {
                    T result = fit.call();
                    synchronized (progress) {
                        progress.at(done.incrementAndGet(), Double.NaN);
                    }
                    return result;
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
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
