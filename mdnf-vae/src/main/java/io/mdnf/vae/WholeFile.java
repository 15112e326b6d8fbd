package io.mdnf.vae;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Writes a file that appears whole or not at all: to a neighbour first, to the disk, then moved into place. */
final class WholeFile {
    static final String PART = ".part";

    private WholeFile() {
    }

    static void write(Path file, byte[] content) throws IOException {
        Path target = file.toAbsolutePath();
        Path part = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID() + PART);
        try {
            try (FileChannel out = FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer buffer = ByteBuffer.wrap(content);
                while (buffer.hasRemaining()) {
                    out.write(buffer);
                }
                out.force(true);
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
