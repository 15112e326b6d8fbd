package io.mdnf.vae;

import io.mdnf.graph.Optimiser;
import java.util.Locale;

/** How a gradient becomes a step. */
public enum UpdateRule {
    /** Adam, as in Keras. */
    ADAM(new Optimiser.Adam()),
    /** Rectified Adam, as in PyTorch: short steps until the gradient's scale is known. */
    RADAM(new Optimiser.RAdam());

    private final Optimiser rule;

    UpdateRule(Optimiser rule) {
        this.rule = rule;
    }

    Optimiser rule() {
        return rule;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
