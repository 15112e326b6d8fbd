package io.mdnf.file;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** Files that may be packed: gzip is told by the first two bytes, not by the name. */
public final class Gzip {

    private Gzip() {
    }

    /**
     * Returns plain bytes as they are, and gzip unpacked up to {@code most} bytes: a caller with a limit gives one
     * more and looks at the length. Throws if packed bytes are damaged or cut short.
     */
    public static byte[] unpacked(byte[] bytes, int most) throws IOException {
        if (bytes.length < 2 || bytes[0] != (byte) 0x1f || bytes[1] != (byte) 0x8b) {
            return bytes;
        }
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return in.readNBytes(most);
        } catch (IOException e) {
            throw new IOException("the gzip data are damaged or cut short (" + e.getMessage() + ")", e);
        }
    }
}
