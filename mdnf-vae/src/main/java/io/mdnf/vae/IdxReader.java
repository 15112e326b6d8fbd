package io.mdnf.vae;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * Reads IDX files of unsigned bytes, plain or gzip (told by content). The format: two zero bytes, the type 8, the
 * number of dimensions, each size as a big-endian int, then the bytes. The sizes must agree with the file's length.
 */
public final class IdxReader {
    private static final int UNSIGNED_BYTE = 8;
    private static final int IMAGE_DIMENSIONS = 3;
    private static final int LABEL_DIMENSIONS = 1;
    /** No IDX file of digits is near this; a gzip bomb is. */
    private static final int LARGEST = 1 << 30;

    private IdxReader() {
    }

    /**
     * Reads images [count, height, width].
     *
     * @param file an IDX file of three dimensions, plain or gzip
     * @return the images
     * @throws InvalidIdxException if it is no such file
     * @throws IOException if it cannot be read
     */
    public static DigitImages readImages(Path file) throws IOException {
        return images(unzipped(Files.readAllBytes(file), file.toString(), LARGEST), file.toString());
    }

    /**
     * Reads labels [count].
     *
     * @param file an IDX file of one dimension, plain or gzip
     * @return the labels
     * @throws InvalidIdxException if it is no such file
     * @throws IOException if it cannot be read
     */
    public static byte[] readLabels(Path file) throws IOException {
        return labels(unzipped(Files.readAllBytes(file), file.toString(), LARGEST), file.toString());
    }

    static DigitImages images(byte[] bytes, String name) throws InvalidIdxException {
        int[] sizes = header(bytes, IMAGE_DIMENSIONS, name);
        return new DigitImages(sizes[0], sizes[1], sizes[2], bytes, 4 + 4 * IMAGE_DIMENSIONS);
    }

    static byte[] labels(byte[] bytes, String name) throws InvalidIdxException {
        header(bytes, LABEL_DIMENSIONS, name);
        return Arrays.copyOfRange(bytes, 4 + 4 * LABEL_DIMENSIONS, bytes.length);
    }

    /** The content of a plain or gzip file, refusing to grow beyond {@code limit} bytes. */
    static byte[] unzipped(byte[] bytes, String name, int limit) throws InvalidIdxException {
        if (bytes.length < 2 || (bytes[0] & 0xff) != 0x1f || (bytes[1] & 0xff) != 0x8b) {
            return bytes;
        }
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            byte[] content = in.readNBytes(limit);
            if (in.read() >= 0) {
                throw new InvalidIdxException(name, "unpacks to more than " + limit + " bytes");
            }
            return content;
        } catch (InvalidIdxException e) {
            throw e;
        } catch (IOException e) {
            InvalidIdxException damaged =
                    new InvalidIdxException(name, "the gzip data are damaged or cut short (" + e.getMessage() + ")");
            damaged.initCause(e);
            throw damaged;
        }
    }

    private static int[] header(byte[] bytes, int dimensions, String name) throws InvalidIdxException {
        int length = 4 + 4 * dimensions;
        if (bytes.length < 4) {
            throw new InvalidIdxException(name, "has " + bytes.length + " bytes; an IDX file has at least 4");
        }
        if (bytes[0] != 0 || bytes[1] != 0) {
            throw new InvalidIdxException(name, String.format("begins with %02x %02x; an IDX file begins with 00 00",
                    bytes[0], bytes[1]));
        }
        if (bytes[2] != UNSIGNED_BYTE) {
            throw new InvalidIdxException(name, "holds type " + (bytes[2] & 0xff) + "; only " + UNSIGNED_BYTE
                    + ", unsigned bytes, is read");
        }
        if (bytes[3] != dimensions) {
            throw new InvalidIdxException(name, "has " + (bytes[3] & 0xff) + " dimensions; "
                    + (dimensions == IMAGE_DIMENSIONS ? "images have 3" : "labels have 1"));
        }
        if (bytes.length < length) {
            throw new InvalidIdxException(name, "ends within its header, after " + bytes.length + " bytes");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 4, 4 * dimensions);
        int[] sizes = new int[dimensions];
        long total = 1;
        for (int i = 0; i < dimensions; i++) {
            sizes[i] = buffer.getInt();
            // The first size counts items and may be 0; images of no pixels are no images.
            if (sizes[i] < (i == 0 ? 0 : 1)) {
                throw new InvalidIdxException(name, "has size " + sizes[i] + " in dimension " + i);
            }
            total = Math.min(Long.MAX_VALUE / Integer.MAX_VALUE, total * sizes[i]);
        }
        if (bytes.length - length != total) {
            throw new InvalidIdxException(name, "has " + (bytes.length - length) + " bytes after its header, which "
                    + "says " + Arrays.toString(sizes) + " = " + total);
        }
        return sizes;
    }
}
