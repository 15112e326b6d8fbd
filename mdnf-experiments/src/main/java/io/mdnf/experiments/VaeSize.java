package io.mdnf.experiments;

import java.util.List;

/**
 * The size of a VAE's codes.
 *
 * @param latents D, the variables of a code
 * @param categories K, the categories of each
 */
record VaeSize(int latents, int categories) implements Named {

    /** B, the flows of every mixture, as in the paper. */
    static final int COMPONENTS = 40;

    /** The paper's six, by D times K. */
    static final List<VaeSize> PAPER = List.of(new VaeSize(10, 2), new VaeSize(2, 10), new VaeSize(5, 10),
            new VaeSize(10, 5), new VaeSize(10, 20), new VaeSize(20, 10));

    /** K^D, how many codes there are. */
    double codes() {
        return Math.pow(categories, latents);
    }

    @Override
    public String id() {
        return latents + "-" + categories;
    }

    @Override
    public String title() {
        return "D=" + latents + ", K=" + categories;
    }
}
