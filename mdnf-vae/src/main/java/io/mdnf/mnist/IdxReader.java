package io.mdnf.mnist;

import io.mdnf.file.Gzip;
import io.mdnf.file.InvalidFileException;
import io.mdnf.vae.DigitImages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/**
 * Reads IDX files of unsigned bytes, plain or gzip (told by content). The format: two zero bytes, the type 8, the
 * number of dimensions, each size as a big-endian int, then the bytes. The sizes must agree with the file's length.
 */
final class IdxReader {
    private static final int UNSIGNED_BYTE = 8;
    private static final int IMAGE_DIMENSIONS = 3;
    private static final int LABEL_DIMENSIONS = 1;
    /** No IDX file of digits is near this; a gzip bomb is. */
    static final int LARGEST = 1 << 30;

    private IdxReader() {
    }

    static DigitImages images(byte[] bytes, String name) throws InvalidFileException {
        int[] sizes = header(bytes, IMAGE_DIMENSIONS, name);
        return DigitImages.within(sizes[0], sizes[1], sizes[2], bytes);
    }

    static byte[] labels(byte[] bytes, String name) throws InvalidFileException {
        header(bytes, LABEL_DIMENSIONS, name);
        return Arrays.copyOfRange(bytes, 4 + 4 * LABEL_DIMENSIONS, bytes.length);
    }

    /** The content of a plain or gzip file, refusing to grow beyond {@code limit} bytes. */
    static byte[] unzipped(byte[] bytes, String name, int limit) throws InvalidFileException {
        byte[] content;
        try {
            content = Gzip.unpacked(bytes, limit + 1);
        } catch (IOException e) {
            throw new InvalidFileException(name, e.getMessage(), e);
        }
        if (content != bytes && content.length > limit) {
            throw new InvalidFileException(name, "unpacks to more than " + limit + " bytes");
        }
        return content;
    }

    private static int[] header(byte[] bytes, int dimensions, String name) throws InvalidFileException {
        int length = 4 + 4 * dimensions;
        require(bytes.length >= 4, name, "has %d bytes; an IDX file has at least 4", bytes.length);
        require(bytes[0] == 0 && bytes[1] == 0, name, "begins with %02x %02x; an IDX file begins with 00 00", bytes[0],
                bytes[1]);
        require(bytes[2] == UNSIGNED_BYTE, name, "holds type %d; only 8, unsigned bytes, is read", bytes[2] & 0xff);
        require(bytes[3] == dimensions, name, "has %d dimensions; %s", bytes[3] & 0xff,
                dimensions == IMAGE_DIMENSIONS ? "images have 3" : "labels have 1");
        require(bytes.length >= length, name, "ends within its header, after %d bytes", bytes.length);
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 4, 4 * dimensions);
        int[] sizes = new int[dimensions];
        long total = 1;
        for (int i = 0; i < dimensions; i++) {
            sizes[i] = buffer.getInt();
            // The first size counts items and may be 0; images of no pixels are no images.
            require(sizes[i] >= (i == 0 ? 0 : 1), name, "has size %d in dimension %d", sizes[i], i);
            total = Math.min(Long.MAX_VALUE / Integer.MAX_VALUE, total * sizes[i]);
        }
        require(bytes.length - length == total, name, "has %d bytes after its header, which says %s = %d",
                bytes.length - length, Arrays.toString(sizes), total);
        return sizes;
    }

    private static void require(boolean holds, String name, String problem, Object... values)
            throws InvalidFileException {
        if (!holds) {
            throw new InvalidFileException(name, String.format(Locale.ROOT, problem, values));
        }
    }
}
