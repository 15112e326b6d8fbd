package io.mdnf.plot;

import io.mdnf.space.Check;
import java.awt.image.BufferedImage;
import java.awt.image.WritableRaster;
import java.util.Arrays;

/**
 * A picture of many grey images in rows and columns, needing no display. Values run from 0, black, to 1, white; what
 * lies outside is clipped. Images fill the grid row by row; places left over stay empty.
 *
 * @param columns images per row
 * @param height rows of one image
 * @param width columns of one image
 * @param scale screen pixels per image pixel
 * @param gap screen pixels between images
 */
public record DigitGrid(int columns, int height, int width, int scale, int gap) {
    /** The grey of places without an image, 0 to 255. */
    private static final int BACKGROUND = 96;

    /** Checks the ranges. */
    public DigitGrid {
        Check.that(columns >= 1 && height >= 1 && width >= 1 && scale >= 1 && gap >= 0, "columns ", columns,
                ", height ", height, ", width ", width, ", scale ", scale, " must be at least 1 and gap ", gap,
                " at least 0");
    }

    /** Rows of images [n * height * width], each over the row of their partners, of the same shape. */
    public PngImage drawPairs(float[] images, float[] partners) {
        int size = height * width;
        int count = images.length / size;
        float[] both = new float[2 * ((count + columns - 1) / columns) * columns * size];
        Arrays.fill(both, BACKGROUND / 255f);
        for (int i = 0; i < count; i++) {
            int at = (2 * (i / columns) * columns + i % columns) * size;
            System.arraycopy(images, i * size, both, at, size);
            System.arraycopy(partners, i * size, both, at + columns * size, size);
        }
        return draw(both);
    }

    /** Draws images [n * height * width], n at least 1, none NaN. */
    public PngImage draw(float[] images) {
        int size = height * width;
        Check.that(images.length != 0 && images.length % size == 0, "there are ", images.length, " pixels; images of ",
                height, " x ", width, " need a positive multiple of ", size);
        int count = images.length / size;
        int rows = (count + columns - 1) / columns;
        BufferedImage picture = new BufferedImage(gap + columns * (width * scale + gap),
                gap + rows * (height * scale + gap), BufferedImage.TYPE_BYTE_GRAY);
        // The raster, since setRGB would bend the greys by a colour profile.
        WritableRaster raster = picture.getRaster();
        int[] empty = new int[picture.getWidth() * picture.getHeight()];
        Arrays.fill(empty, BACKGROUND);
        raster.setPixels(0, 0, picture.getWidth(), picture.getHeight(), empty);
        for (int i = 0; i < count; i++) {
            int left = gap + i % columns * (width * scale + gap);
            int top = gap + i / columns * (height * scale + gap);
            for (int y = 0; y < height * scale; y++) {
                for (int x = 0; x < width * scale; x++) {
                    raster.setSample(left + x, top + y, 0, shade(images, i * size + y / scale * width + x / scale));
                }
            }
        }
        return PngImage.of(picture);
    }

    private static int shade(float[] images, int at) {
        float value = images[at];
        if (Float.isNaN(value)) {
            throw new IllegalArgumentException("pixel " + at + " is NaN; pixels are numbers from 0 to 1");
        }
        return Math.round(Math.max(0, Math.min(1, value)) * 255);
    }
}
