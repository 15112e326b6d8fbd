/**
 * Discrete Bayesian networks: the value itself, its files, evidence, and exact inference to hold every approximation
 * against.
 *
 * <p>A configuration is an {@code int[]} with one state index per node, in the order of the network's nodes.
 */
package io.mdnf.bn;
