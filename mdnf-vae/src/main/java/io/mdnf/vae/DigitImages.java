package io.mdnf.vae;

import io.mdnf.space.Check;
import java.util.Arrays;
import java.util.Objects;

/**
 * Grey images of one size, one byte per pixel, 0 black to 255 white: [count, height, width]. Immutable.
 *
 * <p>Bytes, not floats: 60,000 digits take 47 MB, and {@link #read} makes the numbers v / 255 when they are needed.
 */
public final class DigitImages implements ImageRows {
    private static final long serialVersionUID = 1;

    private final int count;
    private final int height;
    private final int width;
    private final byte[] pixels;
    private final int start;

    private DigitImages(int count, int height, int width, byte[] pixels, int start) {
        this.count = count;
        this.height = height;
        this.width = width;
        this.pixels = pixels;
        this.start = start;
    }

    /** Images from their pixels, image after image and row after row: a multiple of height * width of them, copied. */
    public static DigitImages of(int height, int width, byte[] pixels) {
        ImageShape shape = new ImageShape(height, width);
        Check.that(pixels.length % shape.size() == 0, "there are ", pixels.length, " pixels; images of ", shape,
                " need a multiple of ", shape.size());
        return new DigitImages(pixels.length / shape.size(), height, width, pixels.clone(), 0);
    }

    /** The images at the end of a file's content, which is not copied and must not change. */
    public static DigitImages within(int count, int height, int width, byte[] content) {
        return new DigitImages(count, height, width, content, content.length - count * height * width);
    }

    @Override
    public int count() {
        return count;
    }

    /** {@return the rows of one image} */
    public int height() {
        return height;
    }

    /** {@return the columns of one image} */
    public int width() {
        return width;
    }

    @Override
    public ImageShape shape() {
        return new ImageShape(height, width);
    }

    @Override
    public int size() {
        return height * width;
    }

    @Override
    public void read(int image, float[] target, int offset) {
        int size = size();
        int from = start + Objects.checkIndex(image, count) * size;
        for (int p = 0; p < size; p++) {
            target[offset + p] = (pixels[from + p] & 0xff) / 255f;
        }
    }

    /** {@inheritDoc} They share their memory. */
    @Override
    public DigitImages first(int limit) {
        Check.that(limit >= 0, "limit is ", limit, "; it must not be negative");
        return new DigitImages(Math.min(limit, count), height, width, pixels, start);
    }

    @Override
    public DigitImages chosen(int... images) {
        int size = size();
        byte[] copy = new byte[images.length * size];
        for (int i = 0; i < images.length; i++) {
            System.arraycopy(pixels, start + Objects.checkIndex(images[i], count) * size, copy, i * size, size);
        }
        return new DigitImages(images.length, height, width, copy, 0);
    }

    /** {@return the last images, at most so many} They share their memory. */
    public DigitImages last(int limit) {
        Check.that(limit >= 0, "limit is ", limit, "; it must not be negative");
        int taken = Math.min(limit, count);
        return new DigitImages(taken, height, width, pixels, start + (count - taken) * size());
    }

    /** {@return a copy of all pixels [count * height * width]} */
    public byte[] toArray() {
        return Arrays.copyOfRange(pixels, start, start + count * size());
    }

    @Override
    public String toString() {
        return count + " images of " + shape();
    }
}
