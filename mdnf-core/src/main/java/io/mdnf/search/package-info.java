/** Searches that need no gradient: codes along factors, chains, atoms, products. */
package io.mdnf.search;
