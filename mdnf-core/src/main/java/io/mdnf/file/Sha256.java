package io.mdnf.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256, which every Java platform has: of bytes, or of many numbers added one after the other.
 *
 * <p>Example: {@code new Sha256().add(1.5, 2.5).add(new int[] {3})}.
 */
public final class Sha256 {

    /** Digits that are shown: enough that no two data sets of one person agree by chance. */
    private static final int DIGITS = 16;

    private final MessageDigest digest = digest();

    /** Adds numbers by their bits. Returns this. */
    public Sha256 add(double... values) {
        ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * values.length);
        bytes.asDoubleBuffer().put(values);
        digest.update(bytes);
        return this;
    }

    /** Adds whole numbers, row after row. Returns this. */
    public Sha256 add(int[]... values) {
        for (int[] row : values) {
            ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * row.length);
            bytes.asIntBuffer().put(row);
            digest.update(bytes);
        }
        return this;
    }

    /** Adds numbers by their bits. Returns this. */
    public Sha256 add(float[] values) {
        ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * values.length);
        bytes.asFloatBuffer().put(values);
        digest.update(bytes);
        return this;
    }

    /** Returns the hash of all that was added as a few hexadecimal digits; nothing can be added afterwards. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
    }

    /** Returns a digest that has seen nothing. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256, which its specification demands", e);
        }
    }

    /** Returns the hash of some content, 64 lower-case hexadecimal digits. */
    public static String hex(byte[] content) {
        return HexFormat.of().formatHex(digest().digest(content));
    }

    /** Returns the hash of all that is left of a stream. */
    public static byte[] digest(InputStream in) throws IOException {
        MessageDigest digest = digest();
        byte[] block = new byte[1 << 16];
        for (int n = in.read(block); n >= 0; n = in.read(block)) {
            digest.update(block, 0, n);
        }
        return digest.digest();
    }
}
