package io.mdnf.vae;

import io.mdnf.file.AtomicFiles;
import java.awt.image.BufferedImage;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

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
    public static final int BACKGROUND = 96;


    /** Checks the ranges. */
    public DigitGrid {
        if (columns < 1 || height < 1 || width < 1 || scale < 1 || gap < 0) {
            throw new IllegalArgumentException("columns " + columns + ", height " + height + ", width " + width
                    + ", scale " + scale + " must be at least 1 and gap " + gap + " at least 0");
        }
    }

    /**
     * A grid for MNIST: 28 x 28, twice enlarged, two pixels apart.
     *
     * @param columns images per row
     * @return the grid
     */
    public static DigitGrid mnist(int columns) {
        return new DigitGrid(columns, 28, 28, 2, 2);
    }

    /**
     * Draws the images.
     *
     * @param images [n * height * width], n at least 1, none NaN
     * @return the picture
     */
    public BufferedImage draw(float[] images) {
        int size = height * width;
        if (images.length == 0 || images.length % size != 0) {
            throw new IllegalArgumentException("there are " + images.length + " pixels; images of " + height + " x "
                    + width + " need a positive multiple of " + size);
        }
        int count = images.length / size;
        int rows = (count + columns - 1) / columns;
        BufferedImage picture = new BufferedImage(gap + columns * (width * scale + gap),
                gap + rows * (height * scale + gap), BufferedImage.TYPE_BYTE_GRAY);
        // The raster, since setRGB would bend the greys by a colour profile.
        WritableRaster raster = picture.getRaster();
        for (int y = 0; y < picture.getHeight(); y++) {
            for (int x = 0; x < picture.getWidth(); x++) {
                raster.setSample(x, y, 0, BACKGROUND);
            }
        }
        for (int i = 0; i < count; i++) {
            int left = gap + i % columns * (width * scale + gap);
            int top = gap + i / columns * (height * scale + gap);
            for (int y = 0; y < height * scale; y++) {
                for (int x = 0; x < width * scale; x++) {
                    raster.setSample(left + x, top + y, 0, shade(images, i * size + y / scale * width + x / scale));
                }
            }
        }
        return picture;
    }

    /**
     * Writes the images as a PNG file, which appears whole or not at all.
     *
     * @param file where to; an existing file is replaced
     * @param images [n * height * width]
     * @throws IOException if it cannot be written
     */
    public void write(Path file, float[] images) throws IOException {
        AtomicFiles.write(file, png(draw(images)));
    }

    private static byte[] png(BufferedImage picture) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        // In memory: ImageIO.write would put a cache file into the temporary folder.
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            writer.setOutput(out);
            writer.write(picture);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }

    private static int shade(float[] images, int at) {
        float value = images[at];
        if (Float.isNaN(value)) {
            throw new IllegalArgumentException("pixel " + at + " is NaN; pixels are numbers from 0 to 1");
        }
        return Math.round(Math.max(0, Math.min(1, value)) * 255);
    }
}
