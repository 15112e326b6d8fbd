package io.mdnf.fit;

import io.mdnf.base.Deltas;
import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.inference.Bvi;
import io.mdnf.inference.Bvif;
import io.mdnf.inference.BvifSettings;
import io.mdnf.inference.Learner;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.LargestRemainder;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.FactorLogits;
import io.mdnf.network.Made;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.search.AtomRefinement;
import io.mdnf.search.FactorisedRefinement;
import io.mdnf.search.PossibleCodes;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Algorithm;
import io.mdnf.training.Run;
import io.mdnf.training.RunStoppedException;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Fits a posterior of a named family to a target with defaults that need no tuning.
 *
 * <ul>
 *   <li>JOINT: gradient training of atoms (VIF, BVIF) or fixed deltas (BVI), then a search for better atoms.
 *   <li>FACTORISED: gradient training, then coordinate ascent from there and from many other starts.
 *   <li>AUTOREGRESSIVE: learned from codes of the posterior, see {@link Learner}.
 * </ul>
 * A search only ever replaces what training found by something with a better bound.
 *
 * <pre>{@code
 * Fit fit = new Fitter(target).fit(FitOptions.standard(Family.AUTOREGRESSIVE), Seed.of(1));
 * double elbo = fit.bound().value();
 * }</pre>
 */
public final class Fitter {

    private static final int ATOMS = 100;
    private static final int HIDDEN = 128;
    private static final long LEARNING_STEPS = 3000;
    private static final int FLOWS_PER_CATEGORY = 100;
    private static final int MOST_FLOWS = 200;
    private static final int BOUND_SAMPLES = 10_000;
    private static final int BEFORE_SEARCH = 300;
    private static final int SAVE_EVERY = 100;

    private final TargetModel target;
    private final int[] order;

    /**
     * Fits to a target.
     *
     * @param target what is fitted to
     * @param order an order of the variables for autoregressive posteriors, causes first; empty for left to right.
     *     Another one is taken if only that keeps clear of everything impossible
     */
    public Fitter(TargetModel target, int... order) {
        this.target = target;
        this.order = order.length == 0 ? IntStream.range(0, target.space().variables()).toArray() : order.clone();
    }

    /**
     * Fits one family.
     *
     * @param options which, and how
     * @param seed where all randomness comes from
     * @return the fit
     * @throws IOException if a checkpoint cannot be written or read
     * @throws RunStoppedException if a listener wanted training to stop
     */
    public Fit fit(FitOptions options, Seed seed) throws IOException {
        if (options.components() < 0) {
            throw new IllegalArgumentException("components = " + options.components() + ": at least 1, or 0 for the default");
        }
        long start = System.nanoTime();
        Found found = switch (options.family()) {
            case JOINT -> joint(options, seed);
            case FACTORISED -> factorised(options, seed);
            case AUTOREGRESSIVE -> autoregressive(options, seed);
        };
        Estimate bound = Bound.of(target, found.posterior(), BOUND_SAMPLES, seed.fold("bound"));
        return new Fit(options.family(), value(found.posterior()), bound, found.posterior().mixture().components(), found.algorithm(), found.steps(),
                (System.nanoTime() - start) / 1e9);
    }

    /** Atoms and products by themselves need no flows any more. */
    private static CodeDistribution value(FlowMixture found) {
        if (!found.isAtoms() && !found.isProduct()) {
            return found;
        }
        try (found) {
            return found.isAtoms() ? found.atoms() : found.product();
        }
    }

    /** A posterior, what found it, and how many gradient steps that took. */
    private record Found(FlowMixture posterior, String algorithm, long steps) {}

    private <S> Found run(Algorithm<S> algorithm, String name, FitOptions options, Seed seed) throws IOException {
        try (algorithm) {
            Run<S> run = new Run<>(algorithm, seed);
            options.listeners().forEach(run::listener);
            if (options.checkpoints().isPresent()) {
                run.checkpoints(options.checkpoints().get(), SAVE_EVERY);
            }
            S end = run.execute(options.checkpoints().isPresent());
            if (!algorithm.isFinished(end)) {
                throw new RunStoppedException(algorithm.info(end).step());
            }
            return new Found(algorithm.result(end), name, algorithm.info(end).step());
        }
    }

    private static int steps(FitOptions options, int alone) {
        return options.refine() ? BEFORE_SEARCH : options.steps() == 0 ? alone : Math.toIntExact(options.steps());
    }

    private int components(FitOptions options, int standard) {
        return options.components() == 0 ? standard : options.components();
    }

    // ---- atoms

