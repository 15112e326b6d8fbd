/**
 * The space of codes: which values the latent variables can take, and how they are written as numbers; and sums in log
 * space.
 */
package io.mdnf.space;
