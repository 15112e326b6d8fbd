package io.mdnf.experiments;

import io.mdnf.report.Progress;
import io.mdnf.work.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;

/** Runs independent fits on threads, started in order, one compiled plan each: faster than a batch axis. */
public final class FitPool {

    private FitPool() {}

    /** Runs fits, longest first, on so many threads, and tells progress of each that ends; results in order. */
    public static <T> List<T> run(List<Callable<T>> fits, int threads, Progress progress) {
        List<T> results = new ArrayList<>(Collections.nCopies(fits.size(), null));
        int[] done = new int[1];
        try {
            Workers.here(threads).run(fits, Callable::call, (i, result) -> {
                results.set(i, result);
                progress.at(++done[0], Double.NaN);
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return results;
    }
}
