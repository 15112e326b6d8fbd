package io.mdnf.checkpoint;

import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.Precision;
import io.mdnf.random.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One checkpoint in one file.
 *
 * <pre>
 * offset  bytes  what
 *      0      8  magic: 89 'M' 'D' 'N' 'F' 0D 0A 1A
 *      8      4  format version
 *     12      8  length of the content
 *     20     32  SHA-256 of the content
 *     52      .  content: see the source; big-endian
 * </pre>
 *
 * <p>Every bit of the file is covered: those of the header must have one value each, those of the content must match
 * the hash. Nothing of the content is interpreted before that.
 */
public final class CheckpointFile {

    /** The format version that this program writes and reads. */
    public static final int VERSION = 1;

    /** Not text in its first byte, and with a line end that a transfer in text mode would change, as in PNG. */
    private static final byte[] MAGIC = {(byte) 0x89, 'M', 'D', 'N', 'F', 0x0D, 0x0A, 0x1A};
    private static final int HEADER = MAGIC.length + Integer.BYTES + Long.BYTES + ContentWriter.HASH_BYTES;
    private static final String OLDER = "resume from an older checkpoint, or start again";

    private CheckpointFile() {
    }

    /**
     * Writes a checkpoint; the file appears whole or not at all, and is on the disk when this returns.
     *
     * @param file where to; an existing file is replaced, its folder must exist
     * @param checkpoint what to write
     * @throws CheckpointException if it cannot be written
     */
    public static void write(Path file, Checkpoint checkpoint) throws CheckpointException {
        try {
            AtomicFiles.replace(file, channel -> writeTo(channel, checkpoint));
        } catch (IOException e) {
            throw new CheckpointException(file, "cannot be written: " + AtomicFiles.reason(e),
                    "check that the folder exists, is writable and has space left", e);
        }
    }

    /**
     * Reads a checkpoint back, after its magic, version, length and hash have been found right.
     *
     * @param file a file written by {@link #write}
     * @return the checkpoint
     * @throws CheckpointException if it is not there, damaged, or of another version
     */
    public static Checkpoint read(Path file) throws CheckpointException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long length = verify(file, channel);
            channel.position(HEADER);
            try {
                return parse(new ContentReader(channel, length));
            } catch (ContentReader.MalformedException | IllegalArgumentException | ArithmeticException e) {
                throw new CheckpointException(file, "its hash is right but its content is not a checkpoint's: "
                        + e.getMessage(), "it was written by a faulty program: " + OLDER, e);
            }
        } catch (CheckpointException e) {
            throw e;
        } catch (IOException e) {
            throw new CheckpointException(file, "cannot be read: " + AtomicFiles.reason(e),
                    "check the path and its permissions", e);
        }
    }

    private static void writeTo(FileChannel channel, Checkpoint checkpoint) throws IOException {
        channel.position(HEADER);
        ContentWriter content = new ContentWriter(channel);
        write(content, checkpoint);
        byte[] hash = content.finish();
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        header.put(MAGIC).putInt(VERSION).putLong(channel.position() - HEADER).put(hash).flip();
        channel.position(0);
        AtomicFiles.writeFully(channel, header);
    }

    private static void write(ContentWriter out, Checkpoint checkpoint) throws IOException {
        out.text(checkpoint.configuration());
        out.number(checkpoint.seed().value());
        out.number(checkpoint.step());
        out.text(checkpoint.precision().name());
        List<Parameter> parameters = checkpoint.layout().parameters();
        out.number(parameters.size());
        for (Parameter parameter : parameters) {
            out.text(parameter.name());
            long[] shape = parameter.shape();
            out.number(shape.length);
            for (long extent : shape) {
                out.number(extent);
            }
        }
        out.array(checkpoint.rawParameters());
        out.text(checkpoint.optimiser());
        out.number(checkpoint.rawOptimiserState().length);
        for (double[] slot : checkpoint.rawOptimiserState()) {
            out.array(slot);
        }
        out.number(checkpoint.updates());
        out.number(checkpoint.rawArrays().size());
        for (Map.Entry<String, double[]> array : checkpoint.rawArrays().entrySet()) {
            out.text(array.getKey());
            out.array(array.getValue());
        }
        out.number(checkpoint.rawNumbers().size());
        for (Map.Entry<String, Long> number : checkpoint.rawNumbers().entrySet()) {
            out.text(number.getKey());
            out.number(number.getValue());
        }
    }

    private static Checkpoint parse(ContentReader in) throws IOException {
        String configuration = in.text();
        Seed seed = new Seed(in.number());
        long step = in.number();
        Precision precision = Precision.valueOf(in.text());
        List<Parameter> parameters = new ArrayList<>();
        for (int i = in.count(); i > 0; i--) {
            String name = in.text();
            long[] shape = new long[in.count()];
            for (int axis = 0; axis < shape.length; axis++) {
                shape[axis] = in.number();
            }
            parameters.add(new Parameter(name, (draws, s) -> new double[0], shape));
        }
        Checkpoint.Builder builder = Checkpoint.owning(new ParameterLayout(parameters), in.array())
                .configuration(configuration).seed(seed).step(step).precision(precision);
        String optimiser = in.text();
        double[][] state = new double[in.count()][];
        for (int slot = 0; slot < state.length; slot++) {
            state[slot] = in.array();
        }
        builder.optimiser(optimiser, state, in.number());
        for (int i = in.count(); i > 0; i--) {
            builder.array(in.text(), in.array());
        }
        for (int i = in.count(); i > 0; i--) {
            builder.number(in.text(), in.number());
        }
        in.requireEnd();
        return builder.build();
    }

    /** Returns the length of the content, whose hash is right. */
    private static long verify(Path file, FileChannel channel) throws IOException {
        long size = channel.size();
        if (size < HEADER) {
            throw new CheckpointException(file, "has " + size + " bytes, less than a checkpoint's header of " + HEADER,
                    "it was cut off: " + OLDER, null);
        }
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        ContentReader.readFully(channel, header);
        byte[] magic = new byte[MAGIC.length];
        header.flip().get(magic);
        if (!MessageDigest.isEqual(magic, MAGIC)) {
            throw new CheckpointException(file, "is not an MDNF checkpoint (its first bytes are others)",
                    "check the path; if it is right, " + OLDER, null);
        }
        int version = header.getInt();
        if (version != VERSION) {
            throw new CheckpointException(file, "has format version " + version + ", this program reads version "
                    + VERSION, "use the version of MDNF that wrote it; if that is this one, " + OLDER, null);
        }
        long length = header.getLong();
        if (length != size - HEADER) {
            throw new CheckpointException(file, "should hold " + length + " bytes of content, but has "
                    + (size - HEADER), "it was cut off or appended to: " + OLDER, null);
        }
        byte[] hash = new byte[ContentWriter.HASH_BYTES];
        header.get(hash);
        if (!MessageDigest.isEqual(hash, ContentReader.hash(channel))) {
            throw new CheckpointException(file, "is damaged (the SHA-256 of its content does not match)", OLDER, null);
        }
        return length;
    }
}
