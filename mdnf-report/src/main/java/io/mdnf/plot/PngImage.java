package io.mdnf.plot;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.MemoryCacheImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** An image as the bytes of a PNG file; a value, equal when the bytes are. JSON holds it as base64. */
public final class PngImage {
    private final byte[] bytes;
    private final BufferedImage pixels;

    private PngImage(byte[] bytes, BufferedImage pixels) {
        this.bytes = bytes;
        this.pixels = pixels;
    }

    /** Encodes pixels. */
    public static PngImage of(BufferedImage pixels) {
        return of(encode(pixels));
    }

    /** Takes a PNG file's content; what is none is refused. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static PngImage of(byte[] bytes) {
        return new PngImage(bytes.clone(), decode(bytes));
    }

    /** {@return the content of the PNG file} */
    @JsonValue
    public byte[] bytes() {
        return bytes.clone();
    }

    /** {@return pixels across} */
    public int width() {
        return pixels.getWidth();
    }

    /** {@return pixels down} */
    public int height() {
        return pixels.getHeight();
    }

    BufferedImage decode() {
        return pixels;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PngImage that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "PngImage[" + width() + " x " + height() + "]";
    }

    private static byte[] encode(BufferedImage pixels) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        // Through memory: given a plain stream, ImageIO would put a cache file into the temporary folder.
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            ImageIO.write(pixels, "png", out);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot encode an image in memory", e);
        }
        return bytes.toByteArray();
    }

    private static BufferedImage decode(byte[] bytes) {
        ImageReader reader = ImageIO.getImageReadersByFormatName("png").next();
        try (MemoryCacheImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(bytes))) {
            reader.setInput(in);
            return reader.read(0);
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException("these " + bytes.length + " bytes are not a PNG image", e);
        } finally {
            reader.dispose();
        }
    }
}
