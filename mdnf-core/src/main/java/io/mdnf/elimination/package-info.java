/**
 * Sums and maxima over all codes of a product of factors, by eliminating one variable after the other: in which order,
 * on which tables, at what cost.
 */
package io.mdnf.elimination;
