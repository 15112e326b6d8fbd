package io.mdnf.mnist;

import io.mdnf.space.Check;
import io.mdnf.vae.DigitImages;

/**
 * Images and the digit each one shows.
 *
 * @param labels one label per image, 0 to 9 for MNIST; shared, not to be changed
 */
public record LabelledImages(DigitImages images, byte[] labels) {

    /** Checks that there is one label per image. */
    public LabelledImages {
        Check.that(images.count() == labels.length, "there are ", labels.length, " labels; there are ", images.count(),
                " images");
    }

    /** {@return the number of images} */
    public int count() {
        return labels.length;
    }
}
