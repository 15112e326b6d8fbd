/** Distributions on codes, as values: one can sample, score, summarise and save them, whatever found them. */
package io.mdnf.distribution;
