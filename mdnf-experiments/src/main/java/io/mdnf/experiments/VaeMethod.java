package io.mdnf.experiments;

import io.mdnf.mixture.Estimator;
import io.mdnf.vae.FlowHead;
import io.mdnf.vae.LatentAlgorithm;
import io.mdnf.vae.Posterior;
import io.mdnf.vae.VaeSettings;

/** The methods of the paper's figure of VAEs, and those it lacks. */
enum VaeMethod implements Named {
    MDNF("MDNF", LatentAlgorithm.MDNF, false),
    /** The published head and temperature, with the first-order gradient of the flow that was drawn. */
    MDNF_PAPER("MDNF, paper's head and gradient", LatentAlgorithm.MDNF, false),
    MDNF_JOINT("MDNF joint", LatentAlgorithm.MDNF, false),
    SUMMED("summed", LatentAlgorithm.SUMMED, false),
    GUMBEL("Gumbel", LatentAlgorithm.GUMBEL, false),
    JANG("Jang", LatentAlgorithm.JANG, false),
    MADDISON_21("Maddison Eq. 21", LatentAlgorithm.MADDISON_21, false),
    MADDISON_22("Maddison Eq. 22", LatentAlgorithm.MADDISON_22, false),
    ST_GUMBEL("ST Gumbel", LatentAlgorithm.GUMBEL, true),
    ST_JANG("ST Jang", LatentAlgorithm.JANG, true),
    ST_MADDISON_21("ST Maddison Eq. 21", LatentAlgorithm.MADDISON_21, true),
    ST_MADDISON_22("ST Maddison Eq. 22", LatentAlgorithm.MADDISON_22, true);

    /** The most logits of the paper's head that are affordable: 2000^2 weights are 4 million. */
    private static final int WIDEST_HEAD = 2000;

    private final String title;
    private final LatentAlgorithm algorithm;
    private final boolean straightThrough;

    VaeMethod(String title, LatentAlgorithm algorithm, boolean straightThrough) {
        this.title = title;
        this.algorithm = algorithm;
        this.straightThrough = straightThrough;
    }

    @Override
    public String title() {
        return title;
    }

    boolean isStraightThrough() {
        return straightThrough;
    }

    /** Whether what it maximises is a lower bound of log p(x), up to noise. */
    boolean maximisesABound() {
        return !algorithm.isRelaxed();
    }

    /** Whether it can be afforded at a size. */
    boolean allows(VaeSize size) {
        return switch (this) {
            case MDNF_PAPER -> size.latents() * size.categories() * VaeSize.COMPONENTS <= WIDEST_HEAD;
            case SUMMED -> size.codes() <= VaeSettings.ENUMERABLE;
            default -> true;
        };
    }

    /** Very roughly the milliseconds of a step, so that the longest trainings start first. */
    double work(VaeSize size) {
        int width = size.latents() * size.categories();
        return switch (this) {
            case MDNF, MDNF_JOINT -> 30 + 0.25 * width;
            case MDNF_PAPER -> 30 + 27e-6 * Math.pow(width * VaeSize.COMPONENTS, 2);
            case SUMMED -> 20 + 0.06 * size.codes();
            default -> 30;
        };
    }

    VaeSettings settings(VaeSize size) {
        VaeSettings usual = VaeSettings.plain(algorithm, size.latents(), size.categories(), VaeSize.COMPONENTS)
                .withStraightThrough(straightThrough);
        return switch (this) {
            case MDNF_PAPER -> usual.withHead(FlowHead.PAPER).withEstimator(Estimator.CHOSEN);
            case MDNF_JOINT -> usual.withPosterior(Posterior.JOINT);
            default -> usual;
        };
    }
}
