/**
 * Bayesian Gaussian mixtures: numeric data, conjugate priors, and variational EM whose E-step is closed form.
 *
 * <p>Letters as in Bishop, <i>Pattern Recognition and Machine Learning</i>, chapter 10: N points of dimension D, K
 * clusters, responsibilities r[N, K].
 */
package io.mdnf.gmm;
