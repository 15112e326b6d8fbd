package io.mdnf.vae;

import io.mdnf.random.Seed;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * What the model sees of a number v in [0, 1]. The paper uses {@link #GREY}; the published likelihoods of the
 * literature are for binary pixels.
 */
public enum PixelKind {
    /** v itself, for MNIST byte / 255, as in the paper. */
    GREY,
    /** 1 where v reaches a half. */
    THRESHOLD,
    /** 1 with probability v, drawn anew for every step. */
    DYNAMIC;

    /** Writes what a model sees of {@code count} rows, those of the indices from {@code start} on, into the target
     * [count * size]; the seed is all the randomness there is. */
    void write(ImageRows images, int[] indices, int start, int count, Seed seed, float[] target) {
        int size = images.size();
        for (int i = 0; i < count; i++) {
            images.read(indices[start + i], target, i * size);
        }
        SplittableRandom random = new SplittableRandom(seed.value());
        for (int p = 0; p < count * size && this != GREY; p++) {
            // nextFloat is a multiple of 2^-24 below 1, so it lies below v with probability v, to that precision
            target[p] = (this == THRESHOLD ? 0.5f <= target[p] : random.nextFloat() < target[p]) ? 1 : 0;
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
