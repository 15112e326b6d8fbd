package io.mdnf.vae;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;

/** Small images made of two independent four-way choices: one of four bars lit in each half. */
final class Patterns {

    static final int HEIGHT = 4;
    static final int WIDTH = 4;

    private Patterns() {}

    /** Images of 4 x 4 pixels: column a of the upper half and column b of the lower half are white. */
    static DigitImages images(int count) {
        int[] choice = new Draws(Seed.of(7)).uniform("choice", 2 * count, WIDTH);
        byte[] pixels = new byte[count * HEIGHT * WIDTH];
        for (int i = 0; i < count; i++) {
            for (int half = 0; half < 2; half++) {
                for (int row = 2 * half; row < 2 * half + 2; row++) {
                    pixels[i * HEIGHT * WIDTH + row * WIDTH + choice[2 * i + half]] = (byte) 255;
                }
            }
        }
        return DigitImages.of(HEIGHT, WIDTH, pixels);
    }

    /** The best found, small enough for tests; the divergence grows over two epochs. */
    static VaeSettings best() {
        return VaeSettings.of(2, 4).withAlgorithm(LatentAlgorithm.MDNF, 1).withHidden(32, 16).withLooking(8)
                .withBatch(32, 1e-2).withWarmUp(2);
    }

    /** The same codes as four of two categories. */
    static VaeSettings binary(LatentAlgorithm method) {
        return VaeSettings.plain(method, 4, 2, 20).withHidden(32, 16).withBatch(32, 5e-3);
    }

    /** Settings small enough for tests. */
    static VaeSettings settings(LatentAlgorithm method) {
        return VaeSettings.plain(method, 2, 4, 20).withHidden(32, 16).withBatch(32, 5e-3);
    }
}
