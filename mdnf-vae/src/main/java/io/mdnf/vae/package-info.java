/** The variational autoencoder with discrete codes: the rows it learns from, its training, the model, pictures of digits. */
package io.mdnf.vae;
