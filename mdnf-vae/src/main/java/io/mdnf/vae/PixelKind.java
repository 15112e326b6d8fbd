package io.mdnf.vae;

import io.mdnf.random.Seed;

/** What the model sees of a grey byte. */
public enum PixelKind {
    /** v / 255, as in the paper. */
    GREY("grey"),
    /** 1 where v / 255 reaches a half. */
    THRESHOLD("threshold"),
    /** 1 with probability v / 255, drawn anew for every step. */
    DYNAMIC("dynamic");

    private final String word;

    PixelKind(String word) {
        this.word = word;
    }

    /** How the images of one batch are read; the seed is that of the batch. */
    Pixels pixels(Seed seed) {
        return switch (this) {
            case GREY -> Pixels.grey();
            case THRESHOLD -> Pixels.threshold(0.5);
            case DYNAMIC -> Pixels.dynamic(new java.util.SplittableRandom(seed.value()));
        };
    }

    @Override
    public String toString() {
        return word;
    }
}
