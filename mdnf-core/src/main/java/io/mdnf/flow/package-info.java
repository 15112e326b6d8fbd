/** Discrete flows: bijections of codes, batched over components, with straight-through gradients. */
package io.mdnf.flow;
