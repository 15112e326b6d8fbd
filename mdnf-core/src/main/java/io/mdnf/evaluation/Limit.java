package io.mdnf.evaluation;

import io.mdnf.distribution.CodeDistribution;

/** The best member q of a family that is known, atoms or a product, with KL(q || p) and its ELBO, log p(D) - kl. */
public record Limit(double kl, double elbo, CodeDistribution distribution) {}
