/** Randomness as a value: seeds that split without state, and the draws of a step made outside the graph. */
package io.mdnf.random;
