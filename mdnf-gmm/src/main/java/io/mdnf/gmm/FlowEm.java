package io.mdnf.gmm;

import io.mdnf.training.StopRule;
import io.mdnf.random.Seed;
import java.util.function.Consumer;

/**
 * Variational EM whose E-step fits a mixture of discrete flows over the allocations of all points, in place of
 * {@link ClosedFormEm}'s softmax. The flows of one E-step start where those of the last ended; the M-step and the ELBO
 * are in closed form at the responsibilities the flows reached. An E-step never gives up what the last one had, so the
 * ELBO never falls after the first step.
 *
 * <pre>{@code
 * FlowSettings settings = FlowSettings.standard(FlowSettings.Method.VIF, 40);
 * try (FlowEm em = new FlowEm(mixture, settings, ClosedFormEm.STANDARD, seed)) {
 *     EmState fitted = em.fit(MixtureStart.K_MEANS.of(mixture, random), state -> { });
 * }
 * }</pre>
 */
public final class FlowEm implements AutoCloseable {
    /** How many times as many components the finer mixture has with which a coarse one begins. */
    private static final int FINER = 8;
    /** And at least so many. */
    private static final int FINEST = 40;

    private final BayesianGaussianMixture mixture;
    private final FlowSettings settings;
    private final StopRule stop;
    private final Seed seed;
    private final FlowExpectation expectation;

    /**
     * Lays out and compiles the E-step. Holds native memory until closed; not for several threads at once.
     *
     * @param mixture the model and its data
     * @param settings how the flows are fitted
     * @param stop when EM ends
     * @param seed where the randomness of the flows comes from
     */
    public FlowEm(BayesianGaussianMixture mixture, FlowSettings settings, StopRule stop, Seed seed) {
        this.mixture = mixture;
        this.settings = settings;
        this.stop = stop;
        this.seed = seed;
        this.expectation =
                FlowExpectation.of(mixture.data().size(), mixture.clusters(), settings, seed.fold("bases"));
    }

    /**
     * The first state.
     *
     * @param start where EM begins, the same as for the closed form
     * @return the start with untrained flows
     */
    public FlowEmState start(EmState start) {
        return new FlowEmState(start, expectation.initial(seed.fold("flows")), 0);
    }

    /**
     * One E-step by flows followed by one M-step. The same state gives the same next state.
     *
     * @param state where EM stands
     * @return where EM stands afterwards
     */
    public FlowEmState step(FlowEmState state) {
        int step = state.em().step();
        AllocationBound bound = new AllocationBound(mixture.clusters(),
                state.em().posterior().expectedLogJoint(mixture.data()));
        double[] previous = state.iterations() == 0 ? null : state.em().responsibilities().flat();
        FlowFit fit = expectation.fit(bound, state.flow(), previous, step, seed.fold("step").fold(step));
        EmState next = mixture.state(step + 1, Responsibilities.of(mixture.clusters(), fit.responsibilities()));
        if (settings.isRefinedOnMultiples() && previous == null) {
            EmState thinned = thinned(state.em());
            next = thinned.elbo() > next.elbo() ? thinned : next;
        }
        return new FlowEmState(next, fit.flow(), fit.iterations());
    }

    /**
     * A better first step for coarse responsibilities, which come to rest early because multiples of 1 / B do not follow
     * small changes of the parameters: EM of a finer mixture from the same start to its rest, thinned out to B.
     */
    private EmState thinned(EmState start) {
        EmState fine = settled(start, Math.max(FINER * settings.components(), FINEST));
        return settled(mixture.state(1, bestMultiples(fine, settings.components())), settings.components());
    }

    private EmState settled(EmState from, int components) {
        EmState best = from;
        EmState next = mixture.state(1, bestMultiples(best, components));
        while (next.elbo() > best.elbo() + ClosedFormEm.TOLERANCE) {
            best = next;
            next = mixture.state(1, bestMultiples(best, components));
        }
        return best;
    }

    private Responsibilities bestMultiples(EmState state, int components) {
        AllocationBound bound = new AllocationBound(mixture.clusters(),
                state.posterior().expectedLogJoint(mixture.data()));
        return Responsibilities.of(mixture.clusters(), bound.bestMultiples(components));
    }

    /**
     * Runs from a start until the stop rule says so.
     *
     * @param start where EM begins
     * @param listener told of every state, the start included
     * @return the last state
     */
    public EmState fit(EmState start, Consumer<FlowEmState> listener) {
        FlowEmState state = start(start);
        double previous = Double.NEGATIVE_INFINITY;
        listener.accept(state);
        while (!stop.isMet(StopRule.Progress.rising(state.em().step(), state.em().elbo(), previous))) {
            previous = state.em().elbo();
            state = step(state);
            listener.accept(state);
        }
        return state.em();
    }

    /** Releases native memory. */
    @Override
    public void close() {
        expectation.close();
    }
}
