package io.mdnf.fit;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.space.Estimate;

/**
 * A fitted posterior with its bound.
 *
 * @param family which family was asked for
 * @param distribution the posterior, which says by its type what it really is; the caller closes it
 * @param bound its ELBO, evaluated after fitting
 * @param components B of the mixture behind it
 * @param algorithm what found it, in words
 * @param steps gradient steps made
 * @param seconds wall-clock time
 */
public record Fit(Family family, CodeDistribution distribution, Estimate bound, int components, String algorithm,
        long steps, double seconds) {}
