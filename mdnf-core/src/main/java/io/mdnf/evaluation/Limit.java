package io.mdnf.evaluation;

import io.mdnf.distribution.CodeDistribution;

/**
 * The best member of a family that is known, and how near it comes to the posterior.
 *
 * @param kl KL(q || p)
 * @param elbo log p(D) - kl
 * @param distribution q: atoms or a product
 */
public record Limit(double kl, double elbo, CodeDistribution distribution) {}
