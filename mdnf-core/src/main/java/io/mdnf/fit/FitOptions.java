package io.mdnf.fit;

import io.mdnf.mixture.Weighting;
import io.mdnf.training.RunListener;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a {@link Fitter} is asked for. {@link #standard} needs no tuning.
 *
 * @param family which family
 * @param components B; 0 for the family's default
 * @param weighting weights of JOINT mixtures
 * @param method how JOINT mixtures are fitted
 * @param refine whether the search that closes the gap to the family's optimum follows
 * @param steps how many steps VIF makes where no search follows, and an autoregressive posterior learns; 0 for the
 *     default
 * @param checkpoints where gradient training saves its state, if anywhere
 * @param listeners told about gradient training
 */
public record FitOptions(Family family, int components, Weighting weighting, Method method, boolean refine,
        long steps, Optional<Path> checkpoints, List<RunListener> listeners) {

    /** How a JOINT mixture is fitted. */
    public enum Method {
        /** All flows together. */
        VIF,
        /** One flow and its weight at a time. */
        BVIF,
        /** Weights only, over fixed deltas. */
        BVI
    }

    /**
     * The defaults of a family.
     *
     * @param family which family
     * @return equal weights, VIF, refined, no checkpoints
     */
    public static FitOptions standard(Family family) {
        return new FitOptions(family, 0, Weighting.EQUAL, Method.VIF, true, 0, Optional.empty(), List.of());
    }

    /**
     * The same with another number of components.
     *
     * @param count B
     * @return the options
     */
    public FitOptions withComponents(int count) {
        return new FitOptions(family, count, weighting, method, refine, steps, checkpoints, listeners);
    }

    /**
     * The same with another way of fitting JOINT mixtures.
     *
     * @param how VIF, BVIF or BVI
     * @param weights equal or free; boosting makes them free whatever is said
     * @return the options
     */
    public FitOptions withMethod(Method how, Weighting weights) {
        return new FitOptions(family, components, weights, how, refine, steps, checkpoints, listeners);
    }

    /**
     * The same without the search that follows training: the published method by itself.
     *
     * @return the options
     */
    public FitOptions unrefined() {
        return new FitOptions(family, components, weighting, method, false, steps, checkpoints, listeners);
    }

    /**
     * The same with another number of steps, for VIF where no search follows and for autoregressive posteriors.
     *
     * @param count how many; 0 for the default
     * @return the options
     */
    public FitOptions withSteps(long count) {
        return new FitOptions(family, components, weighting, method, refine, count, checkpoints, listeners);
    }

    /**
     * The same with checkpoints and listeners.
     *
     * @param folder where to save
     * @param told the listeners
     * @return the options
     */
    public FitOptions saving(Path folder, List<RunListener> told) {
        return new FitOptions(family, components, weighting, method, refine, steps, Optional.of(folder), told);
    }
}
