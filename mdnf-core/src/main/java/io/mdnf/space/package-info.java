/** The space of codes: which values the latent variables can take, and how they are written as numbers. */
package io.mdnf.space;
