package io.mdnf.mnist;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Downloads from one web folder into memory, where the content is unpacked and verified: nothing unverified ever
 * touches the disk.
 *
 * @param mirror the folder, ending in a slash
 * @param patience how long a connection may take, and how long a download may stand still
 */
record MirrorDownload(URI mirror, Duration patience, FetchListener listener) implements MnistFetch.Source {
    /** How much longer than the plain file its packed form may be before it is not worth reading. */
    private static final int SLACK = 1 << 16;
    private static final int BLOCK = 1 << 16;

    @Override
    public String name() {
        return mirror.getHost();
    }

    @Override
    public byte[] fetch(MnistFile file) throws IOException {
        String name = file.name() + ".gz";
        return file.verified(received(name, file.length() + SLACK), name);
    }

    private byte[] received(String name, int limit) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) mirror.resolve(name).toURL().openConnection();
        connection.setConnectTimeout(Math.toIntExact(patience.toMillis()));
        connection.setReadTimeout(Math.toIntExact(patience.toMillis()));
        try {
            if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
                throw new IOException(name + ": HTTP status " + connection.getResponseCode());
            }
            long length = connection.getContentLengthLong();
            OptionalLong total = length < 0 ? OptionalLong.empty() : OptionalLong.of(length);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] block = new byte[BLOCK];
            InputStream in = connection.getInputStream();
            for (int n = in.read(block); n >= 0; n = in.read(block)) {
                if (bytes.size() + n > limit) {
                    throw new IOException(name + ": longer than " + limit + " bytes");
                }
                bytes.write(block, 0, n);
                listener.progress(new FetchListener.Fetched(name(), name, bytes.size(), total));
            }
            return bytes.toByteArray();
        } catch (SocketTimeoutException e) {
            throw new IOException(name + ": nothing arrived for " + patience.toSeconds() + " seconds", e);
        } finally {
            connection.disconnect();
        }
    }
}
