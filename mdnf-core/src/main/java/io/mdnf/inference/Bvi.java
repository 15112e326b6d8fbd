package io.mdnf.inference;

import io.mdnf.base.FixedBase;
import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.file.Sha256;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.Initialiser;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.DirectLogits;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Algorithm;
import io.mdnf.training.Fingerprint;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The boosting baseline: the components are fixed deltas and only their weights are found, one component a step. For
 * distinct deltas the best weights are known in closed form, rho_b proportional to p(D, x_b), with ELBO
 * log sum_b p(D, x_b). Needs no gradient, so it also serves black boxes.
 *
 * <p>Example: {@code new Bvi(target, Deltas.enumerating(space, 40))}.
 */
public final class Bvi implements Algorithm<Bvi.State, FlowMixture> {

    /** Where a run stands: how many deltas are in the mixture, and its bound. */
    public record State(Seed seed, int used, double elbo) {}

    private final TargetModel target;
    private final Mixture mixture;
    private final int[][] atoms;
    private final double[] logJoint;

    /** Weighs fixed deltas, which are added in their order. */
    public Bvi(TargetModel target, FixedBase deltas) {
        Check.that(deltas.isDelta(), deltas, ": BVI weighs deltas");
        this.target = target;
        // a shift of 0 everywhere: the first of equal logits wins
        this.mixture = new Mixture(Structure.JOINT,
                new ShiftFlow(new DirectLogits(deltas.space(), deltas.components(), Initialiser.constant(0))), deltas,
                Weighting.FREE);
        try (FlowMixture q = new FlowMixture(mixture, mixture.layout().initial(Seed.of(0)))) {
            this.atoms = q.componentAtoms();
        }
        this.logJoint = distinctLogJoint(target, atoms);
    }

    /** The log joints of atoms, of which one that repeats an earlier one adds nothing. */
    static double[] distinctLogJoint(TargetModel target, int[][] atoms) {
        double[] logJoint = target.logJoint(atoms);
        Set<IntBuffer> seen = new HashSet<>();
        for (int b = 0; b < atoms.length; b++) {
            if (!seen.add(CodeSpace.key(atoms[b]))) {
                logJoint[b] = Double.NEGATIVE_INFINITY;
            }
        }
        return logJoint;
    }

    /** Returns whether any of the deltas is possible; if none is, the bound stays -infinity. */
    public boolean isPossible() {
        return elbo(atoms.length) > Double.NEGATIVE_INFINITY;
    }

    private double elbo(int used) {
        return LogSpace.sumExp(Arrays.copyOf(logJoint, used));
    }

    @Override
    public State init(Seed seed) {
        return new State(seed, 1, elbo(1));
    }

    @Override
    public State advance(State state, int steps, Predicate<Info> goOn) {
        State at = state;
        boolean going = true;
        for (int i = 0; i < steps && going && !isFinished(at); i++) {
            at = new State(at.seed(), at.used() + 1, elbo(at.used() + 1));
            going = goOn.test(info(at));
        }
        return at;
    }

    @Override
    public boolean isFinished(State state) {
        return state.used() == atoms.length;
    }

    @Override
    public FlowMixture result(State state) {
        double[] weights = LogSpace.weights(Arrays.copyOf(logJoint, state.used()));
        return new FlowMixture(mixture, mixture.weighted(weights, mixture.layout().initial(state.seed())));
    }

    @Override
    public Info info(State state) {
        return new Info(state.used(), 1, state.elbo(), state.elbo(), state.used());
    }

    private Fingerprint fingerprint() {
        return Fingerprint.of("bvi").target(target).with("deltas", new Sha256().add(atoms));
    }

    @Override
    public Checkpoint save(State state) {
        return Checkpoint.of(fingerprint().text(), state.seed(), state.used(), mixture.layout(),
                mixture.layout().initial(state.seed()));
    }

    @Override
    public State restore(Checkpoint checkpoint) {
        fingerprint().require(checkpoint);
        int used = (int) checkpoint.step();
        return new State(checkpoint.seed(), used, elbo(used));
    }

    @Override
    public void close() {
        // holds no native memory
    }

    @Override
    public String toString() {
        return "Bvi(" + mixture.base() + " on " + target.space() + ")";
    }
}
