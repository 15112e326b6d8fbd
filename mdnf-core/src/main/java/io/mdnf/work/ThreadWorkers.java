package io.mdnf.work;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Threads of this process; pieces are begun in their order. */
record ThreadWorkers(int threads) implements Workers {

    private record Kept<T>(T value) implements Sent<T> {

        @Override
        public void close() {
            // nothing was sent anywhere
        }
    }

    private record Done<R>(int piece, R result) {}

    @Override
    public <T> Sent<T> send(T value) {
        return new Kept<>(value);
    }

    @Override
    public <P, R> void run(List<P> pieces, Work<P, R> work, Taker<R> taker) throws IOException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CompletionService<Done<R>> ended = new ExecutorCompletionService<>(pool);
            for (int i = 0; i < pieces.size(); i++) {
                int piece = i;
                ended.submit(() -> new Done<>(piece, work.of(pieces.get(piece))));
            }
            for (int i = 0; i < pieces.size(); i++) {
                Done<R> done = ended.take().get();
                taker.take(done.piece(), done.result());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while threads worked", e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    /** What the work threw, as it is where that can be thrown here. */
    private static RuntimeException failure(Throwable cause) throws IOException {
        if (cause instanceof IOException problem) {
            throw problem;
        }
        if (cause instanceof Error problem) {
            throw problem;
        }
        return cause instanceof RuntimeException problem ? problem : new IllegalStateException(cause);
    }
}
