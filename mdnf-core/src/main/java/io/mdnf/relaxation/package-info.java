/** Gumbel-Softmax relaxations of codes, and the objectives of the methods that train with them. */
package io.mdnf.relaxation;
