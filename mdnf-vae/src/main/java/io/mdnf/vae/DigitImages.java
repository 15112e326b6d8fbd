package io.mdnf.vae;

import java.util.Arrays;

/**
 * Grey images of one size, one byte per pixel, 0 black to 255 white: [count, height, width]. Immutable.
 *
 * <p>Bytes, not floats: 60,000 digits take 47 MB, and {@link #read} makes the numbers v / 255 when they are needed.
 */
public final class DigitImages implements ImageRows {
    private static final float[] SHADES = shades();

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

    /**
     * Images from their pixels; the array is copied.
     *
     * @param height rows of one image
     * @param width columns of one image
     * @param pixels image after image, row after row; its length is a multiple of height * width
     * @return the images
     */
    public static DigitImages of(int height, int width, byte[] pixels) {
        if (height < 1 || width < 1) {
            throw new IllegalArgumentException("the image size is " + height + " x " + width
                    + "; both must be at least 1");
        }
        if (pixels.length % Math.multiplyExact(height, width) != 0) {
            throw new IllegalArgumentException("there are " + pixels.length + " pixels; images of " + height + " x "
                    + width + " need a multiple of " + height * width);
        }
        return new DigitImages(pixels.length / (height * width), height, width, pixels.clone(), 0);
    }

    /**
     * Images in a file's content, which is not copied and must not change.
     *
     * @param count how many images
     * @param height rows of one image
     * @param width columns of one image
     * @param content holds the pixels, image after image, to its end
     * @return the images
     */
    public static DigitImages within(int count, int height, int width, byte[] content) {
        return new DigitImages(count, height, width, content, content.length - count * height * width);
    }

    private static float[] shades() {
        float[] shades = new float[256];
        for (int v = 0; v < shades.length; v++) {
            shades[v] = v / 255f;
        }
        return shades;
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
    public int size() {
        return height * width;
    }

    /**
     * {@return a pixel, 0 to 255}
     *
     * @param image which image
     * @param pixel which of its pixels, counted row after row
     */
    public int get(int image, int pixel) {
        return pixels[at(image) + pixel] & 0xff;
    }

    @Override
    public void read(int image, float[] target, int offset) {
        int from = at(image);
        for (int p = 0; p < size(); p++) {
            target[offset + p] = SHADES[pixels[from + p] & 0xff];
        }
    }

    /**
     * {@return the first images, sharing their memory}
     *
     * @param limit how many at most
     */
    public DigitImages first(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("limit is " + limit + "; it must not be negative");
        }
        return new DigitImages(Math.min(limit, count), height, width, pixels, start);
    }

    /** {@return a copy of all pixels [count * height * width]} */
    public byte[] toArray() {
        return Arrays.copyOfRange(pixels, start, start + count * size());
    }

    private int at(int image) {
        if (image < 0 || image >= count) {
            throw new IndexOutOfBoundsException("image " + image + " of " + count);
        }
        return start + image * size();
    }

    @Override
    public String toString() {
        return "DigitImages[" + count + ", " + height + ", " + width + "]";
    }
}
