/** The variational autoencoder with discrete codes: the rows it learns from, its training, the model. */
package io.mdnf.vae;
