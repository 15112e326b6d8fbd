package io.mdnf.experiments;

import io.mdnf.mixture.Estimator;
import io.mdnf.vae.LatentMethod;
import io.mdnf.vae.UpdateRule;
import io.mdnf.vae.VaeSettings;

/** Ways to the gradient of the same autoencoder, and what else could be trained in as many epochs. */
enum VaeEstimator implements Named {
    STRAIGHT_THROUGH("straight-through", LatentMethod.MDNF),
    REINMAX("ReinMax, τ = 1", LatentMethod.MDNF),
    /** What was best on held-out training images: of few codes eight are compared, of more the second order has its
     * middle at a temperature of 3, and the divergence grows over the first epochs. */
    OURS("ours: by the size of the code", LatentMethod.MDNF),
    ST_GUMBEL("straight-through Gumbel", LatentMethod.JANG),
    RAO_GUMBEL("Rao-Blackwellised Gumbel", LatentMethod.RAO_GUMBEL),
    GAPPED("gapped straight-through", LatentMethod.GAPPED),
    REINFORCE("REINFORCE, 4 codes", LatentMethod.REINFORCE),
    WAKE_SLEEP("wake-sleep, 4 codes", LatentMethod.WAKE_SLEEP),
    DISARM("DisARM", LatentMethod.DISARM),
    /** No distribution of codes. */
    VQ("VQ, one code", LatentMethod.VQ),
    FSQ("FSQ, one code", LatentMethod.FSQ),
    /** Another model: posterior and prior look at earlier variables, layers are normalised. */
    BEST("ours: default of vae train", LatentMethod.MDNF);

    /** The published size that is trained by Adam; the others are by RAdam. */
    static final VaeSize BY_ADAM = new VaeSize(4, 8);

    /** Codes up to which several are compared. */
    private static final int FEW = 4096;
    /** Categories from which the divergence takes longer to grow. */
    private static final int MANY = 16;
    private static final int BATCH = 100;
    private static final double RATE = 5e-4;

    private final String title;
    private final LatentMethod method;

    VaeEstimator(String title, LatentMethod method) {
        this.title = title;
        this.method = method;
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
        return isOurs() || method.comparesCodes() ? 60 : 30;
    }

    VaeSettings settings(VaeSize size) {
        if (this == BEST) {
            return VaeSettings.of(size.latents(), size.categories());
        }
        VaeSettings plain = VaeSettings.plain(method, size.latents(), size.categories(), VaeSettings.UNLIMITED)
                .withStraightThrough(this == ST_GUMBEL).withBatch(BATCH, RATE).withCentred(true)
                .withOptimiser(size.categories() == 2 || size.equals(BY_ADAM) ? UpdateRule.ADAM : UpdateRule.RADAM);
        return switch (this) {
            case STRAIGHT_THROUGH -> plain.withEstimator(Estimator.AVERAGED);
            case OURS -> size.codes() <= FEW ? plain.withMethod(LatentMethod.REINFORCE, 8)
                    : plain.withTemperature(3, 0, 3).withWarmUp(size.categories() < MANY ? 2 : 4);
            default -> plain;
        };
    }
}
