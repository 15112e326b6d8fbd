/** A page for a browser on this machine: a network to ask, an autoencoder to play with, a run to watch. */
package io.mdnf.explorer;
