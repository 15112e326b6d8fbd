package io.mdnf.vae;

import java.util.random.RandomGenerator;

/**
 * How a grey byte v in 0..255 becomes the number in [0, 1] a model sees.
 *
 * <p>The paper uses {@link #grey}. The published likelihoods of the literature are for binary pixels, by
 * {@link #threshold} or {@link #dynamic}.
 */
public sealed interface Pixels {

    /**
     * Writes the pixels of one image.
     *
     * @param images where the image is
     * @param image which one
     * @param target receives {@code images.size()} numbers
     * @param offset where the first goes
     */
    void write(DigitImages images, int image, float[] target, int offset);

    /**
     * {@return a batch, [indices.length * images.size()], image after image}
     *
     * @param images where the images are
     * @param indices which ones, in which order
     */
    default float[] batch(DigitImages images, int... indices) {
        float[] result = new float[Math.multiplyExact(indices.length, images.size())];
        for (int i = 0; i < indices.length; i++) {
            write(images, indices[i], result, i * images.size());
        }
        return result;
    }

    /** {@return grey values v / 255, as in the paper} */
    static Pixels grey() {
        return new Grey();
    }

    /**
     * 1 where v / 255 reaches the level, else 0.
     *
     * @param level in (0, 1]; 0.5 is usual
     * @return the binarisation
     */
    static Pixels threshold(double level) {
        return new Threshold(level);
    }

    /**
     * 1 with probability v / 255, drawn anew each time a pixel is written.
     *
     * @param random all the randomness; with one generator per step a resumed run draws the same
     * @return the binarisation
     */
    static Pixels dynamic(RandomGenerator random) {
        return new Dynamic(random);
    }

    /** Grey values v / 255. */
    record Grey() implements Pixels {
        private static final float[] SHADES = shades();

        private static float[] shades() {
            float[] shades = new float[256];
            for (int v = 0; v < 256; v++) {
                shades[v] = v / 255f;
            }
            return shades;
        }

        @Override
        public void write(DigitImages images, int image, float[] target, int offset) {
            for (int p = 0; p < images.size(); p++) {
                target[offset + p] = SHADES[images.get(image, p)];
            }
        }
    }

    /**
     * 1 where v / 255 reaches the level, else 0.
     *
     * @param level in (0, 1]
     */
    record Threshold(double level) implements Pixels {

            /**
             * Checks the level.
             *
             * @param level in (0
             */
            public Threshold {
            if (!(level > 0 && level <= 1)) {
                throw new IllegalArgumentException("level is " + level + "; it must be above 0 and at most 1");
            }
        }

        @Override
        public void write(DigitImages images, int image, float[] target, int offset) {
            for (int p = 0; p < images.size(); p++) {
                target[offset + p] = images.get(image, p) / 255.0 >= level ? 1 : 0;
            }
        }
    }

    /**
     * 1 with probability v / 255.
     *
     * @param random all the randomness
     */
    record Dynamic(RandomGenerator random) implements Pixels {

        @Override
        public void write(DigitImages images, int image, float[] target, int offset) {
            for (int p = 0; p < images.size(); p++) {
                // A uniform number in 0..254 lies below v with probability v / 255 exactly.
                target[offset + p] = random.nextInt(255) < images.get(image, p) ? 1 : 0;
            }
        }
    }
}
