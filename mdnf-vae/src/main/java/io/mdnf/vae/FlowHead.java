package io.mdnf.vae;

import java.util.Locale;

/** How the encoder's last layer becomes the logits of B flows over D variables of K categories. */
public enum FlowHead {
    /**
     * D K logits l from the image and D K B offsets t that all images share: flow b shifts to argmax(l + t_b). The
     * offsets start as Gumbel noise, so that the share of flows with category k starts near softmax(l)_k. Cheap: its
     * cost grows with D K B only where every flow's does.
     */
    SHARED,
    /** The paper's: D K, then D K B (ReLU), then D K B logits; (D K B)^2 weights. */
    PAPER;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
