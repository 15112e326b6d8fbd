/**
 * Searches that need no gradient: codes along factors, chains, atoms, products.
 *
 * <p>Internal, since programs call {@code io.mdnf.fit.Fitter}, but for {@link io.mdnf.search.Effort}, what a fit may
 * spend, and {@link io.mdnf.search.FoundCodes}.
 */
package io.mdnf.search;
