package io.mdnf.training;

import io.mdnf.distribution.FlowMixture;

/**
 * The protocol of all algorithms: a state is an immutable value that can be saved; a step makes a new one from it. The
 * same state and settings give the same next state, bit for bit.
 *
 * <pre>{@code
 * S state = algorithm.init(Seed.of(1));
 * while (!algorithm.isFinished(state)) {
 *     state = algorithm.advance(state, 100);
 * }
 * FlowMixture q = algorithm.result(state);
 * }</pre>
 *
 * @param <S> the state
 */
public interface Algorithm<S> extends Stepwise<S> {

    /**
     * The best posterior found.
     *
     * @param state the state
     * @return the posterior
     */
    FlowMixture result(S state);
}
