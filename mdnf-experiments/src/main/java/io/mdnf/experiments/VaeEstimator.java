package io.mdnf.experiments;

import io.mdnf.mixture.Estimator;
import io.mdnf.vae.LatentAlgorithm;
import io.mdnf.vae.UpdateRule;
import io.mdnf.vae.VaeSettings;

/** Ways to the gradient of the same autoencoder, and what else could be trained in as many epochs. */
enum VaeEstimator implements Named {
    STRAIGHT_THROUGH("straight-through", LatentAlgorithm.MDNF),
    REINMAX("ReinMax, τ = 1", LatentAlgorithm.MDNF),
    /** What was best on held-out training images: of few codes eight are compared, of more the second order has its
     * middle at a temperature of 3, and the divergence grows over the first epochs. */
    OURS("ours: by the size of the code", LatentAlgorithm.MDNF),
    ST_GUMBEL("straight-through Gumbel", LatentAlgorithm.JANG),
    RAO_GUMBEL("Rao-Blackwellised Gumbel", LatentAlgorithm.RAO_GUMBEL),
    GAPPED("gapped straight-through", LatentAlgorithm.GAPPED),
    REINFORCE("REINFORCE, 4 codes", LatentAlgorithm.REINFORCE),
    WAKE_SLEEP("wake-sleep, 4 codes", LatentAlgorithm.WAKE_SLEEP),
    DISARM("DisARM", LatentAlgorithm.DISARM),
    /** No distribution of codes. */
    VQ("VQ, one code", LatentAlgorithm.VQ),
    FSQ("FSQ, one code", LatentAlgorithm.FSQ),
    /** Another model: posterior and prior look at earlier variables, layers are normalised. */
    BEST("ours: default of vae train", LatentAlgorithm.MDNF);

    /** The published size that is trained by Adam; the others are by RAdam. */
    static final VaeSize BY_ADAM = new VaeSize(4, 8);

    /** Codes up to which several are compared. */
    private static final int FEW = 4096;
    /** Categories from which the divergence takes longer to grow. */
    private static final int MANY = 16;
    private static final int BATCH = 100;
    private static final double RATE = 5e-4;

    private final String title;
    private final LatentAlgorithm algorithm;

    VaeEstimator(String title, LatentAlgorithm algorithm) {
        this.title = title;
        this.algorithm = algorithm;
    }

    @Override
    public String title() {
        return title;
    }

    /** Whether codes are drawn and carry the gradient of a softmax. */
    boolean isStraightThrough() {
        return ordinal() <= GAPPED.ordinal();
    }

    boolean isOurs() {
        return this == OURS || this == BEST;
    }

    boolean allows(VaeSize size) {
        return this != DISARM || size.categories() == 2;
    }

    /** Very roughly the milliseconds of a step. */
    double work() {
        return isOurs() || algorithm.comparesCodes() ? 60 : 30;
    }

    VaeSettings settings(VaeSize size) {
        if (this == BEST) {
            return VaeSettings.of(size.latents(), size.categories());
        }
        VaeSettings plain = VaeSettings.plain(algorithm, size.latents(), size.categories(), VaeSettings.UNLIMITED)
                .withStraightThrough(this == ST_GUMBEL).withBatch(BATCH, RATE).withCentred(true)
                .withOptimiser(size.categories() == 2 || size.equals(BY_ADAM) ? UpdateRule.ADAM : UpdateRule.RADAM);
        return switch (this) {
            case STRAIGHT_THROUGH -> plain.withEstimator(Estimator.AVERAGED);
            case OURS -> size.codes() <= FEW ? plain.withAlgorithm(LatentAlgorithm.REINFORCE, 8)
                    : plain.withTemperature(3, 0, 3).withWarmUp(size.categories() < MANY ? 2 : 4);
            default -> plain;
        };
    }
}
