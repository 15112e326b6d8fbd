package io.mdnf.cli;

import io.mdnf.file.AtomicFiles;
import io.mdnf.file.Sha256;
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
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Items that are written block by block beside the file they will be, and moved there when all are written. What a kill
 * leaves is gone on with: the name it grows under holds a hash of what was asked, and a journal beside it has a line
 * for each block, of how many items and bytes there are with it, and a hash of both and the block. Blocks are kept as
 * far as their hashes agree; what stands behind them is written again.
 */
final class GrowingFile implements AutoCloseable {

    private static final Pattern LINE = Pattern.compile("(\\d{1,18}) (\\d{1,18}) [0-9a-f]{64}\n");

    private final Path file;
    private final Path part;
    private final Path journal;
    private final FileChannel blocks;
    private final FileChannel lines;
    private long items;
    private long bytes;
    private boolean cut;

    private GrowingFile(Path file, Path part, Path journal) throws IOException {
        this.file = file;
        this.part = part;
        this.journal = journal;
        this.blocks = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        this.lines = FileChannel.open(journal, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /**
     * Begins, or with resume goes on; what a stopped run kept is never begun anew by itself.
     *
     * @param asked a hash of everything that the content depends on
     * @param header the first line
     */
    static GrowingFile open(Path file, String asked, String header, boolean resume) throws IOException {
        Path whole = file.toAbsolutePath();
        String name = "." + whole.getFileName() + "." + asked;
        Path part = whole.resolveSibling(name + AtomicFiles.TEMPORARY);
        if (resume && !Files.exists(part)) {
            throw new UsageProblem("--resume: nothing of this question was begun for " + file
                    + "; without --resume it is");
        }
        if (!resume && Files.exists(part)) {
            throw new UsageProblem(file + ": a run that was stopped kept answers to this question in "
                    + part.getFileName() + " beside it; go on with --resume, or delete that file to begin anew");
        }
        UsageProblem.ifNotMade(whole.getParent());
        GrowingFile growing = new GrowingFile(file, part, whole.resolveSibling(name + ".journal"
                + AtomicFiles.TEMPORARY));
        growing.keep(resume);
        if (growing.bytes == 0) {
            growing.write(header, 0);
        }
        return growing;
    }

    /** Keeps all blocks up to the first that is damaged or incomplete, or none. */
    private void keep(boolean any) throws IOException {
        int journalled = 0;
        if (any) {
            // any byte is a character there, so that damage is read too
            Matcher line = LINE.matcher(Files.readString(journal, StandardCharsets.ISO_8859_1));
            try (InputStream in = new BufferedInputStream(Files.newInputStream(part))) {
                for (; line.find() && line.start() == journalled; journalled = line.end()) {
                    long length = Math.min(Long.parseLong(line.group(2)), blocks.size()) - bytes;
                    byte[] block = in.readNBytes((int) Math.max(0, length));
                    long count = Long.parseLong(line.group(1));
                    if (!line.group().equals(line(count, bytes + block.length, block))) {
                        break;
                    }
                    items = count;
                    bytes += block.length;
                }
            }
            cut = blocks.size() > bytes || lines.size() > journalled;
        }
        blocks.truncate(bytes).position(bytes);
        lines.truncate(journalled).position(journalled);
    }

    private static String line(long items, long bytes, byte[] block) {
        String counts = items + " " + bytes + " ";
        MessageDigest digest = Sha256.digest();
        digest.update(counts.getBytes(StandardCharsets.UTF_8));
        return counts + HexFormat.of().formatHex(digest.digest(block)) + "\n";
    }

    /** {@return how many items are there} */
    long items() {
        return items;
    }

    /** {@return whether something stood behind what was kept} */
    boolean isCut() {
        return cut;
    }

    /** Writes a block, with which there are so many items; then it is on the disk. */
    void write(String text, long count) throws IOException {
        byte[] block = text.getBytes(StandardCharsets.UTF_8);
        items = count;
        bytes += block.length;
        AtomicFiles.writeFully(blocks, ByteBuffer.wrap(block));
        blocks.force(false);
        AtomicFiles.writeFully(lines, ByteBuffer.wrap(line(items, bytes, block)
                .getBytes(StandardCharsets.UTF_8)));
        lines.force(false);
    }

    /** All is written. */
    void complete() throws IOException {
        close();
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Files.delete(journal);
    }

    @Override
    public void close() throws IOException {
        blocks.close();
        lines.close();
    }
}
