package io.mdnf.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * Writes the content of a checkpoint and hashes it on the way, without ever holding all of it.
 *
 * <p>Arrays take 32 bits per value where every value is a float, which loses nothing, else 64.
 */
final class ContentWriter {

    static final int HASH_BYTES = 32;

    private final FileChannel channel;
    private final MessageDigest digest = Sha256.digest();
    private final ByteBuffer block = ByteBuffer.allocate(1 << 16);

    ContentWriter(FileChannel channel) {
        this.channel = channel;
    }

    void number(long value) throws IOException {
        room(Long.BYTES).putLong(value);
    }

    void text(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        number(bytes.length);
        for (byte b : bytes) {
            room(1).put(b);
        }
    }

    void array(double[] values) throws IOException {
        int width = allFloats(values) ? Float.BYTES : Double.BYTES;
        number(values.length);
        number(width);
        for (double value : values) {
            if (width == Float.BYTES) {
                room(width).putInt(Float.floatToRawIntBits((float) value));
            } else {
                room(width).putLong(Double.doubleToRawLongBits(value));
            }
        }
    }

    /** Writes what is left; returns the hash of everything. */
    byte[] finish() throws IOException {
        flush();
        return digest.digest();
    }

    /** By bits, so that the payload of a NaN survives too. */
    private static boolean allFloats(double[] values) {
        for (double value : values) {
            if (Double.doubleToRawLongBits((float) value) != Double.doubleToRawLongBits(value)) {
                return false;
            }
        }
        return true;
    }

    private ByteBuffer room(int bytes) throws IOException {
        if (block.remaining() < bytes) {
            flush();
        }
        return block;
    }

    private void flush() throws IOException {
        block.flip();
        digest.update(block.duplicate());
        AtomicFiles.writeFully(channel, block);
        block.clear();
    }
}
