/**
 * Discrete latent codes at home in DL4J: a layer for the posterior, a vertex that draws from it and an output layer
 * whose score is the negative ELBO, for a {@code ComputationGraph}; and a whole autoencoder as a pretrain layer.
 */
package io.mdnf.dl4j;
