package io.mdnf.mnist;

import io.mdnf.file.InvalidFileException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Downloads from one web folder into memory, where the content is unpacked and verified: nothing unverified ever
 * touches the disk.
 */
final class MirrorDownload {
    /** How much longer than the plain file its packed form may be before it is not worth reading. */
    private static final int SLACK = 1 << 16;
    private static final int OK = 200;

    private final URI mirror;
    private final Duration patience;
    private final FetchListener listener;
    private final HttpClient client;

    MirrorDownload(URI mirror, Duration patience, FetchListener listener) {
        this.mirror = mirror;
        this.patience = patience;
        this.listener = listener;
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(patience)
                .followRedirects(HttpClient.Redirect.NORMAL);
        if (ProxySelector.getDefault() != null) {
            builder.proxy(ProxySelector.getDefault());
        }
        this.client = builder.build();
    }

    /** The verified, unpacked content of the file. */
    byte[] fetch(MnistFile file) throws IOException {
        String name = file.name() + ".gz";
        Received received = new Received(name, file.length() + SLACK);
        HttpRequest request = HttpRequest.newBuilder(mirror.resolve(name)).timeout(patience).GET().build();
        CompletableFuture<HttpResponse<Void>> response = client.sendAsync(request, received::subscriber);
        await(response, received);
        byte[] content = IdxReader.unzipped(received.bytes.toByteArray(), name, file.length() + 1);
        if (!file.matches(content)) {
            throw new InvalidFileException(name, file.mismatch(content));
        }
        return content;
    }

    /** The client's own timeout ends with the headers, so a body that stands still is noticed here. */
    private void await(CompletableFuture<HttpResponse<Void>> response, Received received) throws IOException {
        try {
            while (true) {
                long before = received.count;
                try {
                    response.get(patience.toMillis(), TimeUnit.MILLISECONDS);
                    return;
                } catch (TimeoutException e) {
                    if (received.count == before) {
                        response.cancel(true);
                        throw new IOException(received.name + ": nothing arrived for " + patience.toSeconds()
                                + " seconds", e);
                    }
                }
            }
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof UncheckedIOException unchecked) {
                throw unchecked.getCause();
            }
            if (cause instanceof IOException io) {
                throw io;
            }
            throw new IOException(received.name + ": " + cause, cause);
        } catch (InterruptedException e) {
            response.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException(received.name + ": the download was interrupted", e);
        }
    }

    /** The body so far, bounded. */
    private final class Received {
        private final String name;
        private final int limit;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private volatile long count;

        Received(String name, int limit) {
            this.name = name;
            this.limit = limit;
        }

        BodySubscriber<Void> subscriber(HttpResponse.ResponseInfo info) {
            if (info.statusCode() != OK) {
                throw new UncheckedIOException(new IOException(name + ": HTTP status " + info.statusCode()));
            }
            OptionalLong total = info.headers().firstValueAsLong("Content-Length");
            return BodySubscribers.ofByteArrayConsumer(chunk -> chunk.ifPresent(part -> {
                if (bytes.size() + part.length > limit) {
                    throw new UncheckedIOException(new IOException(name + ": longer than " + limit + " bytes"));
                }
                bytes.writeBytes(part);
                count = bytes.size();
                listener.progress(new FetchListener.Fetched(mirror.getHost(), name, bytes.size(), total));
            }));
        }
    }
}
