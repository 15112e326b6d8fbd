package io.mdnf.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes files that appear whole or not at all: to a temporary neighbour first, to the disk, then moved into place.
 *
 * <p>Whenever the process is killed, the old file (or none) or the new one stands there. What a kill can leave is the
 * temporary, whose name starts with "." and ends with {@link #TEMPORARY}.
 *
 * <pre>{@code
 * AtomicFiles.write(folder.resolve("report.html"), html);
 * }</pre>
 */
public final class AtomicFiles {

    /** How the names of temporaries end. */
    public static final String TEMPORARY = ".part";

    private static final Logger LOG = LoggerFactory.getLogger(AtomicFiles.class);

    private AtomicFiles() {
    }

    /** What goes into a file. */
    @FunctionalInterface
    public interface Content {

        /** Writes everything into an empty file; may go back and overwrite. */
        void writeTo(FileChannel channel) throws IOException;
    }

    /** Writes bytes as {@link #write(Path, Content)} does. */
    public static void write(Path file, byte[] content) throws IOException {
        write(file, channel -> writeFully(channel, ByteBuffer.wrap(content)));
    }

    /** Writes text as UTF-8, as {@link #write(Path, Content)} does. */
    public static void write(Path file, String text) throws IOException {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes what may be too large to hold as one array, replacing an existing file; missing folders are made. Throws
     * with a message of one line if it cannot; what stood there still stands.
     */
    public static void write(Path file, Content content) throws IOException {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            replace(file, content);
        } catch (IOException e) {
            throw new IOException(file + " cannot be written: " + reason(e), e);
        }
    }

    /** As {@link #write(Path, Content)}, with the file system's own exceptions; the folder must exist. */
    public static void replace(Path file, Content content) throws IOException {
        Path target = file.toAbsolutePath();
        // Not a system temporary file: another disk could not be moved from, and only its owner could read it.
        Path part = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID() + TEMPORARY);
        try {
            try (FileChannel out = FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                content.writeTo(out);
                out.force(true);
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            remove(part);
        }
        forceFolder(target.getParent());
    }

    /** Writes all that remains in a buffer. */
    public static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Returns what went wrong, in words: NIO's messages are often only the file's name. */
    public static String reason(IOException e) {
        if (e instanceof NoSuchFileException missing) {
            return missing.getFile() + " does not exist, or its folder does not";
        }
        if (e instanceof AccessDeniedException denied) {
            return "no permission for " + denied.getFile();
        }
        if (e instanceof FileSystemException other && other.getReason() != null) {
            return other.getReason();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** After a failure the first error matters, not that its temporary could not be removed either. */
    private static void remove(Path part) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            LOG.warn("temporary file {} stays: {}", part, reason(e));
        }
    }

    /** Makes the move itself durable. Windows cannot open folders, and there the move is journalled anyway. */
    private static void forceFolder(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            LOG.debug("folder {} cannot be forced to disk: {}", folder, reason(e));
        }
    }
}
