package io.mdnf.gmm;

import io.mdnf.training.StopRule;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Variational EM with the closed-form E-step: coordinate ascent on the ELBO, which therefore never falls.
 * {@code start}, then {@code step} as often as wanted; {@code fit} does both under a stop rule.
 *
 * @param mixture the model and its data
 * @param start where to begin
 * @param stop when to end
 */
public record ClosedFormEm(BayesianGaussianMixture mixture, MixtureStart start, StopRule stop) {

    /** The smallest gain worth another step, in nats. */
    static final double TOLERANCE = 1e-7;

    /** EM has plateaus: at least 10 steps, then as long as they gain something, 1000 at most. */
    public static final StopRule STANDARD = stop(1000);

    /**
     * The usual end with another limit.
     *
     * @param steps the most steps
     * @return the rule
     */
    public static StopRule stop(int steps) {
        return StopRule.any(StopRule.maxSteps(steps), StopRule.converged(TOLERANCE, 10));
    }

    /**
     * {@return the state of step 0}
     *
     * @param random all randomness of the run
     */
    public EmState start(RandomGenerator random) {
        return start.of(mixture, random);
    }

    /**
     * One E-step followed by one M-step.
     *
     * @param state where EM stands
     * @return where EM stands afterwards
     */
    public EmState step(EmState state) {
        return mixture.state(state.step() + 1, mixture.expectation(state.posterior()));
    }

    /**
     * Runs from a fresh start until the stop rule says so.
     *
     * @param random all randomness of the run
     * @param listener told of every state, the start included
     * @return the last state
     */
    public EmState fit(RandomGenerator random, Consumer<EmState> listener) {
        return fit(start(random), listener);
    }

    /**
     * Runs on from a given state until the stop rule says so.
     *
     * @param from where to begin
     * @param listener told of every state, the first included
     * @return the last state
     */
    public EmState fit(EmState from, Consumer<EmState> listener) {
        EmState state = from;
        double previous = Double.NEGATIVE_INFINITY;
        listener.accept(state);
        while (!stop.isMet(StopRule.Progress.rising(state.step(), state.elbo(), previous))) {
            previous = state.elbo();
            state = step(state);
            listener.accept(state);
        }
        return state;
    }
}
