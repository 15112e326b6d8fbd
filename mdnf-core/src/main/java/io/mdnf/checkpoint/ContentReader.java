package io.mdnf.checkpoint;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Reads what {@link ContentWriter} wrote; never allocates more than the content that is left can fill. */
final class ContentReader {

    private final FileChannel channel;
    private final ByteBuffer block = ByteBuffer.allocate(1 << 16).limit(0);
    private long left;

    ContentReader(FileChannel channel, long length) {
        this.channel = channel;
        this.left = length;
    }

    /** The content is not what the format says. */
    static final class MalformedException extends IOException {
        private static final long serialVersionUID = 1L;

        MalformedException(String message) {
            super(message);
        }
    }

    long number() throws IOException {
        return next(Long.BYTES).getLong();
    }

    /** The number of things that follow, each of at least one byte. */
    int count() throws IOException {
        return count(1);
    }

    String text() throws IOException {
        byte[] bytes = new byte[count()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = next(1).get();
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    double[] array() throws IOException {
        int size = count(Float.BYTES);
        long width = number();
        if (width != Float.BYTES && width != Double.BYTES || size * width > left) {
            throw new MalformedException("an array of " + size + " values of " + width + " bytes where " + left
                    + " bytes are left");
        }
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
            values[i] = width == Float.BYTES
                    ? Float.intBitsToFloat(next(Float.BYTES).getInt())
                    : Double.longBitsToDouble(next(Double.BYTES).getLong());
        }
        return values;
    }

    void requireEnd() throws IOException {
        if (left != 0) {
            throw new MalformedException(left + " bytes too many");
        }
    }

    /** The hash of everything from the channel's position on. */
    static byte[] hash(FileChannel channel) throws IOException {
        MessageDigest digest = Sha256.digest();
        ByteBuffer block = ByteBuffer.allocate(1 << 16);
        while (channel.read(block) >= 0) {
            block.flip();
            digest.update(block);
            block.clear();
        }
        return digest.digest();
    }

    static void readFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (channel.read(bytes) < 0) {
                throw new EOFException("the file became shorter while it was read");
            }
        }
    }

    private int count(int bytesEach) throws IOException {
        long count = number();
        if (count < 0 || count > Integer.MAX_VALUE || count * bytesEach > left) {
            throw new MalformedException("a count of " + count + " where " + left + " bytes are left");
        }
        return (int) count;
    }

    private ByteBuffer next(int bytes) throws IOException {
        if (bytes > left) {
            throw new MalformedException("it ends too early");
        }
        left -= bytes;
        while (block.remaining() < bytes) {
            block.compact();
            if (channel.read(block) < 0) {
                throw new EOFException("the file became shorter while it was read");
            }
            block.flip();
        }
        return block;
    }
}
