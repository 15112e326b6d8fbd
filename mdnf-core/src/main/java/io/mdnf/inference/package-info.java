/** Algorithms that fit a mixture to a target, and the runs that carry them through crashes. */
package io.mdnf.inference;
