package io.mdnf.training;

import io.mdnf.file.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The SHA-256 of many numbers, added one after the other.
 *
 * <p>Example: {@code new DataHash().add(codes).add(weights)}.
 */
public final class DataHash {

    /** Digits that are shown: enough that no two data sets of one person agree by chance. */
    private static final int DIGITS = 16;

    private final MessageDigest digest = Sha256.digest();

    /** Adds numbers by their bits. Returns this. */
    public DataHash add(double... values) {
        ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * values.length);
        bytes.asDoubleBuffer().put(values);
        digest.update(bytes);
        return this;
    }

    /** Adds whole numbers, row after row. Returns this. */
    public DataHash add(int[]... values) {
        for (int[] row : values) {
            ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * row.length);
            bytes.asIntBuffer().put(row);
            digest.update(bytes);
        }
        return this;
    }

    /** Adds numbers by their bits. Returns this. */
    public DataHash add(float[] values) {
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
}
