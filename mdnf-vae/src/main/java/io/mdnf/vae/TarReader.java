package io.mdnf.vae;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Walks through the regular files of a ustar archive, the form npm packs; other entries are passed over. */
final class TarReader implements AutoCloseable {
    private static final int BLOCK = 512;

    private final InputStream in;
    private String name = "";
    private long size;
    private long unread;

    TarReader(InputStream in) {
        this.in = in;
    }

    /** Goes to the next regular file; false at the end. */
    boolean next() throws IOException {
        while (true) {
            in.skipNBytes(unread);
            unread = 0;
            byte[] header = in.readNBytes(BLOCK);
            if (header.length == 0 || header.length == BLOCK && header[0] == 0) {
                return false;
            }
            if (header.length < BLOCK) {
                throw new EOFException("the archive is cut short");
            }
            String prefix = text(header, 257, 5).equals("ustar") ? text(header, 345, 155) : "";
            name = (prefix.isEmpty() ? "" : prefix + "/") + text(header, 0, 100);
            size = octal(text(header, 124, 12).strip());
            unread = (size + BLOCK - 1) / BLOCK * BLOCK;
            if (header[156] == '0' || header[156] == 0) {
                return true;
            }
        }
    }

    /** The name of the current file. */
    String name() {
        return name;
    }

    /** The content of the current file, or its first {@code limit} bytes if it is longer. */
    byte[] content(int limit) throws IOException {
        int wanted = (int) Math.min(limit, size);
        byte[] content = in.readNBytes(wanted);
        if (content.length < wanted) {
            throw new EOFException(name + " is cut short");
        }
        unread -= wanted;
        return content;
    }

    private static String text(byte[] header, int from, int length) {
        int end = from;
        while (end < from + length && header[end] != 0) {
            end++;
        }
        return new String(header, from, end - from, StandardCharsets.UTF_8);
    }

    private static long octal(String digits) throws IOException {
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException e) {
            throw new IOException("the archive has an entry of size '" + digits + "'", e);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
