/** Mixtures of flows: one distribution over codes from which one samples exactly what one scores. */
package io.mdnf.mixture;
