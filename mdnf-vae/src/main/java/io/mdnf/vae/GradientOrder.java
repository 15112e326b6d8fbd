package io.mdnf.vae;

/** How accurately the gradient of an averaged estimator follows the distribution of the drawn code. */
public enum GradientOrder {
    /** The code carries the gradient of its distribution. */
    FIRST("first"),
    /** Exact for functions that are quadratic in each variable; cheap, and several nats better on MNIST. */
    SECOND("second");

    private final String word;

    GradientOrder(String word) {
        this.word = word;
    }

    @Override
    public String toString() {
        return word;
    }
}
