package io.mdnf.inference;

import io.mdnf.mixture.Posterior;

/**
 * A fitted posterior with its bound.
 *
 * @param family which family it belongs to
 * @param posterior the distribution; the caller closes it
 * @param bound its ELBO, evaluated after fitting
 * @param algorithm what found it, in words
 * @param steps gradient steps made
 * @param seconds wall-clock time
 */
public record Fit(Family family, Posterior posterior, Bound bound, String algorithm, long steps, double seconds) {}
