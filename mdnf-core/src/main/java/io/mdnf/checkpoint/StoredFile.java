package io.mdnf.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mdnf.file.AtomicFiles;
import io.mdnf.file.Sha256;
import io.mdnf.space.Check;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * What a file holds for later: a description in JSON and named arrays, under a hash.
 *
 * <pre>
 * offset  bytes  what
 *      0      8  magic: 89 'M' 'D' 'N' 'F' 0D 0A 1A
 *      8      4  format version
 *     12      8  length of the content
 *     20     32  SHA-256 of the content
 *     52      .  content, big-endian: kind, description, number of arrays;
 *                of each its name, length, bytes per value, values
 * </pre>
 *
 * <p>Every bit of the file is covered: those of the header must have one value each, those of the content must match
 * the hash. Nothing of the content is interpreted before that. Arrays take 32 bits per value where every value is a
 * float, which loses nothing, else 64.
 *
 * <pre>{@code
 * StoredFile.write(file, StoredFile.Kind.CHECKPOINT, new About(7), new TreeMap<>(Map.of("weights", weights)));
 * double[] read = StoredFile.read(
 *         file, StoredFile.Kind.CHECKPOINT, About.class, (about, arrays) -> arrays.get("weights"));
 * }</pre>
 *
 * <p>Internal: checkpoints and distributions write and read themselves by it.
 */
public final class StoredFile {

    /** The format version that this program writes and reads. */
    public static final int VERSION = 2;

    /** Reads and writes descriptions: nothing may be missing, null, unknown or left over. */
    public static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** Not text in its first byte, and with a line end that a transfer in text mode would change, as in PNG. */
    private static final byte[] MAGIC = {(byte) 0x89, 'M', 'D', 'N', 'F', 0x0D, 0x0A, 0x1A};
    private static final int HASH_BYTES = 32;
    private static final int HEADER = MAGIC.length + Integer.BYTES + Long.BYTES + HASH_BYTES;
    /** Values written or read at once. */
    private static final int BLOCK = 8192;

    /** What a file can hold. */
    public enum Kind {
        /** The state of a run. */
        CHECKPOINT("resume from an older checkpoint, or start again"),
        /** A distribution over codes. */
        DISTRIBUTION("save the distribution again"),
        /** A posterior of a model, beside the file of its distribution. */
        POSTERIOR("fit again");

        private final String advice;

        Kind(String advice) {
            this.advice = advice;
        }
    }

    private StoredFile() {}

    /**
     * Writes a file of a description (a record, which Jackson can write) and arrays by name; it appears whole or not at
     * all, and is on the disk when this returns. An existing file is replaced, its folder must exist.
     */
    public static void write(Path file, Kind kind, Object description, SortedMap<String, double[]> arrays)
            throws StoredFileException {
        try {
            String json = JSON.writeValueAsString(description);
            AtomicFiles.replace(file, channel -> writeTo(channel, kind, json, arrays));
        } catch (IOException e) {
            throw new StoredFileException(file, "cannot be written: " + AtomicFiles.reason(e),
                    "check that the folder exists, is writable and has space left", e);
        }
    }

