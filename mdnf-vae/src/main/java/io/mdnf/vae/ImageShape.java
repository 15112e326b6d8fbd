package io.mdnf.vae;

import io.mdnf.space.Check;
import java.io.Serializable;

/**
 * How the pixels of a row lie: height lines of width pixels, one after the other.
 *
 * @param height at least 1; 1 also where nothing is known but the number of pixels
 * @param width at least 1
 */
public record ImageShape(int height, int width) implements Serializable {

    /** Checks the ranges. */
    public ImageShape {
        Check.that(height >= 1 && width >= 1, "the image size is ", height, " x ", width, "; both must be at least 1");
    }

    /** {@return the pixels} */
    public int size() {
        return Math.multiplyExact(height, width);
    }

    /** {@return half as high and as wide, rounded up} */
    ImageShape halved() {
        return new ImageShape((height + 1) / 2, (width + 1) / 2);
    }

    @Override
    public String toString() {
        return height + " x " + width;
    }
}
