package io.mdnf.cli;

import io.mdnf.file.AtomicFiles;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Lines of numbered items that are written block by block beside the file they will be, and moved there when all are
 * written. What a kill leaves is gone on with: the name it grows under holds a hash of what was asked.
 */
final class GrowingFile implements AutoCloseable {

    private final Path file;
    private final Path part;
    private final FileChannel channel;
    private final long next;

    private GrowingFile(Path file, Path part, FileChannel channel, long next) {
        this.file = file;
        this.part = part;
        this.channel = channel;
        this.next = next;
    }

    /**
     * Begins, or with resume goes on.
     *
     * @param asked a hash of everything that the content depends on
     * @param header the first line
     */
    static GrowingFile open(Path file, String asked, String header, boolean resume) throws IOException {
        Path whole = file.toAbsolutePath();
        Path part = whole.resolveSibling("." + whole.getFileName() + "." + asked + AtomicFiles.TEMPORARY);
        if (resume && !Files.exists(part)) {
            throw new UsageProblem("--resume: nothing of this question was begun for " + file
                    + "; without --resume it is");
        }
        UsageProblem.ifNotMade(whole.getParent());
        FileChannel channel = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        long[] kept = resume ? kept(part) : new long[] {0, 1};
        channel.truncate(kept[0]).position(kept[0]);
        GrowingFile growing = new GrowingFile(file, part, channel, kept[1]);
        if (kept[0] == 0) {
            growing.write(header);
        }
        return growing;
    }

    /** Up to which byte a file is whole, and which item comes next: the last one found may have lost lines. */
    private static long[] kept(Path part) throws IOException {
        long at = 0;
        long start = 0;
        long last = 0;
        long number = 0;
        boolean inNumber = false;
        boolean headerRead = false;
        long lineStart = 0;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(part), 1 << 16)) {
            for (int c = in.read(); c >= 0; c = in.read()) {
                at++;
                if (c == '\n') {
                    if (!headerRead) {
                        start = at;
                    }
                    headerRead = true;
                    inNumber = true;
                    number = 0;
                    lineStart = at;
                } else if (inNumber && c >= '0' && c <= '9') {
                    number = 10 * number + c - '0';
                } else if (inNumber) {
                    inNumber = false;
                    if (number != last) {
                        last = number;
                        start = lineStart;
                    }
                }
            }
        }
        return new long[] {headerRead ? start : 0, Math.max(1, last)};
    }

    /** {@return the number of the first item that is not there yet, from 1} */
    long next() {
        return next;
    }

    void write(String lines) throws IOException {
        AtomicFiles.writeFully(channel, ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8)));
    }

    /** All is written. */
    void complete() throws IOException {
        channel.force(true);
        channel.close();
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
