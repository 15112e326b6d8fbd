package io.mdnf.gmm;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.file.Sha256;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.training.Algorithm;
import io.mdnf.training.Fingerprint;
import io.mdnf.training.StopRule;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * EM from several starts, one after the other, of which the end with the highest ELBO is kept; in closed form or with
 * flows. A {@link io.mdnf.training.Run} carries it, so that it can be stopped and resumed bit for bit.
 *
 * <pre>{@code
 * RestartedEm em = new RestartedEm(mixture, MixtureStart.K_MEANS, 5, VariationalEm.STANDARD, Optional.empty());
 * EmState best = em.result(new Run<>(em, Seed.of(1)).checkpoints(folder, 5).execute(true)).em();
 * }</pre>
 */
public final class RestartedEm implements Algorithm<RestartedEm.State, RestartedEm.End> {
    private final BayesianGaussianMixture mixture;
    private final MixtureStart from;
    private final int starts;
    private final StopRule stop;
    private final Optional<FlowSettings> flows;
    private final ParameterLayout layout;
    private VariationalEm live;
    private Seed liveSeed;

    /** EM that has not begun, from at least 1 start, each until the stop rule says so; without flows in closed form. */
    public RestartedEm(BayesianGaussianMixture mixture, MixtureStart from, int starts, StopRule stop,
            Optional<FlowSettings> flows) {
        Check.that(starts >= 1, "starts = " + starts + ": at least 1 is needed");
        this.mixture = mixture;
        this.from = from;
        this.starts = starts;
        this.stop = stop;
        this.flows = flows;
        this.layout = new ParameterLayout(List.of(new Parameter("responsibilities", Initialiser.constant(0),
                mixture.data().size(), mixture.clusters())));
    }

    /**
     * Where it stands.
     *
     * @param seed where all randomness comes from
     * @param step EM steps of all starts together
     * @param start which start is under way; {@code starts} when all are done
     * @param now where its EM stands, without flows if the E-step is in closed form
     * @param best the best end so far
     */
    public record State(Seed seed, long step, int start, EmState now, Optional<End> best) { }

    /**
     * Where EM from one start ended.
     *
     * @param start which start
     * @param before EM steps of the starts before it
     * @param em the last state
     */
    public record End(int start, long before, EmState em) { }

    @Override
    public State init(Seed seed) {
        return begun(seed, 0, 0, Optional.empty());
    }

    private State begun(Seed seed, long step, int start, Optional<End> best) {
        return new State(seed, step, start, em(seed, start).start(start(seed, start)), best);
    }

    /** Returns the state of step 0 from one start of a run. */
    public EmState start(Seed seed, int start) {
        return from.of(mixture, new SplittableRandom(seed.fold("start").fold(start).value()));
    }

    /** EM of one start, its flows compiled once. */
    private VariationalEm em(Seed seed, int start) {
        Seed own = seed.fold("flows").fold(start);
        if (!own.equals(liveSeed)) {
            close();
            live = new VariationalEm(mixture, flows, stop, own);
            liveSeed = own;
        }
        return live;
    }

    @Override
    public State advance(State state, int steps, Predicate<Info> goOn) {
        State at = state;
        boolean going = true;
        for (int i = 0; i < steps && going && !isFinished(at); i++) {
            at = next(at);
            going = goOn.test(info(at));
        }
        return at;
    }

    private State next(State state) {
        VariationalEm em = em(state.seed(), state.start());
        EmState now = em.step(state.now());
        long step = state.step() + 1;
        if (!em.isFinished(now, state.now().elbo())) {
            return new State(state.seed(), step, state.start(), now, state.best());
        }
        Optional<End> best = state.best().filter(end -> end.em().elbo() >= now.elbo())
                .or(() -> Optional.of(new End(state.start(), step - now.step(), now)));
        return state.start() + 1 < starts ? begun(state.seed(), step, state.start() + 1, best)
                : new State(state.seed(), step, starts, now, best);
    }

    @Override
    public boolean isFinished(State state) {
        return state.start() >= starts;
    }

    /** Returns the end with the highest ELBO. */
    @Override
    public End result(State state) {
        return state.best().orElseThrow(() -> new IllegalArgumentException("no start has ended yet: " + state));
    }

    @Override
    public Info info(State state) {
        EmState em = state.now();
        double reached = em.step() == 0 ? Double.NEGATIVE_INFINITY : em.elbo();
        double best = Math.max(reached, state.best().map(end -> end.em().elbo()).orElse(Double.NEGATIVE_INFINITY));
        return new Info(state.step(), flows.map(f -> f.annealing().within(em.step()).at(0)).orElse(Double.NaN),
                em.elbo(), best, flows.map(FlowSettings::components).orElse(0));
    }

    private Fingerprint fingerprint() {
        Fingerprint all = Fingerprint.of("em").with("starts", starts).with("start", from).with("prior", mixture.prior())
                .with("stop", stop.toString()).with("points", new Sha256().add(mixture.data().values()));
        return flows.isPresent() ? all.with("flows", flows.get()) : all;
    }

    @Override
    public Checkpoint save(State state) {
        EmState em = state.now();
        Checkpoint saved = Checkpoint.of(fingerprint().text(), state.seed(), state.step(), layout,
                em.responsibilities().flat())
                .array("flow", em.flow())
                .number("start", state.start()).number("em.step", em.step())
                .number("iterations", em.iterations());
        return state.best().map(end -> saved.array("best.responsibilities", end.em().responsibilities().flat())
                .number("best.start", end.start()).number("best.before", end.before())
                .number("best.step", end.em().step())).orElse(saved);
    }

    @Override
    public State restore(Checkpoint checkpoint) {
        fingerprint().require(checkpoint);
        Optional<End> best = checkpoint.numberNames().contains("best.start")
                ? Optional.of(new End((int) checkpoint.number("best.start"), checkpoint.number("best.before"),
                        em(checkpoint.number("best.step"), checkpoint.array("best.responsibilities"))))
                : Optional.empty();
        int start = (int) checkpoint.number("start");
        if (checkpoint.number("em.step") == 0) {
            // a start's posterior need not follow from its responsibilities
            return begun(checkpoint.seed(), checkpoint.step(), start, best);
        }
        EmState now = em(checkpoint.number("em.step"), checkpoint.parameters())
                .with(checkpoint.array("flow"), (int) checkpoint.number("iterations"));
        return new State(checkpoint.seed(), checkpoint.step(), start, now, best);
    }

    /** The M-step and the ELBO follow from the responsibilities, the same bits every time. */
    private EmState em(long step, double[] responsibilities) {
        return mixture.state((int) step, Responsibilities.restored(mixture.clusters(), responsibilities));
    }

    /** Releases native memory. */
    @Override
    public void close() {
        if (live != null) {
            live.close();
            live = null;
            liveSeed = null;
        }
    }
}
