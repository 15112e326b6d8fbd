package io.mdnf.search;

import io.mdnf.distribution.Product;
import io.mdnf.space.Estimate;

/**
 * The best products that are known.
 *
 * @param product the best one
 * @param bound its ELBO E_q[log p(D, x)] + H(q); exact, or with a standard error for a black box that cannot be listed
 * @param grid the best one whose probabilities are multiples of 1 / B, as those of B equally weighted components are
 * @param gridBound its ELBO
 * @param starts how many starts were tried
 */
public record FoundProduct(Product product, Estimate bound, Product grid, Estimate gridBound, int starts) {}
