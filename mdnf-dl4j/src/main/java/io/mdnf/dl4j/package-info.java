/**
 * Discrete latent codes inside DL4J's {@code ComputationGraph}: a layer for the posterior, a vertex that draws from it
 * and an output layer whose score is the negative ELBO.
 */
package io.mdnf.dl4j;
