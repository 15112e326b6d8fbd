package io.mdnf.gmm;

import io.mdnf.random.Seed;
import io.mdnf.training.StopRule;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Variational EM: coordinate ascent on the ELBO, which therefore never falls.
 *
 * <p>The E-step has a closed form, or fits a mixture of discrete flows over the allocations of all points. The flows of
 * one E-step start where those of the last ended; the M-step and the ELBO are in closed form at the responsibilities
 * the flows reached. An E-step never gives up what the last one had, so after the first step the ELBO never falls here
 * either.
 *
 * <pre>{@code
 * FlowSettings settings = FlowSettings.standard(FlowSettings.Algorithm.VIF, 40);
 * try (VariationalEm em = VariationalEm.byFlows(mixture, settings, VariationalEm.STANDARD, seed)) {
 *     EmState fitted = em.fit(MixtureStart.K_MEANS.of(mixture, random), state -> { });
 * }
 * }</pre>
 */
public final class VariationalEm implements AutoCloseable {
    /** The smallest gain worth another step, in nats. */
    private static final double TOLERANCE = 1e-7;
    /** How many times as many components the finer mixture has with which a coarse one begins. */
    private static final int FINER = 8;
    private static final int FINEST = 40;

    /** EM has plateaus: at least 10 steps, then as long as they gain something, 1000 at most. */
    public static final StopRule STANDARD = stop(1000);

    private final BayesianGaussianMixture mixture;
    private final Optional<FlowSettings> settings;
    private final Optional<FlowExpectation> flows;
    private final StopRule stop;
    private final Seed seed;

    VariationalEm(BayesianGaussianMixture mixture, Optional<FlowSettings> settings, StopRule stop, Seed seed) {
        this.mixture = mixture;
        this.settings = settings;
        this.stop = stop;
        this.seed = seed;
        this.flows = settings.map(own ->
                FlowExpectation.of(mixture.data().size(), mixture.clusters(), own, seed.fold("bases")));
    }

    /** EM with the closed-form E-step; holds no native memory. */
    public static VariationalEm closedForm(BayesianGaussianMixture mixture, StopRule stop) {
        return new VariationalEm(mixture, Optional.empty(), stop, Seed.of(0));
    }

    /** EM whose E-step fits flows. Holds native memory until closed; not for several threads at once. */
    public static VariationalEm byFlows(BayesianGaussianMixture mixture, FlowSettings flows, StopRule stop, Seed seed) {
        return new VariationalEm(mixture, Optional.of(flows), stop, seed);
    }

    /** Returns the usual end with another limit of steps. */
    public static StopRule stop(int steps) {
        return StopRule.any(StopRule.maxSteps(steps), StopRule.converged(TOLERANCE, 10));
    }

    /** Returns a start, the same for both kinds of E-step, with untrained flows. */
    EmState start(EmState from) {
        return from.with(flows.map(own -> own.initial(seed.fold("flows"))).orElse(new double[0]), 0);
    }

    /** One E-step followed by one M-step. The same state gives the same next state. */
    public EmState step(EmState state) {
        int step = state.step();
        if (flows.isEmpty()) {
            return mixture.state(step + 1, state.posterior().responsibilities(mixture.data()));
        }
        double[] previous = state.iterations() == 0 ? null : state.responsibilities().flat();
        FlowExpectation.Fit fit =
                flows.get().fit(bound(state), state.flow(), previous, step, seed.fold("step").fold(step));
        EmState next = mixture.state(step + 1, Responsibilities.of(mixture.clusters(), fit.responsibilities()));
        if (settings.orElseThrow().isRefinedOnMultiples() && previous == null) {
            EmState thinned = thinned(state, settings.get().components());
            next = thinned.elbo() > next.elbo() ? thinned : next;
        }
        return next.with(fit.flow(), fit.iterations());
    }

    private AllocationBound bound(EmState state) {
        return new AllocationBound(mixture.clusters(), state.posterior().expectedLogJoint(mixture.data()));
    }

    /**
     * A better first step for coarse responsibilities, which come to rest early because multiples of 1 / B do not
     * follow small changes of the parameters: EM of a finer mixture from the same start to its rest, thinned out to B.
     */
    private EmState thinned(EmState start, int components) {
        EmState fine = settled(start, Math.max(FINER * components, FINEST));
        return settled(onMultiples(fine, components), components);
    }

    private EmState settled(EmState from, int components) {
        EmState best = from;
        EmState next = onMultiples(best, components);
        while (next.elbo() > best.elbo() + TOLERANCE) {
            best = next;
            next = onMultiples(best, components);
        }
        return best;
    }

    /** The first step whose responsibilities are the best multiples of 1 / B. */
    private EmState onMultiples(EmState state, int components) {
        return mixture.state(1, Responsibilities.of(mixture.clusters(), bound(state).bestMultiples(components)));
    }

    /** Runs from a start until the stop rule says so; the listener is told of every state, the start included. */
    public EmState fit(EmState from, Consumer<EmState> listener) {
        EmState state = start(from);
        double previous = Double.NEGATIVE_INFINITY;
        listener.accept(state);
        while (!isFinished(state, previous)) {
            previous = state.elbo();
            state = step(state);
            listener.accept(state);
        }
        return state;
    }

    boolean isFinished(EmState state, double previous) {
        return stop.isMet(StopRule.Progress.rising(state.step(), state.elbo(), previous));
    }

    /** Releases native memory. */
    @Override
    public void close() {
        flows.ifPresent(FlowExpectation::close);
    }
}