    private static void writeTo(FileChannel channel, Kind kind, String description, SortedMap<String, double[]> arrays)
            throws IOException {
        channel.position(HEADER);
        MessageDigest digest = Sha256.digest();
        OutputStream hashed = new DigestOutputStream(Channels.newOutputStream(channel), digest);
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(hashed, Double.BYTES * BLOCK));
        text(out, kind.name());
        text(out, description);
        out.writeInt(arrays.size());
        for (Map.Entry<String, double[]> array : arrays.entrySet()) {
            text(out, array.getKey());
            array(out, array.getValue());
        }
        out.flush();
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        header.put(MAGIC).putInt(VERSION).putLong(channel.position() - HEADER).put(digest.digest()).flip();
        channel.position(0);
        AtomicFiles.writeFully(channel, header);
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static void array(DataOutputStream out, double[] values) throws IOException {
        int width = allFloats(values) ? Float.BYTES : Double.BYTES;
        out.writeInt(values.length);
        out.writeInt(width);
        ByteBuffer block = ByteBuffer.allocate(width * BLOCK);
        for (int i = 0; i < values.length; i++) {
            if (width == Float.BYTES) {
                block.putFloat((float) values[i]);
            } else {
                block.putDouble(values[i]);
            }
            if (!block.hasRemaining() || i == values.length - 1) {
                out.write(block.array(), 0, block.position());
                block.clear();
            }
        }
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

    /**
     * Reads a file back, after its magic, version, length and hash have been found right.
     *
     * @param value makes the value of description and arrays, or refuses with an IllegalArgumentException
     * @throws StoredFileException if the file is not there, damaged, of another version or kind, or refused
     */
    public static <D, T> T read(Path file, Kind kind, Class<D> description,
            BiFunction<D, SortedMap<String, double[]>, T> value) throws StoredFileException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            Content content = new Content(channel, verify(file, kind, channel));
            try {
                D about = JSON.readValue(content.description(kind), description);
                return value.apply(about, content.arrays());
            } catch (JsonProcessingException e) {
                throw malformed(file, kind, e.getOriginalMessage().lines().findFirst().orElse("no JSON"), e);
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw malformed(file, kind, e.getMessage(), e);
            }
        } catch (StoredFileException e) {
            throw e;
        } catch (IOException e) {
            throw new StoredFileException(file, "cannot be read: " + AtomicFiles.reason(e),
                    "check the path and its permissions", e);
        }
    }

    private static StoredFileException malformed(Path file, Kind kind, String why, Exception cause) {
        return new StoredFileException(file, "its hash is right but its content is not a "
                + kind.name().toLowerCase(Locale.ROOT) + "'s: " + why,
                "check the path, or the program that wrote it: " + kind.advice, cause);
    }

    /** Returns the length of the content, whose hash is right. */
    private static long verify(Path file, Kind kind, FileChannel channel) throws IOException {
        long size = channel.size();
        ByteBuffer header = ByteBuffer.wrap(Channels.newInputStream(channel).readNBytes(HEADER));
        if (header.limit() < HEADER) {
            throw new StoredFileException(file, "has " + size + " bytes, less than the header of " + HEADER,
                    "it was cut off: " + kind.advice, null);
        }
        if (!header.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
            throw new StoredFileException(file, "is not an MDNF file (its first bytes are others)",
                    "check the path; if it is right, " + kind.advice, null);
        }
        int version = header.position(MAGIC.length).getInt();
        if (version != VERSION) {
            throw new StoredFileException(file, "has format version " + version + ", this program reads version "
                    + VERSION, "use the version of MDNF that wrote it; if that is this one, " + kind.advice, null);
        }
        long length = header.getLong();
        if (length != size - HEADER) {
            throw new StoredFileException(file, "should hold " + length + " bytes of content, but has "
                    + (size - HEADER), "it was cut off or appended to: " + kind.advice, null);
        }
        if (!header.equals(ByteBuffer.wrap(Sha256.digest(Channels.newInputStream(channel))))) {
            throw new StoredFileException(file, "is damaged (the SHA-256 of its content does not match)", kind.advice,
                    null);
        }
        return length;
    }

    /** Reads the content; never allocates more than its whole length can fill. */
    private static final class Content {

        private final DataInputStream in;
        private final long length;

        Content(FileChannel channel, long length) throws IOException {
            channel.position(HEADER);
            this.in = new DataInputStream(
                    new BufferedInputStream(Channels.newInputStream(channel), Double.BYTES * BLOCK));
            this.length = length;
        }

        String description(Kind wanted) throws IOException {
            String kind = text();
            Check.that(kind.equals(wanted.name()), "it is a " + kind);
            return text();
        }

        SortedMap<String, double[]> arrays() throws IOException {
            SortedMap<String, double[]> arrays = new TreeMap<>();
            for (int i = size(1); i > 0; i--) {
                arrays.put(text(), array());
            }
            Check.that(in.read() < 0, "there are bytes too many");
            return arrays;
        }

        /** The number of things that follow, each of some bytes. */
        private int size(int bytesEach) throws IOException {
            int size = ByteBuffer.wrap(next(Integer.BYTES)).getInt();
            Check.that(size >= 0 && (long) size * bytesEach <= length, "it has ", size, " things in ", length,
                    " bytes");
            return size;
        }

        private String text() throws IOException {
            return new String(next(size(1)), StandardCharsets.UTF_8);
        }

        private double[] array() throws IOException {
            double[] values = new double[size(Float.BYTES)];
            int width = size(1);
            Check.that(width == Float.BYTES || width == Double.BYTES, "it has values of " + width + " bytes");
            for (int start = 0; start < values.length; start += BLOCK) {
                int end = Math.min(values.length, start + BLOCK);
                ByteBuffer block = ByteBuffer.wrap(next(width * (end - start)));
                for (int i = start; i < end; i++) {
                    values[i] = width == Float.BYTES ? block.getFloat() : block.getDouble();
                }
            }
            return values;
        }

        private byte[] next(int bytes) throws IOException {
            byte[] read = in.readNBytes(bytes);
            Check.that(read.length >= bytes, "it ends too early");
            return read;
        }
    }
}