    private Found joint(FitOptions options, Seed seed) throws IOException {
        int b = components(options, ATOMS);
        CodeSpace space = target.space();
        Weighting weighting = options.method() == FitOptions.Method.VIF ? options.weighting() : Weighting.FREE;
        Found trained = switch (options.method()) {
            case BVI -> run(new Bvi(target, Deltas.enumerating(space, b)), "BVI", options, seed);
            case VIF -> {
                Mixture mixture = Mixture.atoms(space, b, weighting);
                yield target.isDifferentiable() ? run(new Vif(target, mixture, VifSettings.forMixture(mixture,
                        steps(options, 10_000))), "VIF", options, seed) : null;
            }
            case BVIF -> target.isDifferentiable() ? run(new Bvif(target, Mixture.atoms(space, b),
                    BvifSettings.standard(BvifSettings.Weights.SOLVED).withSteps(options.refine() ? 20 : 200)), "BVIF",
                    options, seed) : null;
        };
        if (!options.refine() || options.method() == FitOptions.Method.BVI) {
            if (trained == null) {
                throw new IllegalArgumentException(
                        "target " + target + " has no gradient; fit it refined, or with fixed deltas (BVI)");
            }
            return trained;
        }
        AtomRefinement refinement = AtomRefinement.of(target, b, weighting);
        int[][] start = trained == null ? new int[0][] : trained.posterior().componentAtoms();
        var refined = start.length == 0 ? refinement.refine(seed.fold("refine"))
                : refinement.refine(start, seed.fold("refine"));
        if (trained != null && Bound.of(target, trained.posterior(), 2, seed).value() >= refined.elbo()) {
            return trained;
        }
        if (trained != null) {
            trained.posterior().close();
        }
        String name = trained == null ? "atom refinement" : trained.algorithm() + ", then atom refinement";
        return new Found(posterior(refined.atoms(), b, weighting), name, trained == null ? 0 : trained.steps());
    }

    /** The mixture of shifts whose atoms and weights are given. */
    private FlowMixture posterior(Atoms atoms, int components, Weighting weighting) {
        CodeSpace space = target.space();
        Mixture mixture = Mixture.atoms(space, components, weighting);
        int[][] at;
        if (weighting == Weighting.EQUAL) {
            at = atoms.repeated(components);
        } else {
            int[][] distinct = atoms.codes();
            at = IntStream.range(0, components).mapToObj(b -> distinct[Math.min(b, distinct.length - 1)])
                    .toArray(int[][]::new);
        }
        double[] flat = mixture.layout().with("flow/shift/logits", space.oneHot(at), new double[mixture.layout().size()]);
        if (weighting == Weighting.FREE) {
            flat = mixture.weighted(atoms.weights(), flat);
        }
        return new FlowMixture(mixture, flat);
    }

    // ---- products

    private Found factorised(FitOptions options, Seed seed) throws IOException {
        int b = components(options, ATOMS);
        Mixture mixture = Mixture.factorised(target.space(), b);
        Found trained = target.isDifferentiable() ? run(new Vif(target, mixture,
                VifSettings.forMixture(mixture, steps(options, 2000))), "VIF", options, seed) : null;
        if (!options.refine() && trained != null) {
            return trained;
        }
        FactorisedRefinement refinement = new FactorisedRefinement(target, b);
        var refined = trained == null ? refinement.refine(seed.fold("refine"))
                : refinement.refine(List.<double[][]>of(trained.posterior().product().q()), seed.fold("refine"));
        double[] logits = target.space().oneHot(LargestRemainder.columns(refined.q(), b));
        FlowMixture polished = new FlowMixture(mixture, logits);
        if (trained == null) {
            return new Found(polished, "coordinate ascent", 0);
        }
        double before = Bound.of(target, trained.posterior(), BOUND_SAMPLES, seed.fold("compare")).value();
        double after = Bound.of(target, polished, BOUND_SAMPLES, seed.fold("compare")).value();
        if (before >= after) {
            polished.close();
            return trained;
        }
        trained.posterior().close();
        return new Found(polished, "VIF, then coordinate ascent", trained.steps());
    }

    // ---- conditionals

    private Found autoregressive(FitOptions options, Seed seed) throws IOException {
        Learner.PosteriorSearch search = Learner.PosteriorSearch.of(target, seed.fold("search"));
        int width = target.space().width();
        int b = components(options, Math.min(MOST_FLOWS, FLOWS_PER_CATEGORY * Math.max(1, width - 1)));
        long steps = options.steps() == 0 ? LEARNING_STEPS : options.steps();
        int[] taken = conditionalOrder();
        Found learned = run(new Learner(target, b, flows -> network(flows, taken), search, steps),
                search.areAllCodes() ? "learned from atoms" : "learned from Gibbs chains", options, seed);
        boolean safe = !target.factors().isEmpty() && seesAllZeros(taken);
        if (safe || Bound.of(target, learned.posterior(), BOUND_SAMPLES, seed.fold("bound")).value()
                > Double.NEGATIVE_INFINITY) {
            return learned;
        }
        learned.posterior().close();
        return found(search, learned.steps());
    }

    /** What the search found, for where impossible codes could not be learned: atoms and products give them nothing. */
    private Found found(Learner.PosteriorSearch search, long steps) {
        if (search.atoms() != null) {
            return new Found(posterior(search.atoms(), search.atoms().size(), Weighting.FREE), "atoms", steps);
        }
        Mixture mixture = Mixture.factorised(target.space(), ATOMS);
        return new Found(new FlowMixture(mixture,
                target.space().oneHot(LargestRemainder.columns(search.product(), ATOMS))), "a product", steps);
    }

    private Made.Builder network(int b, int[] taken) {
        return Made.with(target.space(), b).order(taken).hidden(HIDDEN).directConnections();
    }

    /** The order asked for, unless zeros go unseen in it that another order sees: they could make a bound -infinity. */
    private int[] conditionalOrder() {
        int[] other = PossibleCodes.order(target.space(), target.factors());
        return !seesAllZeros(order) && seesAllZeros(other) ? other : order;
    }

    private boolean seesAllZeros(int[] candidate) {
        return FactorLogits.of(target.space(), candidate, target.factors()).isComplete();
    }
}
