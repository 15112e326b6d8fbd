package io.mdnf.vae;

import io.mdnf.random.Seed;
import java.util.SplittableRandom;

/**
 * What the model sees of a number v in [0, 1]. The paper uses {@link #GREY}; the published likelihoods of the
 * literature are for binary pixels.
 */
public enum PixelKind {
    /** v itself, for MNIST byte / 255, as in the paper. */
    GREY("grey"),
    /** 1 where v reaches a half. */
    THRESHOLD("threshold"),
    /** 1 with probability v, drawn anew for every step. */
    DYNAMIC("dynamic");

    private final String word;

    PixelKind(String word) {
        this.word = word;
    }

    /**
     * What a model sees of some rows.
     *
     * @param images where the rows are
     * @param indices which ones are seen, {@code count} of them from {@code start} on
     * @param start the first
     * @param count how many
     * @param seed of this batch, all the randomness there is
     * @param target receives count * size numbers
     */
    public void write(ImageRows images, int[] indices, int start, int count, Seed seed, float[] target) {
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

    /**
     * {@return what a model sees of some rows, [indices.length * images.size()]}
     *
     * @param images where the rows are
     * @param seed of this batch
     * @param indices which ones, in which order
     */
    public float[] batch(ImageRows images, Seed seed, int... indices) {
        float[] result = new float[Math.multiplyExact(indices.length, images.size())];
        write(images, indices, 0, indices.length, seed, result);
        return result;
    }

    @Override
    public String toString() {
        return word;
    }
}
