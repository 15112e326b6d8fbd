/** The MNIST variational auto-encoder with discrete latents: the data, their pixels, and pictures of digits. */
package io.mdnf.vae;
