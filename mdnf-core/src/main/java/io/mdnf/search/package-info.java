/**
 * Searches that need no gradient: codes along factors, chains, atoms, products.
 *
 * <p>Internal: it serves the rooms above it and changes with them; programs call {@code io.mdnf.fit.Fitter}.
 */
package io.mdnf.search;
