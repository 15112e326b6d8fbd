package io.mdnf.experiments;

import java.util.List;

/**
 * What the authors' notebooks printed while they trained VAEs, on training images; the paper's own figure has no
 * numbers. None of it is a bound: flows are drawn jointly and scored one by one, Gumbel's decoder sees relaxed codes.
 *
 * @param method as there
 * @param like which of ours it is compared with
 * @param epochs after which
 * @param objective minus the printed loss, in nats per image
 * @param elbo what was printed as an ELBO; NaN where nothing was
 */
record PublishedVae(String method, VaeMethod like, VaeSize size, int epochs, double objective, double elbo) {

    /** Published bars of std / |mean| of the objective in percent, in the order of {@link VaeSize#PAPER}. */
    static final List<Double> VARIATION = List.of(0.157, 0.243, 0.197, 0.185, 0.321, 0.226);

    /** What the paper says no size exceeds, in percent. */
    static final double MOST_VARIATION = 0.35;

    static List<PublishedVae> figures() {
        VaeSize small = VaeSize.PAPER.get(0);
        VaeSize large = new VaeSize(10, 20);
        return List.of(
                flows("MDNF", small, 10, -173.25), flows("MDNF", small, 20, -148.18),
                flows("MDNF", small, 45, -140.54), flows("MDNF", small, 100, -145.69),
                flows("MDNF, other code", small, 10, -153.55), flows("MDNF, other code", small, 42, -144.58),
                new PublishedVae("Gumbel", VaeMethod.GUMBEL, small, 10, -147.68, -136.17),
                new PublishedVae("Gumbel", VaeMethod.GUMBEL, small, 25, -145.06, -130.89),
                new PublishedVae("Gumbel", VaeMethod.GUMBEL, small, 55, -147.81, -128.70),
                new PublishedVae("Gumbel", VaeMethod.GUMBEL, small, 100, -160.34, -132.99),
                new PublishedVae("Jang", VaeMethod.JANG, large, 4, -134.42, -134.51));
    }

    private static PublishedVae flows(String method, VaeSize size, int epochs, double objective) {
        return new PublishedVae(method, VaeMethod.MDNF, size, epochs, objective, Double.NaN);
    }
}
