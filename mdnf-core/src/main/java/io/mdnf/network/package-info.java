/** Shift networks: where the logits of a flow's shifts and scales come from. */
package io.mdnf.network;
