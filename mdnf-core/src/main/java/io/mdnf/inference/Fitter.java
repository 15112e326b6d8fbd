package io.mdnf.inference;

import io.mdnf.random.Seed;
import io.mdnf.target.TargetModel;
import java.io.IOException;

/**
 * Fits a posterior of a named family to a target with defaults that need no tuning.
 *
 * <pre>{@code
 * Fit fit = new Fitter(target).fit(FitOptions.standard(Family.AUTOREGRESSIVE), Seed.of(1));
 * double elbo = fit.bound().value();
 * }</pre>
 */
public final class Fitter {

    private final TargetModel target;
    private final int[] order;

    /**
     * Fits to a target.
     *
     * @param target what is fitted to
     * @param order an order of the variables for autoregressive posteriors, causes first; empty for left to right
     */
    public Fitter(TargetModel target, int... order) {
        this.target = target;
        this.order = order.clone();
    }

    /**
     * Fits one family.
     *
     * @param options which, and how
     * @param seed where all randomness comes from
     * @return the fit
     * @throws IOException if a checkpoint cannot be written or read
     */
    public Fit fit(FitOptions options, Seed seed) throws IOException {
        throw new IllegalStateException("being written: " + target + order.length);
    }
}
